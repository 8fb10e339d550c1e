// SPDX-License-Identifier: Apache-2.0
// Measures of performance: T_eff, the least data that a solver must move, divided by its time, and
// T_peak, the highest bandwidth that this machine reaches.
#pragma once

#include <cstdint>
#include <kolam/core/backend.hpp>

namespace kolam {

/// Measured memory bandwidth in GB/s (10^9 bytes), counting each array once per kernel run.
struct Bandwidth {
  double copy_gbs = 0;            ///< b = a
  double triad_gbs = 0;           ///< c = a + s b
  std::uint64_t array_bytes = 0;  ///< size of each of the three arrays

  /// Returns T_peak, the larger of the two bandwidths.
  double peak_gbs() const { return copy_gbs > triad_gbs ? copy_gbs : triad_gbs; }
};

/// Measures copy and triad of doubles, with several 16-byte accesses in flight per thread on a
/// device and non-temporal stores on a host. Returns the best of `repeats` runs after one warm-up.
/// If `array_bytes` is 0, it is four times the last-level cache (at least 64 MiB on a host and 1
/// GiB on a device), or an eighth of the available memory if that is less. Throws InvalidArgument
/// if `repeats` is less than 1, and OutOfMemory if the three arrays do not fit.
template <class Exec>
Bandwidth measure_bandwidth(const Exec& exec, std::uint64_t array_bytes = 0, int repeats = 10);

/// Returns A_eff of one step in bytes: unknown fields are read and written once, known fields read
/// once.
constexpr double effective_bytes(double unknown_bytes, double known_bytes = 0) {
  return 2 * unknown_bytes + known_bytes;
}

/// Returns T_eff in GB/s of `steps` steps in `seconds`: steps * (2 D_u + D_k) / seconds.
/// Source: S. Omlin, L. Räss, I. Utkin, "Solving PDEs in parallel on GPUs" (ETH Zürich).
constexpr double effective_throughput_gbs(double seconds, double steps, double unknown_bytes,
                                          double known_bytes = 0) {
  return steps * effective_bytes(unknown_bytes, known_bytes) / seconds * 1e-9;
}

}  // namespace kolam
