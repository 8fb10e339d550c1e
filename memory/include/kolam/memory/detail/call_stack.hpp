// SPDX-License-Identifier: Apache-2.0
// Who called whom, kept cheaply and made readable when somebody wants to see it.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace kolam::detail {

/// The innermost return addresses of a thread.
class CallStack {
 public:
  /// Of the caller; none where the system cannot tell.
  static CallStack here();
  /// From the instruction `address` on, which must be on the stack of this thread.
  static CallStack from(const void* address);

  /// One line a frame, "    #0 function (program+0x1234)", kolam's own frames left out. Functions
  /// of a program have names if it was linked with -rdynamic; else its addresses are for addr2line.
  std::string text() const;

 private:
  std::array<void*, 24> frames_{};
  std::size_t size_ = 0;
};

}  // namespace kolam::detail
