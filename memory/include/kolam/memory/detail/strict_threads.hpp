// SPDX-License-Identifier: Apache-2.0
// Which side's memory the code of each thread may touch under strict emulation: that of the host,
// or in a kernel on the emulated device that of the device.
#pragma once

#include <cstdint>
#include <kolam/memory/side.hpp>

namespace kolam::detail {

/// Whose code a thread runs.
enum class CodeOf : std::uint8_t {
  host,
  device,
  both  // Kokkos itself (copies, fills), which may go from side to side; or nobody knows
};

inline bool may_touch(CodeOf code, Side side) {
  return code == CodeOf::both || (code == CodeOf::host) == (side == Side::host);
}

/// Asks Kokkos to tell about kernels and copies; tools that listen already are told as before.
/// Needs a Kokkos that runs; asks once.
void watch_kernels();

/// Of the thread that calls; both may be called from a signal handler.
CodeOf running_code();
/// The label of its kernel; null outside of kernels.
const char* running_kernel();

/// An intent was taken on this thread, hence it is in no kernel: one that an exception ended is
/// forgotten.
void outside_of_kernels();

/// Host code of this thread may touch both sides until the end.
void begin_both_sides();
void end_both_sides();
/// Whether any thread is in such a scope.
bool anybody_on_both_sides();

}  // namespace kolam::detail
