// SPDX-License-Identifier: Apache-2.0
// Ranges of indices, and boxes: a range in each dimension.
#pragma once

#include <array>
#include <cstddef>
#include <kolam/core/index.hpp>

namespace kolam {

/// Indices [begin, end).
struct Range {
  index_t begin;  ///< the first
  index_t end;    ///< one past the last; `begin`, if there are none
};

/// A range of indices in each of N dimensions, x first.
template <int N>
using Box = std::array<Range, static_cast<std::size_t>(N)>;

/// Points in each of N dimensions, x first.
template <int N>
using Extents = std::array<index_t, static_cast<std::size_t>(N)>;

/// Points in a box.
template <int N>
index_t size(const Box<N>& box) {
  index_t product = 1;
  for (const Range& range : box) product *= range.end - range.begin;
  return product;
}

}  // namespace kolam
