// SPDX-License-Identifier: Apache-2.0
// Arrays with two sides, even if host and device share one memory.
#pragma once

#include <kolam/memory/emulation.hpp>

namespace kolam::testing {

/// While it exists, arrays have two sides in every build: a device is emulated if there is none.
class TwoSides {
 public:
  TwoSides() : before_(emulation()) {
    if (one_memory && before_ == Emulation::off) emulate(Emulation::on);
  }
  ~TwoSides() { emulate(before_); }
  TwoSides(const TwoSides&) = delete;
  TwoSides& operator=(const TwoSides&) = delete;
  TwoSides(TwoSides&&) = delete;
  TwoSides& operator=(TwoSides&&) = delete;

 private:
  Emulation before_;
};

}  // namespace kolam::testing
