// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <kolam/core/streaming.hpp>

namespace kolam {

bool exceeds_cache(std::uint64_t bytes) {
  // Where the system does not say, 32 MiB.
  static const long size =
      std::max({sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), 32L * 1024 * 1024});
  return bytes > static_cast<std::uint64_t>(size);
}

}  // namespace kolam
