// SPDX-License-Identifier: Apache-2.0
#include "strict_poison.hpp"

#ifdef __linux__

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "strict_pages.hpp"

namespace kolam::detail::strict_poison {
namespace {

constexpr unsigned char pattern[] = {0x5e, 0xca, 0xfa, 0xff};

// Returns a page of poison for bytes that begin at `address`.
const char* poison_for(const char* address) {
  static const std::vector<char> poison = [] {
    std::vector<char> bytes(strict_pages::page_bytes() + sizeof pattern);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<char>(pattern[i % sizeof pattern]);
    }
    return bytes;
  }();
  return poison.data() + reinterpret_cast<std::uintptr_t>(address) % sizeof pattern;
}

}  // namespace

void fill(char* begin, const char* end) {
  while (begin < end) {
    const std::size_t bytes =
        std::min(static_cast<std::size_t>(end - begin), strict_pages::page_bytes());
    std::memcpy(begin, poison_for(begin), bytes);
    begin += bytes;
  }
}

const char* written(const char* begin, const char* end) {
  const char* same = poison_for(begin);
  if (std::memcmp(begin, same, static_cast<std::size_t>(end - begin)) == 0) return end;
  return std::mismatch(begin, end, same).first;
}

bool any(const char* begin, const char* end) {
  constexpr std::uintptr_t together = 8;
  while (begin < end) {
    const auto step = together - reinterpret_cast<std::uintptr_t>(begin) % together;
    const char* const next =
        begin + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(step), end - begin);
    if (written(begin, next) == next) return true;
    begin = next;
  }
  return false;
}

}  // namespace kolam::detail::strict_poison

#endif
