// SPDX-License-Identifier: Apache-2.0
// Ranges of indices, and boxes: a range in each dimension.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/core/index.hpp>

namespace kolam {

/// Indices [begin, end).
struct Range {
  index_t begin;  ///< the first
  index_t end;    ///< one past the last; `begin`, if there are none

  /// Whether both ends are equal.
  friend bool operator==(const Range&, const Range&) = default;
};

namespace detail {

// Of n things cut into parts that follow each other and differ by one at most, larger ones first, those of a part.
constexpr Range share_of(index_t n, index_t parts, index_t part) {
  const auto begin = [=](index_t p) { return n / parts * p + std::min(p, n % parts); };
  return {begin(part), begin(part + 1)};
}

}  // namespace detail

/// A range of indices in each of N dimensions, x first, on host and device.
template <int N>
struct Box {
  Range ranges[static_cast<std::size_t>(N)];  ///< by dimension

  ///@{
  /// The range of a dimension, from 0; and all of them.
  KOKKOS_FUNCTION constexpr Range& operator[](std::size_t d) { return ranges[d]; }
  KOKKOS_FUNCTION constexpr const Range& operator[](std::size_t d) const { return ranges[d]; }
  KOKKOS_FUNCTION constexpr Range* begin() { return ranges; }
  KOKKOS_FUNCTION constexpr const Range* begin() const { return ranges; }
  KOKKOS_FUNCTION constexpr Range* end() { return ranges + N; }
  KOKKOS_FUNCTION constexpr const Range* end() const { return ranges + N; }
  ///@}
  /// Whether there are no points.
  constexpr bool empty() const {
    return std::any_of(begin(), end(), [](const Range& range) { return range.begin >= range.end; });
  }
  /// Whether all ranges are equal.
  friend bool operator==(const Box&, const Box&) = default;
};

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
