// SPDX-License-Identifier: Apache-2.0
// Operators, vectors, coefficients and boundaries for the tests of StencilOperator.
#pragma once

#include <array>
#include <kolam/grid/stencil_operator.hpp>
#include <vector>

#include "stencil_oracle.hpp"

namespace kolam::stencil_oracle {

/// Returns the operator with its coefficients set.
template <class T, class Exec, class S>
auto make(const Exec& exec, const S& stencil, const grid::Grid<S::dimensions>& grid) {
  auto a = grid::stencil_operator<T>(exec, stencil, grid, BoundaryRule{});
  for (int c = 0; c < stencil_coefficients<S>; ++c) a.set_coefficient(c, Coefficient{c});
  return a;
}

/// The coefficient at the nearest point of the grid.
template <int N>
struct NearestCoefficient {
  int which;
  PerDimension<index_t, N> extents;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    std::size_t d = 0;
    const auto nearest = [&](index_t i) {
      return Kokkos::max(index_t{0}, Kokkos::min(i, extents[d++] - 1));
    };
    const PerDimension<index_t, N> at{nearest(index)...};
    if constexpr (N == 2) return Coefficient{which}(at[0], at[1]);
    if constexpr (N == 3) return Coefficient{which}(at[0], at[1], at[2]);
  }
};

/// Sets values[row] = f(field, i, j, k) at the points of the operator's subdomain, with indices of
/// the whole grid.
template <class A, class Values, class F>
void fill_points(const A& a, const Values& values, const F& f) {
  const auto own = in_space_box<A::dimensions>(a.own());
  std::size_t row = 0;
  for (int field = 0; row < values.extent(0); ++field)
    for (index_t k = own[2].begin; k < own[2].end; ++k)
      for (index_t j = own[1].begin; j < own[1].end; ++j)
        for (index_t i = own[0].begin; i < own[0].end; ++i)
          values(row++) = static_cast<typename A::value_type>(f(field, i, j, k));
}

/// Returns the operator with coefficients given at points, as functors or as vectors.
template <class T, class Exec, class S>
auto make_nearest(const Exec& exec, const S& stencil, const grid::Grid<S::dimensions>& grid,
                  bool vectors) {
  constexpr int N = S::dimensions;
  auto a = grid::stencil_operator<T>(exec, stencil, grid, BoundaryRule{});
  for (int c = 0; c < stencil_coefficients<S>; ++c) {
    NearestCoefficient<N> g{c, {}};
    for (std::size_t d = 0; d < N; ++d) g.extents[d] = grid.extents[d];
    if (!vectors) {
      a.set_coefficient(c, g);
      continue;
    }
    Array<T> values("coefficient", a.points());
    fill_points(a, values.write(host), [&](int, index_t i, index_t j, [[maybe_unused]] index_t k) {
      if constexpr (N == 2) return g(i, j);
      if constexpr (N == 3) return g(i, j, k);
    });
    a.set_coefficient(c, values);
  }
  return a;
}

/// value_at as a functor on (i, j), (i, j, k), or these after the field.
template <int N>
struct ValueAt {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    constexpr std::size_t first = sizeof...(Index) - N;
    const Kokkos::Array<index_t, sizeof...(Index)> at{index...};
    return value_at(first == 0 ? 0 : static_cast<int>(at[0]), at[first], at[first + 1],
                    N == 2 ? 0 : at[first + N - 1]);
  }
};

/// Returns the vector of value_at at the points of the operator's subdomain.
template <class A>
auto test_vector(const A& a) {
  auto x = a.vector("x");
  a.set_values(x, ValueAt<A::dimensions>{});
  return x;
}

/// Returns vectors with z + beta before = x, exactly for a beta of few bits.
template <class A, class X>
auto test_direction(const A& a, const X& x, double beta) {
  struct {
    X z, before;
  } result{a.vector("z"), a.vector("before")};
  fill_points(a, result.before.write(host), [](int field, index_t i, index_t j, index_t k) {
    return 4 * (i % 5) - 2 * (j % 7) + 6 * k + 8 * field;
  });
  const auto sum = x.read(host);
  const auto before = result.before.read(host);
  const auto z = result.z.write(host);
  for (index_t row = 0; row < a.rows(); ++row)
    z(row) = static_cast<typename A::value_type>(sum(row) - beta * before(row));
  return result;
}

/// Returns the values of the operator's subdomain, out of those of the whole grid.
template <class A>
std::vector<double> part_of(const A& a, const std::vector<double>& all) {
  constexpr int N = A::dimensions;
  const Extents<3> n = in_space<N>(a.grid().extents);
  const auto own = in_space_box<N>(a.own());
  std::vector<double> result;
  for (int field = 0; field < A::fields; ++field)
    for (index_t k = own[2].begin; k < own[2].end; ++k)
      for (index_t j = own[1].begin; j < own[1].end; ++j)
        for (index_t i = own[0].begin; i < own[0].end; ++i)
          result.push_back(
              all[static_cast<std::size_t>(i + n[0] * (j + n[1] * (k + n[2] * field)))]);
  return result;
}

template <class Array>
std::vector<double> values_of(const Array& array) {
  const auto view = array.read(host);
  return {view.data(), view.data() + view.extent(0)};
}

/// Combines every boundary with every other one, also at the two ends of one dimension.
inline std::vector<Boundaries<2>> plane_boundaries() {
  using enum Boundary;
  using grid::all_sides;
  std::vector<Boundaries<2>> all;
  const std::array sides{dirichlet, no_flux, mirror, functor};
  for (const Boundary a : sides)
    for (const Boundary b : sides) {
      all.push_back({{{a, b}, {b, a}}});
      all.push_back({{{a, a}, {b, b}}});
    }
  for (const Boundary a : sides) {
    all.push_back({{{periodic, periodic}, {a, dirichlet}}});
    all.push_back({{{a, mirror}, {periodic, periodic}}});
  }
  all.push_back(all_sides<2>(periodic));
  return all;
}

inline std::vector<Boundaries<3>> space_boundaries() {
  using enum Boundary;
  using grid::all_sides;
  return {all_sides<3>(dirichlet),
          all_sides<3>(periodic),
          {{{no_flux, mirror}, {functor, dirichlet}, {periodic, periodic}}},
          {{{periodic, periodic}, {mirror, no_flux}, {functor, functor}}},
          {{{functor, mirror}, {periodic, periodic}, {no_flux, dirichlet}}}};
}

struct OnePlusIndex {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    double weight = 1;
    double sum = 1;
    ((sum += weight * static_cast<double>(index), weight *= 3), ...);
    return sum;
  }
};

struct One {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index...) const {
    return 1;
  }
};

}  // namespace kolam::stencil_oracle
