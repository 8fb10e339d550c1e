// SPDX-License-Identifier: Apache-2.0
// What was moved and allocated, counted always.
#pragma once

#include <cstdint>

namespace kolam {

/// Counts of one array, or of all of them since the program started.
struct Transfers {
  std::uint64_t copies_to_device = 0;
  std::uint64_t bytes_to_device = 0;
  std::uint64_t copies_to_host = 0;
  std::uint64_t bytes_to_host = 0;
  std::uint64_t copies_avoided = 0;  ///< read intents on a side that was valid
  std::uint64_t allocations = 0;
  std::uint64_t allocated_bytes = 0;

  [[nodiscard]] std::uint64_t copies() const { return copies_to_device + copies_to_host; }
};

/// The sum over all arrays of the process, those that are gone included. (An array's copies_avoided
/// enter it when the array goes: counting them at once would make every read dearer.)
[[nodiscard]] Transfers total_transfers();

}  // namespace kolam
