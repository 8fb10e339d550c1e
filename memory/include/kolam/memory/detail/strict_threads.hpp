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

[[nodiscard]] inline bool may_touch(CodeOf code, Side side) {
  return code == CodeOf::both || (code == CodeOf::host) == (side == Side::host);
}

/// Asks Kokkos to tell about kernels and copies; tools that listen already are told as before.
/// Needs a Kokkos that runs; asks once.
void watch_kernels();

/// Of the thread that calls; both may be called from a signal handler.
[[nodiscard]] CodeOf running_code();
/// The label of its kernel; null outside of kernels.
[[nodiscard]] const char* running_kernel();

/// An intent was taken on this thread, hence it is in no kernel: one that an exception ended is
/// forgotten.
void outside_of_kernels();

/// Host code of this thread may touch both sides until the end.
void begin_both_sides();
void end_both_sides();
/// Whether any thread is in such a scope.
[[nodiscard]] bool anybody_on_both_sides();

/// What the bits of the protection keys stand for. A key of no number is one that is not used.
struct StrictKeys {
  static constexpr int most_closed = 4;
  bool used = false;
  int side[2] = {0, 0};       // pages as the side's code may touch them
  int read_only[2] = {0, 0};  // pages that the side's code may read; writes are judged one by one
  int closed[most_closed] = {};  // pages where each access is judged by itself
  int closed_count = 0;
};

/// Protection keys of this process, asked for at the first call; not used where the CPU has none.
[[nodiscard]] const StrictKeys& strict_keys();
/// The register of the CPU that says which keys are open, as `code` needs it, from one that may
/// say something about the keys of others.
[[nodiscard]] std::uint32_t key_rights(CodeOf code, std::uint32_t now);

}  // namespace kolam::detail
