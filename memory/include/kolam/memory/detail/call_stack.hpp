// SPDX-License-Identifier: Apache-2.0
// Call stacks, which are recorded cheaply and made readable on demand.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace kolam::detail {

/// The innermost return addresses of a thread.
class CallStack {
 public:
  /// Returns the stack of the caller; empty if it is not available.
  static CallStack here();
  /// Returns the stack from the frame of `address` on; all of it if no frame has this address.
  static CallStack from(const void* address);

  /// Returns one line per frame, "    #0 function (program+0x1234)", without kolam's own frames.
  /// Functions of a program have names if it was linked with -rdynamic; else use addr2line.
  std::string text() const;

 private:
  std::array<void*, 24> frames_{};
  std::size_t size_ = 0;
};

}  // namespace kolam::detail
