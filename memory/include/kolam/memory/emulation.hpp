// SPDX-License-Identifier: Apache-2.0
// A device side for builds without a device, to find there what would go wrong on one.
#pragma once

#include <atomic>
#include <kolam/memory/side.hpp>

namespace kolam {

/// What arrays of a host-only build do with their device side.
enum class Emulation {
  off,    ///< host and device are one memory: nothing is ever copied
  on,     ///< the device side is a buffer of its own: copies happen, are counted, cost time
  strict  ///< the same, and every access that no intent allows stops the program with a report
};

/// The choice for arrays made from now on. At first it is `strict` if the environment variable
/// KOLAM_STRICT is 1, `on` if KOLAM_EMULATE_DEVICE is 1, else `off`. In a build with a device
/// it is `off`. Throws InvalidArgument if one of these variables has another value than 0 or 1, or
/// asks for emulation in a build with a device.
Emulation emulation();
/// Throws InvalidArgument if anything but `off` is asked for in a build with a device, or `strict`
/// on a system without it (it needs Linux).
void emulate(Emulation);

/// While it lives, code of this thread outside of kernels may use Views of both sides under strict
/// emulation, and the system may write to what `write` gave. For libraries that work on a device's
/// memory from host code, such as an MPI that knows GPUs; in other modes it does nothing.
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

inline std::atomic<int> emulation_state{-1};  // -1: the environment was not asked yet

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
