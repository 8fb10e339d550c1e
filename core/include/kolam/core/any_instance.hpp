// SPDX-License-Identifier: Apache-2.0
// An execution-space instance (a stream, a partition of the threads) without its type.
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

// An address that tells the instances of Exec from all others while they exist.
template <class Exec>
const void* instance_key(const Exec& exec) {
  if constexpr (requires { exec.impl_internal_space_instance(); }) {
    return exec.impl_internal_space_instance();
  } else {  // a space that has one instance
    static const char only = 0;
    return &only;
  }
}

}  // namespace detail

/// Holds an instance of any backend of the build, as cheap to copy as the instance itself. A stream
/// that the caller made and handed to Kokkos must outlive it; those of Kokkos::partition_space are
/// kept alive by it.
class AnyInstance {
 public:
  /// A copy of `exec`: the same stream, or the same threads.
  template <class Exec>
    requires Kokkos::is_execution_space_v<Exec>
  explicit AnyInstance(const Exec& exec) : key_(detail::instance_key(exec)), space_(exec) {}

  /// Waits, on the host, for all work launched on this instance. `why` is shown by Kokkos' tools.
  void fence(const std::string& why) const;

  /// Work launched on this instance from now on starts after all work launched on `earlier` so far.
  /// Two streams of one kind of device are ordered there and the host goes on; otherwise the host
  /// waits for `earlier`. Returns whether it did.
  bool wait_for(const AnyInstance& earlier, const std::string& why) const;

  /// Calls `f` with the instance in its own type.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), space_);
  }

  /// See device_number.
  int device() const;

  /// An address that tells this instance from all others while it exists. Not to be read from.
  const void* key() const { return key_; }
  /// Whether both are copies of one Kokkos instance.
  bool operator==(const AnyInstance& other) const { return key_ == other.key_; }

 private:
  const void* key_;
  detail::InstanceVariant<detail::ExecutionSpaces>::type space_;
};

}  // namespace kolam
