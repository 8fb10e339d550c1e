// SPDX-License-Identifier: Apache-2.0
// Counts of copies and allocations; counting is always on.
#pragma once

#include <cstdint>

namespace kolam {

/// Counts of one array with its aliases, of one label, or of all arrays since the program started.
struct Transfers {
  std::uint64_t copies_to_device = 0;  ///< copies, each of one stretch of adjacent bytes
  std::uint64_t bytes_to_device = 0;   ///< bytes of these copies
  std::uint64_t copies_to_host = 0;    ///< as copies_to_device
  std::uint64_t bytes_to_host = 0;     ///< bytes of these copies
  std::uint64_t copies_avoided = 0;    ///< reading intents that found all values valid
  std::uint64_t allocations = 0;       ///< allocations of a side, from a pool or the system
  std::uint64_t allocated_bytes = 0;   ///< bytes of all allocations, including freed ones
  std::uint64_t bytes = 0;             ///< bytes held now
  std::uint64_t peak_bytes = 0;        ///< maximum of `bytes`

  /// Returns the number of copies in both directions.
  std::uint64_t copies() const { return copies_to_device + copies_to_host; }
  /// Returns whether all counts are equal.
  bool operator==(const Transfers&) const = default;
};

/// Returns the sum over all arrays of the process, including destroyed arrays. The peak is that of
/// all arrays together.
Transfers total_transfers();

}  // namespace kolam
