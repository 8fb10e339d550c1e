// SPDX-License-Identifier: Apache-2.0
// Byte buffers in device memory and in pinned host memory, and copies between them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/execution.hpp>

namespace kolam::comm::detail {

template <class Exec>
struct PinnedMemory {
  using type = Kokkos::HostSpace;
};
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
template <class Exec>
  requires(!Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible)
struct PinnedMemory<Exec> {
  using type = Kokkos::SharedHostPinnedSpace;
};
#endif

/// A buffer that grows and is kept. The caller makes sure that no work uses it when it grows.
template <class Exec, class Memory>
class Workspace {
 public:
  char* of(const Exec& exec, std::size_t bytes) {
    if (bytes_.size() < bytes) {
      bytes_ = {};  // freed before the next allocation
      bytes_ = kolam::detail::allocate_view<View>(exec, "kolam::halo", bytes);
      exec.fence("kolam::halo is allocated");
    }
    return bytes_.data();
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  using View = Kokkos::View<char*, Memory>;
  View bytes_;
};

template <class Exec>
using DeviceWorkspace = Workspace<Exec, typename Exec::memory_space>;
template <class Exec>
using PinnedWorkspace = Workspace<Exec, typename PinnedMemory<Exec>::type>;

/// Launches a copy on `exec`. To and From are memory spaces.
template <class To, class From, class Exec>
void copy_bytes(const Exec& exec, char* to, const char* from, std::size_t bytes) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(exec, Kokkos::View<char*, To, Unmanaged>(to, bytes),
                    Kokkos::View<const char*, From, Unmanaged>(from, bytes));
}

}  // namespace kolam::comm::detail
