// SPDX-License-Identifier: Apache-2.0
// A stencil as a matrix: y = A x, where each row has the weights of a point's neighbours.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/stencil/boundary.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <type_traits>

namespace kolam {
namespace detail {

template <class S>
constexpr bool reads_coefficient_neighbours() {
  if constexpr (requires { S::coefficient_neighbours; }) return S::coefficient_neighbours;
  return false;
}

template <class S, class T>
using AnyNeighbourhood = Neighbourhood<T, S::dimensions, AnyNeighbour<T>>;

template <class S, class T, class K, std::size_t... Number>
constexpr bool is_row_of(std::index_sequence<Number...>) {
  return requires(const S& s, const AnyNeighbourhood<S, T>& u, const K& k) {
    { s(u, (static_cast<void>(Number), k)...) } -> std::convertible_to<T>;
  };
}

}  // namespace detail

/// Whether the stencil takes its coefficients as it takes u, with their neighbours.
template <class S>
inline constexpr bool stencil_coefficient_neighbours = detail::reads_coefficient_neighbours<S>();

/// A stencil (see stencil.hpp) that is linear in u, as the rows of a matrix over points of T. One
/// with `static constexpr bool coefficient_neighbours = true;` takes coefficients as it takes u:
/// \code
///   struct Conduction {  // kx at the face to the left of a point, ky at the one below
///     static constexpr int dimensions = 2;
///     static constexpr int coefficients = 2;
///     static constexpr bool coefficient_neighbours = true;
///     template <class U, class K>
///     KOKKOS_FUNCTION auto operator()(const U& u, const K& kx, const K& ky) const {
///       const auto c = u.center();
///       return c + kx.center() * (c - u.left()) + kx.right() * (c - u.right()) +
///              ky.center() * (c - u.below()) + ky.above() * (c - u.above());
///     }
///   };
/// \endcode
template <class S, class T>
concept LinearStencilOf =
    std::is_trivially_copyable_v<S> && (S::dimensions == 2 || S::dimensions == 3) &&
    detail::is_row_of<
        S, T,
        std::conditional_t<stencil_coefficient_neighbours<S>, detail::AnyNeighbourhood<S, T>, T>>(
        std::make_index_sequence<static_cast<std::size_t>(stencil_coefficients<S>)>{});

namespace detail {

// Neighbours at a place of memory.
template <class T>
struct PlainNeighbours {
  const T* center;
  index_t row, plane;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const {
    return center[dx + dy * row + dz * plane];
  }
};

// What kernels know of the matrix.
template <class S, class T, class F>
struct StencilMatrix {
  static constexpr int N = S::dimensions;
  static constexpr auto K = static_cast<std::size_t>(stencil_coefficients<S>);

  S stencil;
  GridSides<N, F> sides;
  FieldLayout<N> layout;                         // of coefficients and ghosts
  Kokkos::Array<const T*, K> coefficients = {};  // their first values
  const T* ghosts = nullptr;                     // likewise
  const T* zeros = nullptr;                      // on hosts, as many as a row has points

  KOKKOS_FORCEINLINE_FUNCTION index_t field_offset(const PerDimension<index_t, N>& at) const {
    index_t offset = layout.origin;
    for (std::size_t d = 0; d < N; ++d) offset += at[d] * layout.stride[d];
    return offset;
  }
  // The place in vectors.
  KOKKOS_FORCEINLINE_FUNCTION index_t row_of(const PerDimension<index_t, N>& at) const {
    if constexpr (N == 2) return at[0] + sides.own[0] * at[1];
    if constexpr (N == 3) return at[0] + sides.own[0] * (at[1] + sides.own[1] * at[2]);
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
      return with_neighbours(of_u, PlainNeighbours<T>{coefficients[C] + offset, layout.stride[1],
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

// Values of a vector, and of its neighbours' ghosts.
template <class Matrix, class T>
struct VectorValues {
  const Matrix& matrix;
  const T* x;
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
    if constexpr (N == 2) {
      return static_cast<T>(known(at[0], at[1]));
    } else {
      return static_cast<T>(known(at[0], at[1], at[2]));
    }
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
    PerDimension<index_t, N> at{};
    for (std::size_t d = 0; d < N; ++d) {
      const Range& along = parts[part][d];
      const index_t extent = along.end - along.begin;
      at[d] = along.begin + number % extent;
      number /= extent;
    }
    return at;
  }
};

template <bool Add, class T>
KOKKOS_FORCEINLINE_FUNCTION void put(T& y, T value) {
  if constexpr (Add) {
    y += value;
  } else {
    y = value;
  }
}

template <class Matrix, class T, bool Add>
struct ApplyInside {
  Matrix matrix;
  const T* x;
  T* y;
  template <class... Last>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t j, Last... k) const {
    const PerDimension<index_t, Matrix::N> point{i, j, k...};
    const index_t row = matrix.row_of(point);
    const auto& own = matrix.sides.own;
    put<Add>(y[row], matrix.at(point, PlainNeighbours<T>{x + row, own[0], own[0] * own[1]}));
  }
};

template <class Matrix, class T, bool Add>
struct ApplyAtRim {
  Matrix matrix;
  const T* x;
  T* y;
  RimPoints<Matrix::N> rim;
  KOKKOS_FUNCTION void operator()(index_t number) const {
    const auto point = rim.point(number);
    const VectorValues<Matrix, T> values{matrix, x};
    put<Add>(y[matrix.row_of(point)],
             matrix.at(point,
                       NeighboursAtSides<Matrix, VectorValues<Matrix, T>>{matrix, values, point}));
  }
};

template <class Matrix, class T>
struct SetDiagonal {
  Matrix matrix;
  T* d;
  template <class... Last>
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, Last... k) const {
    const PerDimension<index_t, Matrix::N> point{i, j, k...};
    const UnitValues<T, Matrix::N> values{point};
    d[matrix.row_of(point)] = matrix.at(
        point, NeighboursAtSides<Matrix, UnitValues<T, Matrix::N>>{matrix, values, point});
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
    using Values = LiftValues<T, Matrix::N, G>;
    const Values values{known};
    b[matrix.row_of(point)] -=
        matrix.at(point, NeighboursAtSides<Matrix, Values>{matrix, values, point});
  }
};

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
  using Sides = decltype(Matrix::sides);

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
        const auto is = matrix.sides.find_row(at);
        if (is == Sides::RowIs::of_functor) return false;
        const int z = u.rows.plane(dz);
        const T*& start = u.rows.start[z][dy + 1];
        start = is == Sides::RowIs::own      ? x + matrix.row_of(at)
                : is == Sides::RowIs::ghosts ? matrix.ghosts + matrix.field_offset(at)
                                             : matrix.zeros;
        if (which == StencilRows::inside) continue;  // (Ghosts are under way.)
        const bool zero = is == Sides::RowIs::zero;
        u.before[z][dy + 1] = zero ? T(0) : beyond(at, start, 0);
        u.after[z][dy + 1] = zero ? T(0) : beyond(at, start, 1);
      }
    }
    return true;
  }
  // The value beyond an end of a row that starts there; 0 where a functor gives it.
  T beyond(Row at, const T* start, std::size_t end) const {
    const index_t points = matrix.sides.own[0];
    at[0] = end == 0 ? -1 : points;
    switch (matrix.sides.boundaries[0][end]) {
      case Boundary::dirichlet:
      case Boundary::functor:
        return 0;
      case Boundary::no_flux:
        at = matrix.sides.inside(at, 0, end, 0);
        break;
      case Boundary::mirror:
        at = matrix.sides.inside(at, 0, end, 1);
        break;
      case Boundary::periodic:
        at = matrix.sides.inside(at, 0, end, points - 1);
        break;
      case Boundary::neighbour:
        break;
    }
    return at[0] >= 0 && at[0] < points ? start[at[0]] : matrix.ghosts[matrix.field_offset(at)];
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
    using Values = VectorValues<Matrix, T>;
    const Values values{matrix, x};
    put<Add>(
        y[matrix.row_of(row) + i],
        matrix.at(point(row, i), NeighboursAtSides<Matrix, Values>{matrix, values, point(row, i)}));
  }

  static Row point(Row row, index_t i) {
    row[0] = i;
    return row;
  }
};

// y = A x, or y += A x, in some rows.
template <bool Add, class Exec, class Matrix, class T>
void apply_stencil(const Exec& exec, const Matrix& matrix, const T* x, T* y, StencilRows which) {
  constexpr int N = Matrix::N;
  if constexpr (has_block_threads<Exec>) {
    if (which != StencilRows::rim) {
      Box<N> inside{};
      for (std::size_t d = 0; d < N; ++d) inside[d] = {1, matrix.sides.own[d] - 1};
      for_each(exec, "kolam::stencil: y = A x", inside, ApplyInside<Matrix, T, Add>{matrix, x, y});
    }
    if (which != StencilRows::inside) {
      const RimPoints<N> rim(matrix.sides.own);
      forall(exec, "kolam::stencil: y = A x at sides", rim.count(),
             ApplyAtRim<Matrix, T, Add>{matrix, x, y, rim});
    }
  } else {
    using Apply = HostApply<Matrix, T, Add>;
    const BoxRows<N> rows(matrix.layout.all());
    const index_t parts = std::min<index_t>(rows.points(), exec.concurrency());
    Kokkos::parallel_for("kolam::stencil: y = A x", FlatPolicy<Exec, Apply>(exec, 0, parts),
                         Apply{{rows, parts}, matrix, x, y, which});
  }
}

}  // namespace detail
}  // namespace kolam
