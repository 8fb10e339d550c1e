// SPDX-License-Identifier: Apache-2.0
// Host loops with independent iterations, which run in SIMD lanes.
#pragma once

#include <kolam/core/index.hpp>

namespace kolam::detail {

// (clang would warn if it cannot vectorise a body.)
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

// Calls body(i) for i in [begin, end).
template <class Body>
[[gnu::always_inline]] inline void simd_loop(index_t begin, index_t end, const Body& body) {
#pragma omp simd
  for (index_t i = begin; i < end; ++i) body(i);
}

// Returns the sum of body(i), with one partial sum per lane.
template <class Body>
[[gnu::always_inline]] inline double simd_sum(index_t begin, index_t end, const Body& body) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (index_t i = begin; i < end; ++i) sum += body(i);
  return sum;
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace kolam::detail
