// SPDX-License-Identifier: Apache-2.0
// The side whose memory each thread may access under strict emulation: the host or, in a kernel on
// the emulated device, the device.
#pragma once

#include <cstdint>
#include <kolam/memory/side.hpp>

namespace kolam::detail {

/// The side whose code a thread runs.
enum class CodeOf : std::uint8_t {
  host,
  device,
  both  // Kokkos itself (copies, fills), which may access both sides; or unknown
};

inline bool may_touch(CodeOf code, Side side) {
  return code == CodeOf::both || (code == CodeOf::host) == (side == Side::host);
}

/// Registers callbacks for kernels and copies with Kokkos, once; tools that are already registered
/// still get theirs. Needs a running Kokkos.
void watch_kernels();

/// Returns the code of the calling thread. A signal handler may call this and `running_kernel`.
CodeOf running_code();
/// Returns the label of the calling thread's kernel; null outside of kernels.
const char* running_kernel();

/// Records that this thread is in no kernel, because it took an intent; discards a kernel that an
/// exception ended.
void outside_of_kernels();

/// Begins, or ends, a scope in which host code of this thread may access both sides.
void begin_both_sides();
void end_both_sides();
/// Returns whether any thread is in such a scope.
bool anybody_on_both_sides();

}  // namespace kolam::detail
