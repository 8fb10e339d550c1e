// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/grid/multigrid.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/testing/backends.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "multigrid_cases.hpp"

namespace kolam::multigrid_cases {
namespace {

using grid::all_sides;

template <class Exec>
class MultigridOfGrids : public ::testing::Test {
 public:
  Exec exec{};
};
TYPED_TEST_SUITE(MultigridOfGrids, testing::KokkosSpaces, testing::ExecutionSpaceNames);

// Every boundary at either end of a dimension; all give symmetric operators.
std::vector<Boundaries<2>> symmetric_boundaries() {
  std::vector<Boundaries<2>> all;
  const std::array sides{dirichlet, no_flux};
  for (const Boundary a : sides)
    for (const Boundary b : sides) {
      all.push_back({{{a, b}, {b, a}}});
      all.push_back({{{a, b}, {periodic, periodic}}});
      all.push_back({{{periodic, periodic}, {a, b}}});
    }
  all.push_back(all_sides<2>(periodic));
  return all;
}

TYPED_TEST(MultigridOfGrids, InterpolateAndDoItBackwards) {
  for (const Boundaries<2>& boundaries : symmetric_boundaries())
    for (const Extents<2>& extents : {Extents<2>{3, 4}, {5, 8}, {7, 3}, {1, 9}, {12, 10}})
      expect_transpose(this->exec, Conduction<2>{}, Grid<2>{extents, boundaries});
  for (const Boundary side : {dirichlet, no_flux, periodic})
    expect_transpose(this->exec, Conduction<3>{}, Grid<3>{{5, 4, 7}, all_sides<3>(side)});
}

// Interpolation is linear between coarse points, and constant up to a side without flux.
TYPED_TEST(MultigridOfGrids, InterpolateLinearly) {
  const auto a = make<double>(this->exec, Conduction<2>{},
                              Grid<2>{{6, 7}, {{{no_flux, no_flux}, {dirichlet, dirichlet}}}});
  const auto transfer = transfer_of(a, {true, true});
  auto coarse = zeros(a, transfer->coarse_layout().points());
  auto fine = a.vector("fine");
  const auto values = reshape(coarse.write(host), 3, 4);
  for (index_t j = 0; j < 4; ++j)
    for (index_t i = 0; i < 3; ++i) values(i, j) = static_cast<double>(1 + 4 * i + 100 * j);
  transfer->prolongate(coarse.read(this->exec), fine.read_write(this->exec));
  const auto result = reshape(fine.read(host), 6, 7);
  for (index_t j = 0; j < 7; ++j) {
    for (index_t i = 0; i < 5; ++i)
      EXPECT_EQ(result(i, j), static_cast<double>(1 + 2 * i + 50 * j)) << i << ", " << j;
    EXPECT_EQ(result(5, j), result(4, j));
  }
}

// Coarse values beyond a Dirichlet side are zero.
TYPED_TEST(MultigridOfGrids, InterpolateToTheZerosBeyondASide) {
  const auto a = make<double>(this->exec, Conduction<2>{}, Grid<2>{{4, 4}});
  const auto transfer = transfer_of(a, {true, true});
  auto coarse = zeros(a, transfer->coarse_layout().points());
  Kokkos::deep_copy(coarse.write(host), 4);
  auto fine = a.vector("fine");
  transfer->prolongate(coarse.read(this->exec), fine.read_write(this->exec));
  const auto result = reshape(fine.read(host), 4, 4);
  EXPECT_EQ(result(2, 2), 4);
  EXPECT_EQ(result(3, 2), 2);
  EXPECT_EQ(result(2, 3), 2);
  EXPECT_EQ(result(3, 3), 1);
}

TYPED_TEST(MultigridOfGrids, HaveTheMatrixOfTheFinerOne) {
  for (const Boundaries<2>& boundaries : symmetric_boundaries())
    for (const Extents<2>& extents : {Extents<2>{3, 3}, {4, 6}, {8, 14}, {13, 5}, {22, 3}, {2, 20}})
      expect_galerkin(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
  for (const Boundary side : {dirichlet, no_flux, periodic, functor}) {
    expect_galerkin(this->exec, Everything<3>{}, Grid<3>{{7, 4, 6}, all_sides<3>(side)});
    expect_galerkin(this->exec, Faces<3>{}, Grid<3>{{9, 14, 5}, all_sides<3>(side)});
  }
}

TYPED_TEST(MultigridOfGrids, NeedAsManyIterationsOnEveryGrid) {
  for (const Boundaries<2>& boundaries : symmetric_boundaries()) {
    for (const index_t n : {24, 63, 100}) {
      if (n > 24 && !testing::optimised) continue;
      const auto a = conduction(this->exec, Grid<2>{{n, n + 3}, boundaries}, 1000);
      EXPECT_LE(iterations_of(a), 7) << n;
    }
  }
  const Extents<3> space = testing::optimised ? Extents<3>{21, 16, 19} : Extents<3>{7, 6, 5};
  for (const Boundary side : {dirichlet, no_flux, periodic})
    EXPECT_LE(iterations_of(conduction(this->exec, Grid<3>{space, all_sides<3>(side)}, 1000)), 7);
}

TYPED_TEST(MultigridOfGrids, AreSymmetric) {
  const auto a = conduction(this->exec, Grid<2>{{33, 20}, all_sides<2>(no_flux)}, 100);
  const auto m = grid::multigrid(a, {.coarse_rtol = 1e-13});
  EXPECT_GE(m.levels(), 3U);
  auto x = a.vector("x"), y = a.vector("y"), mx = a.vector("m x"), my = a.vector("m y");
  a.fill_random(x.write(this->exec));
  a.apply(x.read(this->exec), y.write(this->exec));
  m.apply(x.read(this->exec), mx.write(this->exec));
  m.apply(y.read(this->exec), my.write(this->exec));
  EXPECT_NEAR(dot(mx, y), dot(x, my), 1e-12 * dot(x, my));
  EXPECT_GT(dot(x, mx), 0);
}

TYPED_TEST(MultigridOfGrids, StayWhereTheyAreOnASmallGrid) {
  EXPECT_EQ(grid::multigrid(conduction(this->exec, Grid<2>{{10, 10}}, 1)).levels(), 1U);
  EXPECT_EQ(grid::multigrid(conduction(this->exec, Grid<2>{{2, 51}}, 1)).levels(), 2U);
}

}  // namespace
}  // namespace kolam::multigrid_cases
