// SPDX-License-Identifier: Apache-2.0
// Properties of levels of stencils on grids, tested in one process and in several.
#pragma once

#include <gtest/gtest.h>

#include <kolam/grid/multigrid.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <memory>
#include <string>

#include "operator_cases.hpp"

namespace kolam::multigrid_cases {

using grid::Grid;
using namespace stencil_oracle;
using enum Boundary;

template <class A>
Array<double> zeros(const A& a, index_t n) {
  return linear::zeros<double>(a.exec(), "test", n);
}

// The product over own points.
inline double dot(const Array<double>& x, const Array<double>& y) {
  const auto a = x.read(host);
  const auto b = y.read(host);
  double sum = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i) sum += a(i) * b(i);
  return sum;
}

template <class A, int N = A::dimensions>
auto transfer_of(const A& a, const typename comm::Decomposition<N>::Flags& dimensions) {
  using Transfer = grid::detail::GridTransfer<double, N, typename A::execution_space>;
  return std::make_shared<const Transfer>(
      a.exec(), a.grid(), a.decomposition(),
      grid::detail::own_boundaries<N>(a.grid(), a.decomposition()), dimensions);
}

// Flags the dimensions in which every subdomain has at least two points.
template <class A, int N = A::dimensions>
typename comm::Decomposition<N>::Flags thick_dimensions(const A& a) {
  typename comm::Decomposition<N>::Flags result{};
  for (std::size_t d = 0; d < N; ++d)
    result[d] = a.grid().extents[d] / a.decomposition().parts()[d] >= 2;
  return result;
}

// Fills x with numbers of few bits that differ from point to point.
template <class A>
void fill_differently(const A& a, const Array<double>& like, Array<double>& x) {
  const auto values = x.write(host);
  const index_t shift = 7 * a.grid().communicator.rank();
  for (index_t i = 0; i < like.size(); ++i)
    values(i) = static_cast<double>((i * 5 + shift) % 17) - 7;
}

// Checks (P x) y = x (P^T y).
template <class Exec, class S>
void expect_transpose(const Exec& exec, const S& stencil, const Grid<S::dimensions>& grid) {
  const auto a = make<double>(exec, stencil, grid);
  const auto transfer = transfer_of(a, thick_dimensions(a));
  auto x = zeros(a, transfer->coarse_layout().points());
  auto y = test_vector(a);
  auto px = a.vector("P x");
  auto rest = zeros(a, transfer->coarse_layout().points());
  fill_differently(a, rest, x);
  transfer->prolongate(x.read(exec), px.read_write(exec));
  transfer->restrict_to_coarse(y.read(exec), rest.write(exec));
  EXPECT_EQ(grid.communicator.sum(dot(px, y)), grid.communicator.sum(dot(x, rest)));
}

// Compares the matrix of the coarser grid with P^T A P, and that of the grid after it.
template <class A>
void expect_levels(const A& a, int levels) {
  const auto& exec = a.exec();
  const auto transfer = transfer_of(a, thick_dimensions(a));
  const auto coarse = grid::detail::galerkin(a, *transfer);
  auto x = coarse.vector("x"), ax = coarse.vector("A x"), rest = coarse.vector("P^T A P x");
  fill_differently(a, rest, x);
  coarse.apply(x.read(exec), ax.write(exec));
  auto px = a.vector("P x"), apx = a.vector("A P x");
  transfer->prolongate(x.read(exec), px.read_write(exec));
  a.apply(px.read(exec), apx.write(exec));
  transfer->restrict_to_coarse(apx.read(exec), rest.write(exec));
  const auto result = ax.read(host);
  const auto expected = rest.read(host);
  for (index_t i = 0; i < coarse.rows(); ++i)
    ASSERT_NEAR(result(i), expected(i), 1e-10 * (1 + std::abs(expected(i)))) << i;
  if (levels > 1) expect_levels(coarse, levels - 1);
}
template <class Exec, class S>
void expect_galerkin(const Exec& exec, const S& stencil, const Grid<S::dimensions>& grid) {
  SCOPED_TRACE(::testing::PrintToString(grid.extents) + " " + grid.decomposition);
  expect_levels(make<double>(exec, stencil, grid), 2);
}

// Conduction, u - rate div(k grad u), with k from 1 to 2 at faces.
struct NearlyOne {
  double rate;
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    double number = 1;
    ((number = number * 3 + static_cast<double>((index + 10) % 7)), ...);
    return rate * (1 + number / 200);
  }
};
template <class Exec, int N>
auto conduction(const Exec& exec, const Grid<N>& grid, double rate) {
  auto a = grid::stencil_operator<double>(exec, stencil_oracle::Conduction<N>{}, grid);
  for (int d = 0; d < N; ++d) a.set_coefficient(d, NearlyOne{rate});
  return a;
}

template <class A>
int iterations_of(const A& a) {
  auto b = a.vector("b"), x = a.vector("x");
  a.fill_random(b.write(a.exec()));
  const auto result = conjugate_gradient(a, grid::multigrid(a), b, x, {.rtol = 1e-8});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  return static_cast<int>(result.iterations);
}

}  // namespace kolam::multigrid_cases
