// SPDX-License-Identifier: Apache-2.0
// The points of a grid next to its sides: which of them kernels compute with the inner points, and
// numbers for the others.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <kolam/kernels/stencil/boundary.hpp>
#include <type_traits>

namespace kolam::detail {

// Returns the points that have all neighbours in a grid of `own` points.
template <int N>
Box<N> inside_of(const PerDimension<index_t, N>& own) {
  Box<N> inside{};
  for (std::size_t d = 0; d < N; ++d) {
    inside[d].begin = Kokkos::min(index_t{1}, own[d]);
    inside[d].end = Kokkos::max(own[d] - 1, inside[d].begin);
  }
  return inside;
}

// Numbers the points of a grid that lie next to its sides.
template <int N>
struct RimPoints {
  Kokkos::Array<Box<N>, 2 * N> parts;  // layers at sides, some may be empty
  Kokkos::Array<index_t, 2 * N> ends;  // number of points up to the end of each part

  explicit RimPoints(const PerDimension<index_t, N>& own) : RimPoints(own, inside_of<N>(own)) {}
  // The points outside the box `inside`.
  RimPoints(const PerDimension<index_t, N>& own, const Box<N>& inside) {
    Box<N> left{};
    for (std::size_t d = 0; d < N; ++d) left[d].end = own[d];
    index_t points = 0;
    for (std::size_t part = 0; part < 2 * N; ++part) {
      const std::size_t d = N - 1 - part / 2;
      parts[part] = left;
      parts[part][d] = part % 2 == 0 ? Range{0, inside[d].begin} : Range{inside[d].end, own[d]};
      if (part % 2 == 1) left[d] = inside[d];
      if (!parts[part].empty()) points += size(parts[part]);
      ends[part] = points;
    }
  }
  index_t count() const { return ends[2 * N - 1]; }
  KOKKOS_FUNCTION PerDimension<index_t, N> point(index_t number) const {
    std::size_t part = 0;
    while (number >= ends[part]) ++part;
    if (part > 0) number -= ends[part - 1];
    // (64-bit divisions take several times as long.)
    return ends[2 * N - 1] >> 32 == 0 ? point_of(part, static_cast<std::uint32_t>(number))
                                      : point_of(part, number);
  }

 private:
  template <class Number>
  KOKKOS_FUNCTION PerDimension<index_t, N> point_of(std::size_t part, Number number) const {
    PerDimension<index_t, N> at{};
    for (std::size_t d = 0; d < N; ++d) {
      const Range& along = parts[part][d];
      const auto extent = static_cast<Number>(along.end - along.begin);
      const Number quotient = number / extent;
      at[d] = along.begin + static_cast<index_t>(number - quotient * extent);
      number = quotient;
    }
    return at;
  }
};

// Sides beyond which the values are those of own points, or zero. Kernels on devices compute the
// points at such sides together with the inner ones. In 3D these are only the sides in x: their
// points lie in the cache lines of inner points, and a kernel for them alone would add a tenth to
// the time. The others are faster in a kernel of their own.
template <int N>
struct FoldedSides {
  static constexpr std::size_t dimensions = N == 2 ? 2 : 1;
  // [dimension][end]: the distance, in values, from the point at the side to the point whose value
  // lies beyond it.
  PerDimension<PerDimension<index_t, 2>, dimensions> across{};
  PerDimension<PerDimension<bool, 2>, dimensions> zero{};
  Box<N> inside{};  // the points without those at other sides

  FoldedSides(const PerDimension<index_t, N>& own, const Boundaries<N>& boundaries)
      : inside(inside_of<N>(own)) {
    const GridSides<N, NoBoundaryFunctor> sides{own, {}, {}, boundaries, {}};
    index_t stride = 1;
    for (std::size_t d = 0; d < dimensions; stride *= own[d], ++d) {
      bool folds[2];
      for (std::size_t end = 0; end < 2; ++end) {
        PerDimension<index_t, N> at{};
        at[d] = end == 0 ? -1 : own[d];
        zero[d][end] = sides.fold(at, d) == Boundary::dirichlet;
        const bool is_own = at[d] >= 0 && at[d] < own[d];
        if (is_own) across[d][end] = (at[d] - (end == 0 ? 0 : own[d] - 1)) * stride;
        folds[end] = is_own || zero[d][end];
      }
      const index_t begin = folds[0] ? 0 : inside[d].begin;
      inside[d] = {begin, Kokkos::max(begin, folds[1] ? own[d] : own[d] - 1)};
    }
  }
};

// The neighbours of a point that may lie at folded sides.
template <class X, int N>
struct FoldedNeighbours {
  using T = std::decay_t<decltype(X()[0])>;
  static constexpr std::size_t dimensions = FoldedSides<N>::dimensions;
  X center;
  PerDimension<PerDimension<index_t, 2>, dimensions> step;
  PerDimension<PerDimension<bool, 2>, dimensions> zero;
  index_t row, plane;

  KOKKOS_FORCEINLINE_FUNCTION FoldedNeighbours(const X& at, const FoldedSides<N>& sides,
                                               const PerDimension<index_t, N>& own,
                                               const PerDimension<index_t, N>& point)
      : center(at), row(own[0]), plane(own[0] * own[1]) {
    index_t stride = 1;
    for (std::size_t d = 0; d < dimensions; stride *= own[d], ++d) {
      const bool first = point[d] == 0;
      const bool last = point[d] + 1 == own[d];
      step[d] = {first ? sides.across[d][0] : -stride, last ? sides.across[d][1] : stride};
      zero[d] = {first && sides.zero[d][0], last && sides.zero[d][1]};
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const {
    index_t offset = dz * plane;
    bool is_zero = false;
    if (dx != 0) {
      offset += step[0][dx > 0];
      is_zero = zero[0][dx > 0];
    }
    if constexpr (dimensions == 2) {
      if (dy != 0) {
        offset += step[1][dy > 0];
        is_zero = is_zero || zero[1][dy > 0];
      }
    } else {
      offset += dy * row;
    }
    return is_zero ? T(0) : center[offset];
  }
};

}  // namespace kolam::detail
