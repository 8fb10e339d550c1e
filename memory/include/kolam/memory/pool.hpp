// SPDX-License-Identifier: Apache-2.0
// The memory pools of arrays: their state, and how to empty them.
#pragma once

#include <cstdint>
#include <string_view>

namespace kolam {

/// The memories in which arrays are allocated.
enum class PoolSpace { host_space, pinned_space, device_space, shared_space };
/// Returns "host", "pinned", "device" or "shared".
std::string_view name(PoolSpace space);

/// The state of one pool, in allocated bytes (sizes are rounded up by at most an eighth).
struct PoolState {
  std::uint64_t in_use = 0;      ///< bytes held by arrays
  std::uint64_t cached = 0;      ///< bytes released by arrays, kept for reuse
  std::uint64_t high_water = 0;  ///< maximum of `in_use` so far
  std::uint64_t hits = 0;        ///< allocations served from the cache
  std::uint64_t misses = 0;      ///< allocations served by the system
};

/// Turns the pools on or off; turning them off trims them. They are initially on, unless the
/// environment variable KOLAM_POOL is 0 (1 is on, other values throw InvalidArgument) or this is a
/// build for the address sanitizer. A pool keeps a block that an array released for the next array
/// of its size class, in stream order: pending work on the block delays only users on other
/// streams. Without pools, a block returns to the system when its array is destroyed.
///
/// Large host blocks begin at different offsets, so that arrays of one size do not compete for the
/// same cache sets, and use huge pages if the system offers them. Before you destroy a stream that
/// you made and passed to Kokkos, destroy its arrays and trim the pools: their blocks refer to it.
void use_pools(bool on);
/// Returns whether pools are on.
bool pools_used();

/// Returns the state of a pool. In a build without this memory, the pool holds host memory instead.
PoolState pool_state(PoolSpace space);

/// Returns all cached blocks to the system, after pending work on them has ended. A failed
/// allocation does this automatically before its second attempt.
void trim_pools();

}  // namespace kolam
