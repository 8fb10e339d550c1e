// SPDX-License-Identifier: Apache-2.0
// What was moved and allocated, counted always.
#pragma once

#include <cstdint>

namespace kolam {

/// Counts of one array with its aliases, of one label, or of all arrays since the program started.
struct Transfers {
  std::uint64_t copies_to_device = 0;  ///< of one stretch of adjacent bytes each
  std::uint64_t bytes_to_device = 0;   ///< of these copies
  std::uint64_t copies_to_host = 0;    ///< as copies_to_device
  std::uint64_t bytes_to_host = 0;     ///< of these copies
  std::uint64_t copies_avoided = 0;    ///< read intents whose values were all there
  std::uint64_t allocations = 0;       ///< of a side each, from a pool or the system
  std::uint64_t allocated_bytes = 0;   ///< by all allocations, also those given back since
  std::uint64_t bytes = 0;             ///< held now
  std::uint64_t peak_bytes = 0;        ///< held at most at once

  /// Copies either way.
  std::uint64_t copies() const { return copies_to_device + copies_to_host; }
  /// Whether all counts are equal.
  bool operator==(const Transfers&) const = default;
};

/// The sum over all arrays of the process, those that are gone included. Its peak is that of all
/// arrays together.
Transfers total_transfers();

}  // namespace kolam
