// SPDX-License-Identifier: Apache-2.0
// The matrix of a stencil in kernels, its diagonal, and the lift of Dirichlet values at sides.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/kernels/stencil/boundary.hpp>
#include <kolam/kernels/stencil/detail/rim.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <utility>

namespace kolam::detail {

// Returns g(i, j) or g(i, j, k), with `first` as the first arguments.
template <class T, std::size_t N, class G, class... First>
KOKKOS_FORCEINLINE_FUNCTION T value_at(const G& g, const Kokkos::Array<index_t, N>& at,
                                       First... first) {
  if constexpr (N == 2) {
    return static_cast<T>(g(first..., at[0], at[1]));
  } else {
    return static_cast<T>(g(first..., at[0], at[1], at[2]));
  }
}

// The values z + beta p, in place of a pointer to values.
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

// The neighbours around a position in values, which are const T* or Combination<T>.
template <class X>
struct PlainNeighbours {
  X center;
  index_t row, plane;
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int dx, int dy, int dz) const {
    return center[dx + dy * row + dz * plane];
  }
};

// Return the offset of a point in fields with ghosts, and in vectors.
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

// The matrix of a stencil in kernels. Its rows are those of the first field's points, then those of
// the next field's.
template <class S, class T, class F>
struct StencilMatrix {
  using value_type = T;
  static constexpr int N = S::dimensions;
  static constexpr auto K = static_cast<std::size_t>(stencil_coefficients<S>);
  static constexpr auto fields = static_cast<std::size_t>(stencil_fields<S>);
  using Fields = std::make_index_sequence<fields>;

  S stencil;
  GridSides<N, F> sides;
  FieldLayout<N> layout;                         // of coefficients and ghosts
  Kokkos::Array<const T*, K> coefficients = {};  // pointers to their first values
  const T* ghosts = nullptr;                     // likewise, one field after the other
  const T* zeros = nullptr;  // on hosts, for a row and the points beyond its ends

  KOKKOS_FORCEINLINE_FUNCTION index_t field_offset(const PerDimension<index_t, N>& at) const {
    return field_place<N>(layout, at);
  }
  // Returns the offset of a field's first point in vectors.
  KOKKOS_FORCEINLINE_FUNCTION index_t first_row(std::size_t field) const {
    index_t points = sides.own[0] * sides.own[1];
    if constexpr (N == 3) points *= sides.own[2];
    return static_cast<index_t>(field) * points;
  }
  // Returns the offset of a point in vectors, for the first field.
  KOKKOS_FORCEINLINE_FUNCTION index_t row_of(const PerDimension<index_t, N>& at) const {
    return vector_place<N>(sides.own, at);
  }

  // Returns the stencil's result at an own point with the neighbours u, one for each field.
  template <class... U>
  KOKKOS_FORCEINLINE_FUNCTION auto at(const PerDimension<index_t, N>& point, const U&... u) const {
    return with_coefficients(field_offset(point), std::make_index_sequence<K>{}, u...);
  }

 private:
  template <std::size_t... C, class... U>
  KOKKOS_FORCEINLINE_FUNCTION auto with_coefficients([[maybe_unused]] index_t offset,
                                                     std::index_sequence<C...>,
                                                     const U&... u) const {
    using Plain = PlainNeighbours<const T*>;
    constexpr bool corners = stencil_corners<S>;
    if constexpr (stencil_coefficient_neighbours<S>) {
      return values_of(
          stencil(Neighbourhood<T, N, U, corners>(u)...,
                  Neighbourhood<T, N, Plain, corners>(
                      Plain{coefficients[C] + offset, layout.stride[1], layout.stride[N - 1]})...));
    } else {
      return values_of(stencil(Neighbourhood<T, N, U, corners>(u)..., coefficients[C][offset]...));
    }
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static auto values_of(const V& values) {
    if constexpr (fields == 1) {
      return static_cast<T>(value_of_field<0>(values));
    } else {
      return values;
    }
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

// Returns the rows of the matrix times `values`, one for each field, at a point that may lie at
// sides.
template <class Matrix, class... Values>
KOKKOS_FUNCTION auto product_at(const Matrix& matrix, const PerDimension<index_t, Matrix::N>& point,
                                const Values&... values) {
  return matrix.at(point, NeighboursAtSides<Matrix, Values>{matrix, values, point}...);
}

// The values of one field: those of a vector, and the ghosts of its neighbours.
template <class Matrix, class T, class X>
struct VectorValues {
  const Matrix& matrix;
  X x;
  const T* ghosts;
  int field;
  KOKKOS_FORCEINLINE_FUNCTION T own(const PerDimension<index_t, Matrix::N>& at) const {
    return x[matrix.row_of(at)];
  }
  KOKKOS_FORCEINLINE_FUNCTION T ghost(const PerDimension<index_t, Matrix::N>& at) const {
    return ghosts[matrix.field_offset(at)];
  }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet(const PerDimension<index_t, Matrix::N>&) const {
    return 0;
  }
};
template <class Matrix, class X>
KOKKOS_FORCEINLINE_FUNCTION auto vector_values(const Matrix& matrix, const X& x,
                                               std::size_t field) {
  const auto* ghosts = matrix.ghosts;
  if (ghosts != nullptr) ghosts += static_cast<index_t>(field) * matrix.layout.size;
  return VectorValues<Matrix, typename Matrix::value_type, X>{matrix, x + matrix.first_row(field),
                                                              ghosts, static_cast<int>(field)};
}

// Values that are 1 at one point of one field and 0 elsewhere.
template <class T, int N>
struct UnitValues {
  PerDimension<index_t, N> one;
  bool is_its_field;
  int field;
  KOKKOS_FORCEINLINE_FUNCTION T own(const PerDimension<index_t, N>& at) const {
    bool same = is_its_field;
    for (std::size_t d = 0; d < N; ++d) same = same && at[d] == one[d];
    return same ? T(1) : T(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION T ghost(const PerDimension<index_t, N>&) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet(const PerDimension<index_t, N>&) const { return 0; }
};

// Values that are 0 in the grid and given beyond Dirichlet sides: known(i, j[, k]), or
// known(field, i, j[, k]) with several fields.
template <class T, int N, bool Several, class G>
struct LiftValues {
  G known;
  int field;
  KOKKOS_FORCEINLINE_FUNCTION T own(const PerDimension<index_t, N>&) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION T ghost(const PerDimension<index_t, N>&) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet(const PerDimension<index_t, N>& at) const {
    if constexpr (Several) return value_at<T>(known, at, field);
    return value_at<T>(known, at);
  }
};

// The use of the values v of A x. set: y = v; add: y += v; set_and_dot: y = v, and x v is added to
// a sum; direction: likewise, and p = x, where x is z + beta (the old p).
enum class StencilProduct { set, add, set_and_dot, direction };

// The destination of a product.
template <StencilProduct Product, class T>
struct ProductTarget {
  static constexpr bool adds_dot =
      Product == StencilProduct::set_and_dot || Product == StencilProduct::direction;
  T* y;
  T* p;
  // Stores the value; returns its contribution to the sum.
  KOKKOS_FORCEINLINE_FUNCTION double put(index_t row, [[maybe_unused]] T x, T value) const {
    if constexpr (Product == StencilProduct::add) {
      y[row] += value;
    } else {
      y[row] = value;
    }
    if constexpr (Product == StencilProduct::direction) p[row] = x;
    return adds_dot ? static_cast<double>(x) * value : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION ProductTarget operator+(index_t n) const {
    if constexpr (Product == StencilProduct::direction) return {y + n, p + n};
    return {y + n, nullptr};
  }
};

// y = of_x x + of_product v + the sum of of_others[i] others[i].
template <class T, std::size_t Others>
struct StageTarget {
  static constexpr bool adds_dot = false;
  T* y;
  T of_x, of_product;
  Kokkos::Array<T, Others> of_others;
  Kokkos::Array<const T*, Others> others;
  KOKKOS_FORCEINLINE_FUNCTION double put(index_t row, T x, T value) const {
    y[row] = with_others(of_x * x + of_product * value, row, std::make_index_sequence<Others>{});
    return 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION StageTarget operator+(index_t n) const {
    StageTarget moved = *this;
    moved.y += n;
    for (std::size_t i = 0; i < Others; ++i) moved.others[i] += n;
    return moved;
  }

 private:
  template <std::size_t... I>
  KOKKOS_FORCEINLINE_FUNCTION T with_others(T sum, [[maybe_unused]] index_t row,
                                            std::index_sequence<I...>) const {
    return (sum + ... + (of_others[I] * others[I][row]));
  }
};

// y = of_x x + of_y y + of_r inverse (b - v); y is not read if of_y is 0.
template <class T>
struct RelaxTarget {
  static constexpr bool adds_dot = false;
  T* y;
  const T* b;
  const T* inverse;
  T of_x, of_y, of_r;
  KOKKOS_FORCEINLINE_FUNCTION double put(index_t row, T x, T value) const {
    const T before = of_y != T(0) ? y[row] : T(0);
    y[row] = of_x * x + of_y * before + of_r * inverse[row] * (b[row] - value);
    return 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION RelaxTarget operator+(index_t n) const {
    return {y + n, b + n, inverse + n, of_x, of_y, of_r};
  }
};

// Puts the values of all fields into the target. x and the target start in the first field; `row`
// is an offset in both.
template <class Matrix, class Target, class X, class V, std::size_t... Field>
KOKKOS_FORCEINLINE_FUNCTION double put_fields(const Matrix& matrix, const Target& target,
                                              const X& x, index_t row, const V& values,
                                              std::index_sequence<Field...>) {
  using T = typename Matrix::value_type;
  return (target.put(matrix.first_row(Field) + row, x[matrix.first_row(Field) + row],
                     static_cast<T>(value_of_field<Field>(values))) +
          ...);
}

// Puts the product at a point that may lie at sides into the target.
template <class Matrix, class Target, class X, std::size_t... Field>
KOKKOS_FUNCTION double put_at(const Matrix& matrix, const Target& target, const X& x,
                              const PerDimension<index_t, Matrix::N>& point,
                              std::index_sequence<Field...> fields) {
  return put_fields(matrix, target, x, matrix.row_of(point),
                    product_at(matrix, point, vector_values(matrix, x, Field)...), fields);
}

template <class Matrix, class T>
struct SetDiagonal {
  Matrix matrix;
  T* d;
  template <class... Last>
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, Last... k) const {
    set({i, j, k...}, typename Matrix::Fields{});
  }

 private:
  using Point = PerDimension<index_t, Matrix::N>;
  template <std::size_t... Field>
  KOKKOS_FUNCTION void set(const Point& point, std::index_sequence<Field...> fields) const {
    ((d[matrix.first_row(Field) + matrix.row_of(point)] = value<Field>(point, fields)), ...);
  }
  template <std::size_t Its, std::size_t... Field>
  KOKKOS_FUNCTION T value(const Point& point, std::index_sequence<Field...>) const {
    return static_cast<T>(value_of_field<Its>(product_at(
        matrix, point, UnitValues<T, Matrix::N>{point, Field == Its, static_cast<int>(Field)}...)));
  }
};

template <class Matrix, class T, class G>
struct SubtractLift {
  Matrix matrix;
  G known;
  T* b;
  RimPoints<Matrix::N> rim;
  KOKKOS_FUNCTION void operator()(index_t number) const {
    subtract(rim.point(number), typename Matrix::Fields{});
  }

 private:
  template <std::size_t... Field>
  KOKKOS_FUNCTION void subtract(const PerDimension<index_t, Matrix::N>& point,
                                std::index_sequence<Field...>) const {
    const auto lift = product_at(
        matrix, point,
        LiftValues<T, Matrix::N, (sizeof...(Field) > 1), G>{known, static_cast<int>(Field)}...);
    ((b[matrix.first_row(Field) + matrix.row_of(point)] -=
      static_cast<T>(value_of_field<Field>(lift))),
     ...);
  }
};

}  // namespace kolam::detail
