// SPDX-License-Identifier: Apache-2.0
// Ranges of indices, and boxes: a range in each dimension.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/core/index.hpp>

namespace kolam {

/// A range of indices [begin, end).
struct Range {
  index_t begin;  ///< first index
  index_t end;    ///< one past the last index; `begin` or less if the range is empty

  /// Returns whether both ends are equal.
  friend bool operator==(const Range&, const Range&) = default;
};

namespace detail {

// Returns the range of `part` if n items are split into consecutive parts whose sizes differ by at
// most one, larger parts first.
constexpr Range share_of(index_t n, index_t parts, index_t part) {
  const auto begin = [=](index_t p) { return n / parts * p + std::min(p, n % parts); };
  return {begin(part), begin(part + 1)};
}

}  // namespace detail

/// A box of indices: a range in each of N dimensions, x first. Usable on host and device.
template <int N>
struct Box {
  Range ranges[static_cast<std::size_t>(N)];  ///< by dimension

  ///@{
  /// Returns the range of a dimension, from 0, or an iterator over all ranges.
  KOKKOS_FUNCTION constexpr Range& operator[](std::size_t d) { return ranges[d]; }
  KOKKOS_FUNCTION constexpr const Range& operator[](std::size_t d) const { return ranges[d]; }
  KOKKOS_FUNCTION constexpr Range* begin() { return ranges; }
  KOKKOS_FUNCTION constexpr const Range* begin() const { return ranges; }
  KOKKOS_FUNCTION constexpr Range* end() { return ranges + N; }
  KOKKOS_FUNCTION constexpr const Range* end() const { return ranges + N; }
  ///@}
  /// Returns whether the box has no points.
  constexpr bool empty() const {
    return std::any_of(begin(), end(), [](const Range& range) { return range.begin >= range.end; });
  }
  /// Returns whether all ranges are equal.
  friend bool operator==(const Box&, const Box&) = default;
};

/// The number of points in each of N dimensions, x first.
template <int N>
using Extents = std::array<index_t, static_cast<std::size_t>(N)>;

/// Returns the number of points in a box, 0 if it is empty.
template <int N>
index_t size(const Box<N>& box) {
  if (box.empty()) return 0;
  index_t product = 1;
  for (const Range& range : box) product *= range.end - range.begin;
  return product;
}

}  // namespace kolam
