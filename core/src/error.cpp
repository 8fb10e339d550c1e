// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <kolam/core/error.hpp>

namespace kolam {

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < units.size()) {
    value /= 1024.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text.data();
}

OutOfMemory::OutOfMemory(const std::string& label, const std::string& space,
                         std::uint64_t requested, std::uint64_t available)
    : Error("out of memory: " + label + " needs " + format_bytes(requested) + " (" +
            std::to_string(requested) + " bytes) in " + space + ", where " +
            format_bytes(available) + " (" + std::to_string(available) +
            " bytes) are available; use a smaller problem or a machine with more memory"),
      requested_(requested),
      available_(available) {}

}  // namespace kolam
