// SPDX-License-Identifier: Apache-2.0
// Counts allocations and copies, because applying a planned operator must make none.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string_view>

namespace kolam::testing {

/// Counts allocations and copies of the process while it exists, through Kokkos' tool interface.
/// One at a time. Allocations of no bytes do not count (on CUDA each launch of teams requests such
/// scratch), and neither do fills.
class Requests {
 public:
  Requests() : before_(Kokkos::Tools::Experimental::get_callbacks()) {
    allocations_ = copies_ = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(allocate);
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback(copy);
  }
  ~Requests() { Kokkos::Tools::Experimental::set_callbacks(before_); }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  Requests(Requests&&) = delete;
  Requests& operator=(Requests&&) = delete;

  [[nodiscard]] int allocations() const { return allocations_; }
  [[nodiscard]] int copies() const { return copies_; }

 private:
  static inline int allocations_, copies_;
  static void allocate(Kokkos::Tools::SpaceHandle, const char*, const void*, std::uint64_t bytes) {
    if (bytes > 0) ++allocations_;
  }
  static void copy(Kokkos::Tools::SpaceHandle, const char*, const void*, Kokkos::Tools::SpaceHandle,
                   const char* from, const void*, std::uint64_t) {
    const std::string_view source = from;  // (a fill's, with and without an instance)
    if (source != "(none)" && source != "Scalar") ++copies_;
  }

  Kokkos::Tools::Experimental::EventSet before_;
};

}  // namespace kolam::testing
