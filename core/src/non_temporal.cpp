// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/detail/host_cache.hpp>
#include <kolam/core/non_temporal.hpp>

namespace kolam {

bool exceeds_cache(std::uint64_t bytes) {
  constexpr std::uint64_t least = 32 * 1024 * 1024;  // also if the system does not say
  return bytes > std::max(detail::host_cache_bytes(), least);
}

}  // namespace kolam
