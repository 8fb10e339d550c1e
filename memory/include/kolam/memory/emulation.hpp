// SPDX-License-Identifier: Apache-2.0
// An emulated device side for builds without a device, to find errors that a device would show.
#pragma once

#include <atomic>
#include <kolam/memory/side.hpp>

namespace kolam {

/// How arrays of a host-only build treat their device side.
enum class Emulation {
  off,    ///< host and device are one memory: nothing is ever copied
  on,     ///< the device side is a separate buffer: copies happen, are counted, cost time
  strict  ///< as `on`, and an access that no intent allows stops the program with a report
};

/// Returns the mode of arrays made from now on. Initially it is `strict` if the environment
/// variable KOLAM_STRICT is 1, `on` if KOLAM_EMULATE_DEVICE is 1, else `off`. In a build with a
/// device it is `off`. Throws InvalidArgument if one of these variables has a value other than 0 or
/// 1, or asks for emulation in a build with a device.
Emulation emulation();
/// Sets the mode of arrays made from now on. Throws InvalidArgument for a mode other than `off` in
/// a build with a device, and for `strict` on a system other than Linux.
void emulate(Emulation);

/// A scope in which, under strict emulation, this thread may use Views of both sides outside
/// kernels, and system calls may write to the memory of `write` intents. For libraries that access
/// device memory from host code, such as a GPU-aware MPI. In other modes it does nothing.
/// \code
///   const auto x = u.read(kolam::device);
///   const kolam::BothSides scope;
///   send(x.data(), n);
/// \endcode
class [[nodiscard]] BothSides {
 public:
  BothSides();
  ~BothSides();
  BothSides(const BothSides&) = delete;
  BothSides& operator=(const BothSides&) = delete;
  BothSides(BothSides&&) = delete;
  BothSides& operator=(BothSides&&) = delete;
};

namespace detail {

inline std::atomic<int> emulation_state{-1};  // -1: the environment was not read yet

inline bool emulating() {
  if constexpr (!one_memory) {
    return false;
  } else {
    const int state = emulation_state.load(std::memory_order_relaxed);
    return state < 0 ? emulation() != Emulation::off : state > 0;
  }
}

}  // namespace detail
}  // namespace kolam
