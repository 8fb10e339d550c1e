// SPDX-License-Identifier: Apache-2.0
// What kernels know of a stencil's matrix, and what they do with it once: its diagonal, known values at sides.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <kolam/kernels/stencil/boundary.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <utility>

namespace kolam::detail {

// g(i, j) or g(i, j, k).
template <class T, std::size_t N, class G>
KOKKOS_FORCEINLINE_FUNCTION T value_at(const G& g, const Kokkos::Array<index_t, N>& at) {
  if constexpr (N == 2) {
    return static_cast<T>(g(at[0], at[1]));
  } else {
    return static_cast<T>(g(at[0], at[1], at[2]));
  }
}

// The values z + beta p, where others have a pointer to values.
template <class T>
struct Combination {
  const T* z;
  const T* p;
  T beta;
  KOKKOS_FORCEINLINE_FUNCTION T operator[](index_t i) const { return z[i] + beta * p[i]; }
  KOKKOS_FORCEINLINE_FUNCTION Combination operator+(index_t n) const {
    return {z + n, p + n, beta};
  }
};

// Neighbours at a place of values, const T* or Combination<T>.
template <class X>
struct PlainNeighbours {
  X center;
  index_t row, plane;
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int dx, int dy, int dz) const {
    return center[dx + dy * row + dz * plane];
  }
};

// The place of a point in fields with ghosts, and in vectors.
template <int N>
KOKKOS_FORCEINLINE_FUNCTION index_t field_place(const FieldLayout<N>& layout,
                                                const PerDimension<index_t, N>& at) {
  index_t place = layout.origin + at[0];  // (x has no gaps)
  for (std::size_t d = 1; d < N; ++d) place += at[d] * layout.stride[d];
  return place;
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION index_t vector_place(const PerDimension<index_t, N>& own,
                                                 const PerDimension<index_t, N>& at) {
  if constexpr (N == 2) return at[0] + own[0] * at[1];
  if constexpr (N == 3) return at[0] + own[0] * (at[1] + own[1] * at[2]);
}

// What kernels know of the matrix.
template <class S, class T, class F>
struct StencilMatrix {
  using value_type = T;
  static constexpr int N = S::dimensions;
  static constexpr auto K = static_cast<std::size_t>(stencil_coefficients<S>);

  S stencil;
  GridSides<N, F> sides;
  FieldLayout<N> layout;                         // of coefficients and ghosts
  Kokkos::Array<const T*, K> coefficients = {};  // their first values
  const T* ghosts = nullptr;                     // likewise
  const T* zeros = nullptr;  // on hosts, of a row and the points beyond its ends

  KOKKOS_FORCEINLINE_FUNCTION index_t field_offset(const PerDimension<index_t, N>& at) const {
    return field_place<N>(layout, at);
  }
  // The place in vectors.
  KOKKOS_FORCEINLINE_FUNCTION index_t row_of(const PerDimension<index_t, N>& at) const {
    return vector_place<N>(sides.own, at);
  }

  // The stencil at an own point, whose neighbours u has.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION T at(const PerDimension<index_t, N>& point, const U& u) const {
    return with_coefficients(u, field_offset(point), std::make_index_sequence<K>{});
  }

 private:
  template <class U, std::size_t... C>
  KOKKOS_FORCEINLINE_FUNCTION T with_coefficients(const U& u, [[maybe_unused]] index_t offset,
                                                  std::index_sequence<C...>) const {
    const Neighbourhood<T, N, U> of_u(u);
    if constexpr (stencil_coefficient_neighbours<S>) {
      return with_neighbours(of_u,
                             PlainNeighbours<const T*>{coefficients[C] + offset, layout.stride[1],
                                                       layout.stride[N - 1]}...);
    } else {
      return stencil(of_u, coefficients[C][offset]...);
    }
  }
  template <class U, class... At>
  KOKKOS_FORCEINLINE_FUNCTION T with_neighbours(const U& u, const At&... at) const {
    return stencil(u, Neighbourhood<T, N, At>(at)...);
  }
};

// The neighbours of an own point that may lie at sides.
template <class Matrix, class Values>
struct NeighboursAtSides {
  const Matrix& matrix;
  const Values& values;
  PerDimension<index_t, Matrix::N> point;
  KOKKOS_FUNCTION auto operator()(int dx, int dy, [[maybe_unused]] int dz) const {
    auto at = point;
    at[0] += dx;
    at[1] += dy;
    if constexpr (Matrix::N == 3) at[2] += dz;
    return matrix.sides.template value<Matrix::N>(at, values);
  }
};

// A row of the matrix times values, at a point that may lie at sides.
template <class Matrix, class Values>
KOKKOS_FUNCTION auto product_at(const Matrix& matrix, const Values& values,
                                const PerDimension<index_t, Matrix::N>& point) {
  return matrix.at(point, NeighboursAtSides<Matrix, Values>{matrix, values, point});
}

// Values of a vector, and of its neighbours' ghosts.
template <class Matrix, class T, class X>
struct VectorValues {
  const Matrix& matrix;
  X x;
  KOKKOS_FORCEINLINE_FUNCTION T own(const PerDimension<index_t, Matrix::N>& at) const {
    return x[matrix.row_of(at)];
  }
  KOKKOS_FORCEINLINE_FUNCTION T ghost(const PerDimension<index_t, Matrix::N>& at) const {
    return matrix.ghosts[matrix.field_offset(at)];
  }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet(const PerDimension<index_t, Matrix::N>&) const {
    return 0;
  }
};

// 1 at one point and 0 elsewhere.
template <class T, int N>
struct UnitValues {
  PerDimension<index_t, N> one;
  KOKKOS_FORCEINLINE_FUNCTION T own(const PerDimension<index_t, N>& at) const {
    bool same = true;
    for (std::size_t d = 0; d < N; ++d) same = same && at[d] == one[d];
    return same ? T(1) : T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION T ghost(const PerDimension<index_t, N>&) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet(const PerDimension<index_t, N>&) const { return 0; }
};

// 0 in the grid, known values beyond Dirichlet sides.
template <class T, int N, class G>
struct LiftValues {
  G known;
  KOKKOS_FORCEINLINE_FUNCTION T own(const PerDimension<index_t, N>&) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION T ghost(const PerDimension<index_t, N>&) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet(const PerDimension<index_t, N>& at) const {
    return value_at<T>(known, at);
  }
};

// The points of a box that lie next to its sides, numbered.
template <int N>
struct RimPoints {
  Kokkos::Array<Box<N>, 2 * N> parts;  // layers at sides, of which some may be empty
  Kokkos::Array<index_t, 2 * N> ends;  // how many points there are with those before

  explicit RimPoints(const PerDimension<index_t, N>& own) {
    Box<N> left{};
    for (std::size_t d = 0; d < N; ++d) left[d].end = own[d];
    index_t points = 0;
    for (std::size_t part = 0; part < 2 * N; ++part) {
      const std::size_t d = N - 1 - part / 2;
      Range& along = left[d];
      parts[part] = left;
      if (part % 2 == 0) {
        parts[part][d] = {along.begin, Kokkos::min(along.begin + 1, along.end)};
        ++along.begin;
      } else {
        parts[part][d] = {Kokkos::max(along.end - 1, along.begin), along.end};
        --along.end;
      }
      if (!parts[part].empty()) points += size(parts[part]);
      ends[part] = points;
    }
  }
  index_t count() const { return ends[2 * N - 1]; }
  KOKKOS_FUNCTION PerDimension<index_t, N> point(index_t number) const {
    std::size_t part = 0;
    while (number >= ends[part]) ++part;
    if (part > 0) number -= ends[part - 1];
    // (Divisions of 64 bits take several times as long.)
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

// What a product does with a value v of A x: y = v; y += v; y = v, and x v into a sum; or that and p = x, where x is
// z + beta (the p before).
enum class StencilProduct { set, add, set_and_dot, direction };
template <StencilProduct Product>
inline constexpr bool adds_dot =
    Product == StencilProduct::set_and_dot || Product == StencilProduct::direction;

// Where a product goes.
template <StencilProduct Product, class T>
struct ProductTarget {
  T* y;
  T* p;
  // Returns what it adds to the sum.
  KOKKOS_FORCEINLINE_FUNCTION double put(index_t row, [[maybe_unused]] T x, T value) const {
    if constexpr (Product == StencilProduct::add) {
      y[row] += value;
    } else {
      y[row] = value;
    }
    if constexpr (Product == StencilProduct::direction) p[row] = x;
    return adds_dot<Product> ? static_cast<double>(x) * value : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION ProductTarget operator+(index_t n) const {
    if constexpr (Product == StencilProduct::direction) return {y + n, p + n};
    return {y + n, nullptr};
  }
};

template <class Matrix, class T>
struct SetDiagonal {
  Matrix matrix;
  T* d;
  template <class... Last>
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, Last... k) const {
    const PerDimension<index_t, Matrix::N> point{i, j, k...};
    d[matrix.row_of(point)] = product_at(matrix, UnitValues<T, Matrix::N>{point}, point);
  }
};

template <class Matrix, class T, class G>
struct SubtractLift {
  Matrix matrix;
  G known;
  T* b;
  RimPoints<Matrix::N> rim;
  KOKKOS_FUNCTION void operator()(index_t number) const {
    const auto point = rim.point(number);
    b[matrix.row_of(point)] -= product_at(matrix, LiftValues<T, Matrix::N, G>{known}, point);
  }
};

}  // namespace kolam::detail
