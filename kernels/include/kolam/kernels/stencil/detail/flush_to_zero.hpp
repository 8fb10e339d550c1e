// SPDX-License-Identifier: Apache-2.0
// Zeros in place of subnormal numbers, by the processor itself.
#pragma once

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace kolam::detail {

#ifdef __SSE2__
// Whether FlushToZero does what without_subnormals does, to the bit: zeros of the result's sign,
// decided after rounding, and operands as they are. (64-bit ARM decides before rounding and takes
// operands as zeros too.)
inline constexpr bool flushes_to_zero = true;

// As long as one lives, results of this thread that are below the smallest normal number are zeros.
class FlushToZero {
 public:
  FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | _MM_FLUSH_ZERO_ON); }
  ~FlushToZero() { _mm_setcsr(before_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned before_;
};
#else
inline constexpr bool flushes_to_zero = false;

class FlushToZero {
 public:
  FlushToZero() {}   // NOLINT(modernize-use-equals-default): else its variables are unused
  ~FlushToZero() {}  // NOLINT(modernize-use-equals-default)
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;
};
#endif

}  // namespace kolam::detail
