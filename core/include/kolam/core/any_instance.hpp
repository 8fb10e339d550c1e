// SPDX-License-Identifier: Apache-2.0
// A type-erased execution-space instance (a stream or a partition of the threads).
#pragma once

#include <kolam/core/execution.hpp>
#include <string>
#include <variant>

namespace kolam {
namespace detail {

template <class List>
struct InstanceVariant;
template <class... Execs>
struct InstanceVariant<ExecutionSpaceList<Execs...>> {
  using type = std::variant<Execs...>;
};

// Returns an address that identifies an instance while it exists.
template <class Exec>
const void* instance_key(const Exec& exec) {
  if constexpr (requires { exec.impl_internal_space_instance(); }) {
    return exec.impl_internal_space_instance();
  } else {  // a space with a single instance
    static const char only = 0;
    return &only;
  }
}

}  // namespace detail

/// A type-erased instance of any backend of the build, as cheap to copy as the instance itself. A
/// stream that the caller created and passed to Kokkos must outlive this object; streams of
/// Kokkos::partition_space are kept alive by it.
class AnyInstance {
 public:
  /// Wraps a copy of `exec`, with the same stream or the same threads.
  template <class Exec>
    requires Kokkos::is_execution_space_v<Exec>
  explicit AnyInstance(const Exec& exec) : key_(detail::instance_key(exec)), space_(exec) {}

  /// Waits on the host for all work launched on this instance. Kokkos' tools show `why`.
  void fence(const std::string& why) const;

  /// Makes later work on this instance wait for all work launched on `earlier` so far.
  /// Two streams of one kind of device are ordered on the device, without blocking the host;
  /// otherwise the host waits for `earlier`. Returns whether the host waited.
  bool wait_for(const AnyInstance& earlier, const std::string& why) const;

  /// Calls `f` with the instance in its concrete type and returns the result.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), space_);
  }

  /// Returns the device number of the instance: see device_number.
  int device() const;

  /// Returns an address that identifies this instance while it exists. Do not dereference it.
  const void* key() const { return key_; }
  /// Returns whether both are copies of one Kokkos instance.
  bool operator==(const AnyInstance& other) const { return key_ == other.key_; }

 private:
  const void* key_;
  detail::InstanceVariant<detail::ExecutionSpaces>::type space_;
};

}  // namespace kolam
