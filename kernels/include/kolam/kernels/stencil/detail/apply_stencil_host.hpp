// SPDX-License-Identifier: Apache-2.0
// Products of a stencil's matrix with vectors on hosts, row by row of the grid.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/core/detail/simd_loop.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/stencil/detail/stencil_matrix.hpp>
#include <type_traits>

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

// The neighbours of a point that is at no end of its row.
template <class X, int N>
struct AlongRow {
  const RowNeighbours<X, N>& rows;
  index_t i;
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int dx, int dy, int dz) const {
    return rows.start[rows.plane(dz)][dy + 1][i + dx];
  }
};

// The value beyond an end of a row: that of point or ghost i of the row, or 0.
struct BeyondEnd {
  bool is_zero;
  index_t i;
};

// The neighbours of any point of the row, with the values beyond its ends.
template <class X, int N>
struct EndNeighbours {
  RowNeighbours<X, N> rows;
  X ghosts[RowNeighbours<X, N>::planes][3];  // starts of the rows in the neighbours' ghosts
  BeyondEnd beyond[2];
  index_t points;
  index_t i;
  KOKKOS_FUNCTION auto operator()(int dx, int dy, int dz) const {
    using T = std::decay_t<decltype(rows.start[0][0][0])>;
    index_t at = i + dx;
    if (at < 0 || at >= points) {
      const BeyondEnd& end = beyond[at < 0 ? 0 : 1];
      if (end.is_zero) return T(0);
      at = end.i;
    }
    const auto& start = at < 0 || at >= points ? ghosts : rows.start;
    return start[rows.plane(dz)][dy + 1][at];
  }
};

// The work of a thread on a host: row by row, with the points at the ends of a row last, when the
// values around them have arrived. It looks up each neighbour only if a functor gives values.
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
    Around u;
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
    double sum = 0;
    for (std::size_t field = 0; field < Matrix::fields; ++field) {
      if (inner) {
        find_inside(row, field, u.fields[field]);
      } else if (!find_at_sides(row, field, u.fields[field])) {
        for (index_t i = first; i < end; ++i) sum += with_functor(row, i);
        return sum;
      }
    }
    const index_t last = matrix.sides.own[0] - 1;
    if (which != StencilRows::rim || !inner)
      sum += u.call([&](const auto&... field) {
        return between(row, std::max(first, index_t{1}), std::min(end, last), field.rows...);
      });
    if (which != StencilRows::inside) {
      if (first == 0) sum += at_end(row, u, 0);
      if (end > last && last > 0) sum += at_end(row, u, last);
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
  // Finds the rows around a row at sides; returns false if a functor gives their values.
  bool find_at_sides(const Row& row, std::size_t field, EndNeighbours<X, N>& u) const {
    bool found = true;
    for_rows_around([&](int dy, int dz) {
      auto at = row;
      at[1] += dy;
      if constexpr (N == 3) at[2] += dz;
      bool is_own = true, is_zero = false;
      for (std::size_t d = N - 1; d > 0 && !is_zero; --d) {
        if (is_within(at, d)) continue;
        const Boundary boundary = matrix.sides.fold(at, d);
        found = found && boundary != Boundary::functor;
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
    return found;
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
  // Returns the value beyond an end. (If a functor gives the value, at_end handles it.)
  BeyondEnd beyond(index_t i) const {
    Row at{};
    at[0] = i;
    const Boundary boundary = matrix.sides.fold(at, 0);
    return {boundary == Boundary::dirichlet || boundary == Boundary::functor, at[0]};
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

  double at_end(const Row& row, Around& u, index_t i) const {
    const auto& boundaries = matrix.sides.boundaries[0];
    if ((i == 0 && boundaries[0] == Boundary::functor) ||
        (i == matrix.sides.own[0] - 1 && boundaries[1] == Boundary::functor)) {
      return with_functor(row, i);
    }
    for (auto& of_field : u.fields) of_field.i = i;
    return u.call([&](const auto&... field) {
      return put_fields(matrix, target, x, matrix.row_of(row) + i,
                        matrix.at(point(row, i), field...), Fields{});
    });
  }

  double with_functor(const Row& row, index_t i) const {
    return put_at(matrix, target, x, point(row, i), Fields{});
  }

  static Row point(Row row, index_t i) {
    row[0] = i;
    return row;
  }
};

}  // namespace kolam::detail
