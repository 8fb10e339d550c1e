// SPDX-License-Identifier: Apache-2.0
// The pools that arrays take their memory from: what they hold, and how to empty them.
#pragma once

#include <cstdint>
#include <string_view>

namespace kolam {

/// The memories that arrays are allocated in.
enum class PoolSpace { host_space, pinned_space, device_space, shared_space };
/// "host", "pinned", "device" or "shared".
std::string_view name(PoolSpace space);

/// Bytes of one pool, as allocated (sizes are rounded up by at most an eighth).
struct PoolState {
  std::uint64_t in_use = 0;      ///< held by arrays
  std::uint64_t cached = 0;      ///< given back by arrays, kept for the next
  std::uint64_t high_water = 0;  ///< the most that was ever in use
  std::uint64_t hits = 0;        ///< allocations that were served from the cache
  std::uint64_t misses = 0;      ///< allocations that went to the system
};

/// A block that an array gave back is kept and handed to the next array of that size class, in the
/// order of streams: work that is still under way on it delays only those who come from another
/// stream. Off, every block goes back to the system when its array goes. On at first, unless the
/// environment variable KOLAM_POOL is 0 (1 is on, else InvalidArgument is thrown) or this is a
/// build for the address sanitizer. Turning pools off trims them. Large blocks of the host begin at
/// different offsets, so that arrays of one size do not compete for the same sets of the caches,
/// and in huge pages where the system offers them. Before you destroy a stream that
/// you made and handed to Kokkos, let its arrays go and trim the pools: their blocks remember it.
void use_pools(bool on);
/// Whether pools are on.
bool pools_used();

/// In a build without that memory the state is that of the memory it stands for.
PoolState pool_state(PoolSpace space);

/// Gives all cached blocks back to the system. Waits for the work that is under way on them. A pool
/// does so by itself when an allocation fails, before it tries once more.
void trim_pools();

}  // namespace kolam
