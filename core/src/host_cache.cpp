// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <kolam/core/detail/host_cache.hpp>
#include <map>
#include <string>

namespace kolam::detail {
namespace {

struct Cache {
  int level = 0;
  std::uint64_t bytes = 0;
  std::string processors;  // processors that share the cache
};

// Returns the highest-level cache of a processor, as Linux describes it.
Cache last_cache(int processor) {
  Cache last;
  const std::string of_processor =
      "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index";
  for (int index = 0;; ++index) {
    const std::string folder = of_processor + std::to_string(index) + "/";
    Cache cache;
    std::uint64_t size = 0;
    char unit = 0;
    if (!(std::ifstream(folder + "level") >> cache.level)) return last;
    if (!(std::ifstream(folder + "size") >> size >> unit)) continue;
    std::ifstream(folder + "shared_cpu_list") >> cache.processors;
    cache.bytes = size * (unit == 'M' ? 1024 * 1024 : 1024);
    if (cache.level > last.level) last = cache;
  }
}

std::uint64_t ask() {
  std::map<std::string, std::uint64_t> caches;
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) {
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (!CPU_ISSET(static_cast<std::size_t>(processor), &mine)) continue;
      const Cache cache = last_cache(processor);
      if (cache.bytes > 0) caches[cache.processors] = cache.bytes;
    }
  }
  std::uint64_t all = 0;
  for (const auto& [processors, bytes] : caches) all += bytes;
  if (all > 0) return all;
  // (Less reliable: in virtual machines this may be the cache of all processors of the host.)
  return static_cast<std::uint64_t>(
      std::max({sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), 0L}));
}

}  // namespace

std::uint64_t host_cache_bytes() {
  static const std::uint64_t bytes = ask();
  return bytes;
}

}  // namespace kolam::detail
