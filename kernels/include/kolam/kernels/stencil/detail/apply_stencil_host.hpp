// SPDX-License-Identifier: Apache-2.0
// Products of a stencil's matrix with vectors on hosts, row by row of the grid.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <kolam/core/detail/simd_loop.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/stencil/detail/stencil_matrix.hpp>
#include <type_traits>
#include <utility>

namespace kolam::detail {

// The rows of the matrix to apply.
enum class StencilRows {
  all,
  inside,  // rows of points that have all neighbours in x
  rim      // the others
};

// A row of points along x and the rows around it, each anywhere in memory: pointers to their own
// points' values, [dz + 1][dy + 1] (in 2D [0][dy + 1]).
template <class X, int N>
struct RowNeighbours {
  static constexpr int planes = N == 3 ? 3 : 1;
  X start[planes][3];
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int plane(int dz) { return N == 3 ? dz + 1 : 0; }
};

// The neighbours of a point that is not at an end of its row.
template <class X, int N>
struct AlongRow {
  const RowNeighbours<X, N>& rows;
  index_t i;
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int dx, int dy, int dz) const {
    return rows.start[rows.plane(dz)][dy + 1][i + dx];
  }
};

// The value beyond an end of a row.
struct BeyondEnd {
  enum { at_point, zero, by_functor } kind;
  index_t i;  // at_point: the point or ghost of the row that has the value
};

// The neighbours of any point of the row, with the values beyond its ends.
template <class X, int N>
struct EndNeighbours {
  using T = std::decay_t<decltype(X()[0])>;
  RowNeighbours<X, N> rows;
  X ghosts[RowNeighbours<X, N>::planes][3];  // starts of the rows in the neighbours' ghosts
  bool by_functor[RowNeighbours<X, N>::planes]
                 [3];  // rows beyond sides whose values a functor gives
  BeyondEnd beyond[2];
  T given[2][RowNeighbours<X, N>::planes][3];  // values of the functor beyond the ends
  index_t points;
  index_t i;
  KOKKOS_FUNCTION T operator()(int dx, int dy, int dz) const {
    index_t at = i + dx;
    if (at < 0 || at >= points) {
      const int side = at < 0 ? 0 : 1;
      const BeyondEnd& end = beyond[side];
      if (end.kind == BeyondEnd::zero) return T(0);
      if (end.kind == BeyondEnd::by_functor) return given[side][rows.plane(dz)][dy + 1];
      at = end.i;
    }
    const auto& start = at < 0 || at >= points ? ghosts : rows.start;
    return start[rows.plane(dz)][dy + 1][at];
  }
};

// The work of a thread on a host: row by row, with the points at the ends of a row last, when the
// values around them have arrived.
template <class Matrix, class X, class Target>
struct HostApply {
  static constexpr int N = Matrix::N;
  using T = typename Matrix::value_type;
  using Fields = typename Matrix::Fields;
  HostBox<N> of;
  Matrix matrix;
  X x;
  Target target;
  StencilRows which;
  double* sums;  // if there are sums, one for each part; those of the rim are added

  void operator()(index_t part) const {
    Around u{};
    for (auto& of_field : u.fields) {
      of_field.points = matrix.sides.own[0];
      of_field.beyond[0] = beyond(-1);
      of_field.beyond[1] = beyond(of_field.points);
    }
    double sum = 0;
    of.visit(part, [&](index_t first, index_t count, index_t j, index_t k) {
      PerDimension<index_t, N> row{};
      row[1] = j;
      if constexpr (N == 3) row[2] = k;
      sum += along_row(first, first + count, row, u);
    });
    if constexpr (Target::adds_dot) sums[part] = which == StencilRows::rim ? sums[part] + sum : sum;
  }

 private:
  using Row = PerDimension<index_t, N>;
  static constexpr bool has_functor =
      !std::is_same_v<decltype(std::declval<Matrix>().sides.functor), NoBoundaryFunctor>;
  struct Around {
    EndNeighbours<X, N> fields[Matrix::fields];
    // Returns f(neighbours of each field...).
    template <class F>
    double call(const F& f) const {
      return call(f, Fields{});
    }
    template <class F, std::size_t... Field>
    [[gnu::always_inline]] double call(const F& f, std::index_sequence<Field...>) const {
      return f(fields[Field]...);
    }
  };

  double along_row(index_t first, index_t end, const Row& row, Around& u) const {
    bool inner = true;
    for (std::size_t d = 1; d < N; ++d)
      inner = inner && row[d] > 0 && row[d] < matrix.sides.own[d] - 1;
    if (which == StencilRows::inside && !inner) return 0;
    bool beside_functor = false;
    for (std::size_t field = 0; field < Matrix::fields; ++field) {
      if (inner) {
        find_inside(row, field, u.fields[field]);
      } else {
        beside_functor = find_at_sides(row, field, u.fields[field]);
      }
    }
    double sum = 0;
    const index_t last = matrix.sides.own[0] - 1;
    const index_t from = std::max(first, index_t{1}), to = std::min(end, last);
    if (beside_functor) {
      if constexpr (has_functor) sum += in_chunks(row, from, to, u);
    } else if (which != StencilRows::rim || !inner) {
      sum += u.call([&](const auto&... field) { return between(row, from, to, field.rows...); });
    }
    if (which != StencilRows::inside) {
      if (first == 0) sum += at_end(row, u, 0, beside_functor);
      if (end > last && last > 0) sum += at_end(row, u, last, beside_functor);
    }
    return sum;
  }

  // Calls f(dy, dz) for each row that the stencil reads around a row.
  template <class F>
  static void for_rows_around(const F& f) {
    for (int dz = N == 3 ? -1 : 0; dz <= (N == 3 ? 1 : 0); ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        if (stencil_corners<decltype(matrix.stencil)> || dy * dz == 0) f(dy, dz);
  }

  // Finds the rows around a row that is inside in the other dimensions.
  void find_inside(const Row& row, std::size_t field, EndNeighbours<X, N>& u) const {
    const auto& own = matrix.sides.own;
    const auto& stride = matrix.layout.stride;
    const X start = x + (matrix.first_row(field) + matrix.row_of(row));
    const T* const ghosts = matrix.ghosts == nullptr ? nullptr : ghosts_at(row, field);
    for_rows_around([&](int dy, int dz) {
      const int z = u.rows.plane(dz);
      u.rows.start[z][dy + 1] = start + own[0] * (dy + own[1] * dz);
      if (ghosts != nullptr)
        u.ghosts[z][dy + 1] = values(ghosts + (dy * stride[1] + dz * stride[N - 1]));
    });
  }
  // Finds the rows around a row at sides; returns whether a functor gives some of their values.
  bool find_at_sides(const Row& row, std::size_t field, EndNeighbours<X, N>& u) const {
    bool some_by_functor = false;
    for_rows_around([&](int dy, int dz) {
      auto at = beside(row, dy, dz);
      bool& by_functor = u.by_functor[u.rows.plane(dz)][dy + 1];
      by_functor = false;
      bool is_own = true, is_zero = false;
      for (std::size_t d = N - 1; d > 0 && !is_zero; --d) {
        if (is_within(at, d)) continue;
        const Boundary boundary = matrix.sides.fold(at, d);
        if (has_functor && boundary == Boundary::functor) {
          by_functor = some_by_functor = true;
          return;
        }
        is_zero = boundary == Boundary::dirichlet;
        is_own = is_own && is_within(at, d);
      }
      X& start = u.rows.start[u.rows.plane(dz)][dy + 1];
      X& ghosts = u.ghosts[u.rows.plane(dz)][dy + 1];
      if (is_zero) {
        start = ghosts = values(matrix.zeros);
        return;
      }
      if (matrix.ghosts != nullptr) ghosts = values(ghosts_at(at, field));
      start = is_own ? x + (matrix.first_row(field) + matrix.row_of(at)) : ghosts;
    });
    return some_by_functor;
  }
  static Row beside(Row row, int dy, [[maybe_unused]] int dz) {
    row[1] += dy;
    if constexpr (N == 3) row[2] += dz;
    return row;
  }
  const T* ghosts_at(const Row& at, std::size_t field) const {
    return matrix.ghosts +
           (static_cast<index_t>(field) * matrix.layout.size + matrix.field_offset(at));
  }
  // Returns ghosts, or zeros, as X.
  X values(const T* plain) const {
    if constexpr (std::is_pointer_v<X>) {
      return plain;
    } else {
      return {plain, matrix.zeros, x.beta};
    }
  }
  BeyondEnd beyond(index_t i) const {
    Row at{};
    at[0] = i;
    const Boundary boundary = matrix.sides.fold(at, 0);
    if (boundary == Boundary::dirichlet) return {BeyondEnd::zero, 0};
    if (boundary == Boundary::functor) return {BeyondEnd::by_functor, 0};
    return {BeyondEnd::at_point, at[0]};
  }
  bool is_within(const Row& at, std::size_t d) const {
    return at[d] >= 0 && at[d] < matrix.sides.own[d];
  }

  // Updates the points between the ends of a row. `around` and `more`: the rows of each field,
  // passed by value, so that no store of the loop can change them.
  template <class First, class... More>
  [[gnu::always_inline]] double between(const Row& row, index_t first, index_t end, First around,
                                        More... more) const {
    const Matrix mine = matrix;
    const auto result = target + mine.row_of(row);
    const X center = around.start[First::plane(0)][1];
    const auto one = [&](index_t i) {
      return put_fields(
          mine, result, center, i,
          mine.at(point(row, i), AlongRow<X, N>{around, i}, AlongRow<X, N>{more, i}...), Fields{});
    };
    if constexpr (Target::adds_dot) return simd_sum(first, end, one);
    simd_loop(first, end, one);
    return 0;
  }

  // Updates the points from `first` to `end` of a row beside which a functor gives values: these go
  // to the stack first, for some points at a time.
  double in_chunks(const Row& row, index_t first, index_t end, Around& u) const {
    constexpr index_t chunk = 64;
    T given[Matrix::fields][RowNeighbours<X, N>::planes][3][chunk + 2];
    double sum = 0;
    for (index_t begin = first; begin < end; begin += chunk) {
      const index_t to = std::min(begin + chunk, end);
      for_rows_around([&](int dy, int dz) {
        for (std::size_t field = 0; field < Matrix::fields; ++field) {
          auto& rows = u.fields[field].rows;
          if (!u.fields[field].by_functor[rows.plane(dz)][dy + 1]) continue;
          T* const into = given[field][rows.plane(dz)][dy + 1];
          for (index_t i = begin - 1; i <= to; ++i)
            into[i - (begin - 1)] = value(beside(point(row, i), dy, dz), field);
          rows.start[rows.plane(dz)][dy + 1] = values(into - (begin - 1));
        }
      });
      sum += u.call([&](const auto&... field) { return between(row, begin, to, field.rows...); });
    }
    return sum;
  }

  double at_end(const Row& row, Around& u, index_t i, bool beside_functor) const {
    if constexpr (has_functor) {
      if (beside_functor) return put_at(matrix, target, x, point(row, i), Fields{});
      for (std::size_t field = 0; field < Matrix::fields; ++field)
        find_given(row, field, i, u.fields[field]);
    }
    for (auto& of_field : u.fields) of_field.i = i;
    return u.call([&](const auto&... field) {
      return put_fields(matrix, target, x, matrix.row_of(row) + i,
                        matrix.at(point(row, i), field...), Fields{});
    });
  }

  // Computes the values that a functor gives beyond the ends next to point i.
  void find_given(const Row& row, std::size_t field, index_t i, EndNeighbours<X, N>& u) const {
    for (int end = 0; end < 2; ++end) {
      const index_t beyond = end == 0 ? -1 : u.points;
      if (u.beyond[end].kind != BeyondEnd::by_functor || std::abs(beyond - i) > 1) continue;
      for_rows_around([&](int dy, int dz) {
        if (!stencil_corners<decltype(matrix.stencil)> && (dy != 0 || dz != 0)) return;
        u.given[end][u.rows.plane(dz)][dy + 1] = value(beside(point(row, beyond), dy, dz), field);
      });
    }
  }
  // Returns the value of a field at any point, also beyond sides.
  T value(const Row& at, std::size_t field) const {
    return matrix.sides.template value<N>(at, vector_values(matrix, x, field));
  }

  static Row point(Row row, index_t i) {
    row[0] = i;
    return row;
  }
};

}  // namespace kolam::detail
