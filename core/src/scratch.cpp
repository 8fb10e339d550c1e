// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/scratch.hpp>
#include <vector>

namespace kolam::detail {

void* host_scratch(std::size_t bytes) {
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  static thread_local std::vector<Line> memory;
  if (memory.size() * sizeof(Line) < bytes)
    memory.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
  return memory.data();
}

}  // namespace kolam::detail
