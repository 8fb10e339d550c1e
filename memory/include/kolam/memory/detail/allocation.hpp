// SPDX-License-Identifier: Apache-2.0
// Allocations from the pools.
#pragma once

#include <cstddef>
#include <kolam/core/any_instance.hpp>
#include <kolam/memory/detail/access_tracker.hpp>
#include <kolam/memory/pool.hpp>
#include <string>

namespace kolam::detail {

/// Memory of one space and, if it comes from a pool, the pending accesses to it.
struct Allocation {
  void* memory = nullptr;  // start of the values
  void* start = nullptr;   // start of the allocation, at or before `memory`
  std::size_t bytes = 0;   // as allocated
  std::size_t alignment = 0;
  PoolSpace space = PoolSpace::host_space;
  int device = 0;
  AccessTracker users;
};

/// The alignment, in bytes, that every memory space of Kokkos guarantees.
inline constexpr std::size_t least_alignment = 64;

/// Returns an allocation of at least `bytes` (not 0), on the device of `user`, or on Kokkos' device
/// without a user. `alignment` is a power of two. Throws OutOfMemory, naming `label`, and
/// NotRunning.
Allocation allocate(PoolSpace space, const std::string& label, std::size_t bytes,
                    const AnyInstance* user, std::size_t alignment = least_alignment);
/// Takes an allocation back, with the pending accesses to it. Does nothing after Kokkos was
/// finalised: Kokkos or the end of the process releases the memory.
void deallocate(Allocation block) noexcept;

/// Throws OutOfMemory: `label` requested `bytes`.
[[noreturn]] void throw_out_of_memory(PoolSpace space, const std::string& label, std::size_t bytes);

/// A scope for tests: allocations of side memory fail, as if memory were short, if `fails` returns
/// true. The newest scope decides, in all threads.
class AllocationFaults {
 public:
  explicit AllocationFaults(bool (*fails)());
  ~AllocationFaults();
  AllocationFaults(const AllocationFaults&) = delete;
  AllocationFaults& operator=(const AllocationFaults&) = delete;
  AllocationFaults(AllocationFaults&&) = delete;
  AllocationFaults& operator=(AllocationFaults&&) = delete;

  /// Returns whether the next allocation must fail; for memory that does not come from the pools.
  static bool next_fails();

 private:
  bool (*before_)();
};

}  // namespace kolam::detail
