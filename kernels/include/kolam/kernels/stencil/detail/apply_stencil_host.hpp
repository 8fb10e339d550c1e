// SPDX-License-Identifier: Apache-2.0
// Products of a stencil's matrix with vectors on hosts, row by row of the grid.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/stencil/detail/stencil_matrix.hpp>

namespace kolam::detail {

// Which rows of the matrix.
enum class StencilRows {
  all,
  inside,  // those of points that have all neighbours in x
  rim      // the others
};

// A row of points along x and the rows around it, each of which lies somewhere: the own points' values by dz + 1 (in
// the plane 0) and dy + 1; as neighbours of a point that is at no end of the row.
template <class T, int N>
struct RowNeighbours {
  static constexpr int planes = N == 3 ? 3 : 1;
  const T* start[planes][3];
  index_t i;
  static constexpr int plane(int dz) { return N == 3 ? dz + 1 : 0; }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const {
    return start[plane(dz)][dy + 1][i + dx];
  }
};

// The same with the values beyond the ends, for any point.
template <class T, int N>
struct EndNeighbours {
  RowNeighbours<T, N> rows;
  T before[RowNeighbours<T, N>::planes][3], after[RowNeighbours<T, N>::planes][3];
  index_t last;
  T operator()(int dx, int dy, int dz) const {
    const int z = rows.plane(dz);
    if (rows.i + dx < 0) return before[z][dy + 1];
    if (rows.i + dx > last) return after[z][dy + 1];
    return rows(dx, dy, dz);
  }
};

// What a thread of a host does: row by row. Only where a functor gives values does it look for each neighbour.
template <class Matrix, class T, bool Add>
struct HostApply {
  static constexpr int N = Matrix::N;
  HostBox<N> of;
  Matrix matrix;
  const T* x;
  T* y;
  StencilRows which;

  void operator()(index_t part) const {
    of.visit(part, [&](index_t first, index_t count, index_t j, index_t k) {
      PerDimension<index_t, N> row{};
      row[1] = j;
      if constexpr (N == 3) row[2] = k;
      along_row(first, first + count, row);
    });
  }

 private:
  using Row = PerDimension<index_t, N>;

  void along_row(index_t first, index_t end, const Row& row) const {
    bool inner = true;
    for (std::size_t d = 1; d < N; ++d)
      inner = inner && row[d] > 0 && row[d] < matrix.sides.own[d] - 1;
    if (which == StencilRows::inside && !inner) return;
    const index_t last = matrix.sides.own[0] - 1;
    EndNeighbours<T, N> u;
    u.last = last;
    if (!find(row, u)) {
      for (index_t i = first; i < end; ++i) with_functor(row, i);
      return;
    }
    if (which != StencilRows::inside) {
      if (first == 0) at_end(row, u, 0);
      if (end > last && last > 0) at_end(row, u, last);
    }
    if (which != StencilRows::rim || !inner)
      between(row, u.rows, std::max(first, index_t{1}), std::min(end, last));
  }

  // The rows around one; false where a functor gives their values.
  bool find(const Row& row, EndNeighbours<T, N>& u) const {
    for (int dz = N == 3 ? -1 : 0; dz <= (N == 3 ? 1 : 0); ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (!stencil_corners<decltype(matrix.stencil)> && dy * dz != 0) continue;
        auto at = row;
        at[1] += dy;
        if constexpr (N == 3) at[2] += dz;
        const T*& start = u.rows.start[u.rows.plane(dz)][dy + 1];
        T& before = u.before[u.rows.plane(dz)][dy + 1];
        T& after = u.after[u.rows.plane(dz)][dy + 1];
        bool is_own = true;
        start = nullptr;
        for (std::size_t d = N - 1; d > 0 && start == nullptr; --d) {
          if (is_within(at, d)) continue;
          const Boundary boundary = matrix.sides.fold(at, d);
          if (boundary == Boundary::functor) return false;
          if (boundary == Boundary::dirichlet) start = matrix.zeros;
          is_own = is_own && is_within(at, d);
        }
        if (start != nullptr) {
          before = after = 0;
          continue;
        }
        start = is_own ? x + matrix.row_of(at) : matrix.ghosts + matrix.field_offset(at);
        if (which == StencilRows::inside) continue;  // (Ghosts are under way.)
        before = beyond(at, start, -1);
        after = beyond(at, start, matrix.sides.own[0]);
      }
    }
    return true;
  }
  // The value at place i, beyond an end of the row that starts there; 0 where a functor gives it.
  T beyond(Row at, const T* start, index_t i) const {
    at[0] = i;
    const Boundary boundary = matrix.sides.fold(at, 0);
    if (boundary == Boundary::dirichlet || boundary == Boundary::functor) return 0;
    return is_within(at, 0) ? start[at[0]] : matrix.ghosts[matrix.field_offset(at)];
  }
  bool is_within(const Row& at, std::size_t d) const {
    return at[d] >= 0 && at[d] < matrix.sides.own[d];
  }

  void between(const Row& row, const RowNeighbours<T, N>& rows, index_t first, index_t end) const {
    const Matrix mine = matrix;  // (on this stack, where no store of the loop can change it)
    T* const result = y + mine.row_of(row);
    const auto one = [&](index_t i) {
      auto u = rows;
      u.i = i;
      put<Add>(result[i], mine.at(point(row, i), u));
    };
#ifdef __clang__  // (It would warn where a stencil is too much for it.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#pragma omp simd
    for (index_t i = first; i < end; ++i) one(i);
#ifdef __clang__
#pragma clang diagnostic pop
#endif
  }

  void at_end(const Row& row, EndNeighbours<T, N>& u, index_t i) const {
    const auto& boundaries = matrix.sides.boundaries[0];
    if ((i == 0 && boundaries[0] == Boundary::functor) ||
        (i == u.last && boundaries[1] == Boundary::functor)) {
      with_functor(row, i);
    } else {
      u.rows.i = i;
      put<Add>(y[matrix.row_of(row) + i], matrix.at(point(row, i), u));
    }
  }

  void with_functor(const Row& row, index_t i) const {
    put<Add>(y[matrix.row_of(row) + i],
             product_at(matrix, VectorValues<Matrix, T>{matrix, x}, point(row, i)));
  }

  static Row point(Row row, index_t i) {
    row[0] = i;
    return row;
  }
};

}  // namespace kolam::detail
