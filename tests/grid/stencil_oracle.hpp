// SPDX-License-Identifier: Apache-2.0
// Stencils, and their products as matrices: point by point on the host, with ghosts filled one
// dimension after the other.
#pragma once

#include <array>
#include <functional>
#include <kolam/core/index_box.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <vector>

namespace kolam::stencil_oracle {

/// A grid with one layer of ghosts; a plane has one layer in z and no ghosts there.
struct GhostedGrid {
  Extents<3> extents;
  std::vector<double> values;

  explicit GhostedGrid(const Extents<3>& points)
      : extents(points),
        values(static_cast<std::size_t>((points[0] + 2) * (points[1] + 2) * (points[2] + 2))) {}
  double& at(index_t i, index_t j, index_t k) {
    return values[static_cast<std::size_t>(
        i + 1 + (extents[0] + 2) * (j + 1 + (extents[1] + 2) * (k + 1)))];
  }
};

/// Values of a field beyond Dirichlet sides, by the point's index; 0 if empty.
using Known = std::function<double(int, index_t, index_t, index_t)>;

/// Different weights for all neighbours, corners included, and coefficients at all neighbours.
template <int N>
struct Everything {
  static constexpr int dimensions = N;
  static constexpr int coefficients = 2;
  static constexpr bool coefficient_neighbours = true;
  static constexpr bool corners = true;

  template <class U, class K>
  KOKKOS_FUNCTION double operator()(const U& u, const K& a, const K& b) const {
    double sum = 0;
    int number = 1;
    for (int z = N == 3 ? -1 : 0; z <= (N == 3 ? 1 : 0); ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          if constexpr (N == 2) sum += (number + a(x, y) - b(-y, x)) * u(x, y);
          if constexpr (N == 3) sum += (number + a(x, y, z) - b(-y, z, x)) * u(x, y, z);
          ++number;
        }
    return sum;
  }
};

/// Face neighbours only, and the coefficient at the point.
template <int N>
struct Faces {
  static constexpr int dimensions = N;
  static constexpr int coefficients = 1;
  template <class U>
  KOKKOS_FUNCTION typename U::value_type operator()(const U& u, typename U::value_type c) const {
    auto sum = (2 * N + c) * u.center() - u.left() - 2 * u.right() - 3 * u.below() - 4 * u.above();
    if constexpr (N == 3) sum -= 5 * u.back() + 6 * u.front();
    return sum;
  }
};

/// Three fields, each of which depends on all of them.
template <int N>
struct Coupled {
  static constexpr int dimensions = N;
  static constexpr int fields = 3;
  static constexpr int coefficients = 1;
  static constexpr bool coefficient_neighbours = true;
  static constexpr bool corners = true;

  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const U& v, const U& w, const K& a) const {
    using T = typename U::value_type;
    const auto corner = [](const auto& at) {
      if constexpr (N == 2) return at(-1, 1);
      if constexpr (N == 3) return at(-1, 0, 1);
    };
    T last = 2 * w.center() + a.right() * (u.below() + v.above()) - corner(w);
    if constexpr (N == 3) last += 3 * u.front() - v.back();
    return Kokkos::Array<T, 3>{{4 * u.center() - u.left() + 2 * v.right() - 3 * corner(w),
                                5 * a.center() * v.center() + corner(u) - a.left() * w.above(),
                                last}};
  }
};

/// Symmetric: u - div(k grad u), with k at the left, lower and back faces of points.
template <int N>
struct Conduction {
  static constexpr int dimensions = N;
  static constexpr int coefficients = N;
  static constexpr bool coefficient_neighbours = true;
  template <class U, class K, class... More>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& kx, const K& ky, const More&... kz) const {
    const auto c = u.center();
    auto sum = c + kx.center() * (c - u.left()) + kx.right() * (c - u.right()) +
               ky.center() * (c - u.below()) + ky.above() * (c - u.above());
    if constexpr (N == 3) {
      ((sum += kz.center() * (c - u.back()) + kz.front() * (c - u.front())), ...);
    }
    return sum;
  }
};

/// A number for each point; in a periodic dimension it is taken at the wrapped index.
struct Coefficient {
  int which;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    index_t sum = 3 * which;
    index_t weight = 1;
    ((sum += index * weight, weight = 2 * weight + 3), ...);
    return 1 + 0.25 * static_cast<double>(((sum % 7) + 7) % 7);
  }
};

struct BoundaryRule {
  template <class Point, class Inside>
  KOKKOS_FUNCTION double operator()(const Point& at, const Inside& inside) const {
    double place = 0;
    for (const index_t i : {at.index[0], at.index[1]}) place = 2 * place + static_cast<double>(i);
    return (1 + at.dimension + 0.5 * at.direction) * inside(0) -
           (2 + at.field + 0.125 * place) * inside(1);
  }
};

inline double beyond(int field, int dimension, int direction, const std::array<index_t, 3>& at,
                     double first, double second) {
  const double place = 2 * static_cast<double>(at[0]) + static_cast<double>(at[1]);
  return (1 + dimension + 0.5 * direction) * first - (2 + field + 0.125 * place) * second;
}

/// Fills all ghosts of a field, corners included.
template <int N>
void fill_ghosts(GhostedGrid& u, int field, const Boundaries<N>& boundaries, const Known& known) {
  for (int d = 0; d < N; ++d) {
    const auto n = u.extents[static_cast<std::size_t>(d)];
    const auto range = [&](int e) {
      const index_t more = e < d ? 1 : 0;  // ghosts of earlier dimensions, own points of later ones
      if (e >= N) return Range{0, 1};
      return Range{-more, u.extents[static_cast<std::size_t>(e)] + more};
    };
    std::array<index_t, 3> p{};
    const Range xs = d == 0 ? Range{0, 1} : range(0);
    const Range ys = d == 1 ? Range{0, 1} : range(1);
    const Range zs = d == 2 ? Range{0, 1} : range(2);
    for (p[2] = zs.begin; p[2] < zs.end; ++p[2])
      for (p[1] = ys.begin; p[1] < ys.end; ++p[1])
        for (p[0] = xs.begin; p[0] < xs.end; ++p[0])
          for (int end = 0; end < 2; ++end) {
            auto q = p;
            const auto dim = static_cast<std::size_t>(d);
            const auto value = [&](index_t inside) {
              q[dim] = end == 0 ? inside : n - 1 - inside;
              if (q[dim] < 0 || q[dim] >= n) q[dim] = 0;  // one point wide
              return u.at(q[0], q[1], q[2]);
            };
            double ghost = 0;
            auto at = p;
            at[dim] = end == 0 ? -1 : n;
            auto index = at;
            for (std::size_t e = 0; e < N; ++e)
              if (boundaries[e][0] == Boundary::periodic)
                index[e] = (index[e] + u.extents[e]) % u.extents[e];
            switch (boundaries[dim][static_cast<std::size_t>(end)]) {
              case Boundary::no_flux:
                ghost = value(0);
                break;
              case Boundary::mirror:
                ghost = value(1);
                break;
              case Boundary::periodic:
                ghost = value(n - 1);
                break;
              case Boundary::functor:
                ghost = beyond(field, d, 2 * end - 1, index, value(0), value(1));
                break;
              default:
                ghost = known ? known(field, index[0], index[1], index[2]) : 0;
            }
            u.at(at[0], at[1], at[2]) = ghost;
          }
  }
}

/// Returns the value of the tests' vector at a point of a field.
KOKKOS_INLINE_FUNCTION double value_at(int field, index_t i, index_t j, index_t k) {
  return static_cast<double>((i * 7 + j * 13 + k * 29 + field * 11) % 17) - 8;
}

template <int N>
Box<3> in_space_box(const Box<N>& box) {
  Box<3> result{{{0, 1}, {0, 1}, {0, 1}}};
  for (std::size_t d = 0; d < N; ++d) result[d] = box[d];
  return result;
}
template <int N>
Extents<3> in_space(const Extents<N>& extents) {
  Extents<3> result{1, 1, 1};
  for (std::size_t d = 0; d < N; ++d) result[d] = extents[d];
  return result;
}

/// Returns A u at all points of a grid, x fastest, one field after the other. u is value_at with
/// the boundaries' ghosts; if `known` is given, u is zero except beyond Dirichlet sides.
template <class S>
std::vector<double> expected(const S& stencil, const grid::Grid<S::dimensions>& grid,
                             const Known& known = {}) {
  constexpr int N = S::dimensions;
  const Extents<3> n = in_space<N>(grid.extents);
  constexpr auto fields = static_cast<std::size_t>(stencil_fields<S>);
  std::vector<GhostedGrid> u(fields, GhostedGrid(n));
  for (std::size_t f = 0; f < fields; ++f) {
    const int field = static_cast<int>(f);
    for (index_t k = 0; k < n[2] && !known; ++k)
      for (index_t j = 0; j < n[1]; ++j)
        for (index_t i = 0; i < n[0]; ++i) u[f].at(i, j, k) = value_at(field, i, j, k);
    fill_ghosts<N>(u[f], field, grid.boundaries, known);
  }
  std::array<std::vector<double>, fields> result;
  const auto wrapped = [&](index_t i, std::size_t d) {
    const bool periodic = d < N && grid.boundaries[d][0] == Boundary::periodic;
    return periodic ? (i + n[d]) % n[d] : i;
  };
  for (index_t k = 0; k < n[2]; ++k)
    for (index_t j = 0; j < n[1]; ++j)
      for (index_t i = 0; i < n[0]; ++i) {
        const auto of_field = [&](GhostedGrid& field) {
          return [&](int dx, int dy, int dz) { return field.at(i + dx, j + dy, k + dz); };
        };
        using AtField = std::decay_t<decltype(of_field(u[0]))>;
        const auto of = [&](int which) {
          return [&, which](int dx, int dy, int dz) {
            const Coefficient c{which};
            const index_t x = wrapped(i + dx, 0);
            const index_t y = wrapped(j + dy, 1);
            if constexpr (N == 2) return c(x, y);
            if constexpr (N == 3) return c(x, y, wrapped(k + dz, 2));
          };
        };
        const std::array all{of(0), of(1), of(2)};
        [&]<std::size_t... F, std::size_t... C>(std::index_sequence<F...>,
                                                std::index_sequence<C...>) {
          const std::array at{of_field(u[F])...};
          const auto values = [&] {
            if constexpr (stencil_coefficient_neighbours<S>) {
              using Of = std::decay_t<decltype(all[0])>;
              return stencil(Neighbourhood<double, N, AtField>(at[F])...,
                             Neighbourhood<double, N, Of>(all[C])...);
            } else {
              return stencil(Neighbourhood<double, N, AtField>(at[F])..., all[C](0, 0, 0)...);
            }
          }();
          (result[F].push_back(kolam::detail::value_of_field<F>(values)), ...);
        }(std::make_index_sequence<fields>{},
          std::make_index_sequence<static_cast<std::size_t>(stencil_coefficients<S>)>{});
      }
  std::vector<double> joined;
  for (const auto& field : result) joined.insert(joined.end(), field.begin(), field.end());
  return joined;
}

}  // namespace kolam::stencil_oracle
