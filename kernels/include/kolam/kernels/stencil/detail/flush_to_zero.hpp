// SPDX-License-Identifier: Apache-2.0
// The processor mode that replaces subnormal numbers by zeros.
#pragma once

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace kolam::detail {

#ifdef __SSE2__
// Whether FlushToZero does bitwise what without_subnormals does: zeros have the result's sign, the
// decision comes after rounding, and operands are unchanged. (64-bit ARM decides before rounding
// and takes subnormal operands as zeros too.)
inline constexpr bool flushes_to_zero = true;

// While an object exists, results of this thread that are below the smallest normal number are
// zeros.
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
