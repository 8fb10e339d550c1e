// SPDX-License-Identifier: Apache-2.0
// Blocks of memory from the pools.
#pragma once

#include <cstddef>
#include <kolam/core/any_instance.hpp>
#include <kolam/memory/detail/access_tracker.hpp>
#include <kolam/memory/pool.hpp>
#include <string>

namespace kolam::detail {

/// Memory of one space and, if it comes from the pool, those whose work on it may be under way.
struct Allocation {
  void* memory = nullptr;  // where values begin
  void* start = nullptr;   // of the allocation, at `memory` or before it
  std::size_t bytes = 0;   // as allocated
  std::size_t alignment = 0;
  PoolSpace space = PoolSpace::host_space;
  int device = 0;
  AccessTracker users;
};

/// The alignment, in bytes, that every memory space of Kokkos gives.
inline constexpr std::size_t least_alignment = 64;

/// A block of at least `bytes`, which are not 0, on the device of `user` if it has one, else on
/// that of Kokkos. `alignment` is a power of two. Throws OutOfMemory naming `label`, and
/// NotRunning.
Allocation allocate(PoolSpace space, const std::string& label, std::size_t bytes,
                    const AnyInstance* user, std::size_t alignment = least_alignment);
/// Takes a block back, with those who still work on it. After Kokkos was finalised it does nothing:
/// Kokkos or the end of the process took the memory back.
void deallocate(Allocation block) noexcept;

/// Throws OutOfMemory: `label` asked for `bytes`.
[[noreturn]] void throw_out_of_memory(PoolSpace space, const std::string& label, std::size_t bytes);

/// For tests: while one lives, allocations of side memory fail as if memory were short where
/// `fails` returns true. The newest one decides, in all threads.
class AllocationFaults {
 public:
  explicit AllocationFaults(bool (*fails)());
  ~AllocationFaults();
  AllocationFaults(const AllocationFaults&) = delete;
  AllocationFaults& operator=(const AllocationFaults&) = delete;
  AllocationFaults(AllocationFaults&&) = delete;
  AllocationFaults& operator=(AllocationFaults&&) = delete;

  /// Whether the allocation that is about to be made has to fail: for memory that does not come
  /// from the pools.
  static bool next_fails();

 private:
  bool (*before_)();
};

}  // namespace kolam::detail
