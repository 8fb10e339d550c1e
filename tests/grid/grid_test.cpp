// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/grid/grid.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>

namespace kolam::grid_test {

using grid::all_sides;
using grid::Grid;
using enum Boundary;
using ::testing::HasSubstr;

std::string refusal(const Grid<3>& grid) {
  return testing::error_of<InvalidArgument>([&] { grid::detail::decompose(grid); });
}

TEST(Grid, HasDirichletSidesAndOneProcess) {
  const Grid<2> grid{{4, 3}};
  EXPECT_EQ(grid.boundaries, all_sides<2>(dirichlet));
  const auto decomposition = grid::detail::decompose(grid);
  EXPECT_EQ(decomposition.subdomains(), 1);
  EXPECT_EQ(grid::detail::own_boundaries(grid, decomposition), grid.boundaries);
}

TEST(Grid, KeepsPeriodicSidesOfADimensionThatIsNotCut) {
  const Grid<2> grid{{4, 3}, {{{periodic, periodic}, {mirror, no_flux}}}};
  const auto decomposition = grid::detail::decompose(grid);
  EXPECT_FALSE(decomposition.periodic(0)) << "a subdomain needs no message from itself";
  EXPECT_EQ(grid::detail::own_boundaries(grid, decomposition), grid.boundaries);
}

// (A cut that the processes of the grid do not make.)
TEST(Grid, HasNeighboursWhereItIsCut) {
  const Grid<3> grid{{4, 6, 5}, {{{periodic, periodic}, {mirror, no_flux}, {functor, dirichlet}}}};
  const comm::Decomposition<3> cut(grid.extents, {2, 2, 1}, {true, false, false});
  EXPECT_EQ(grid::detail::own_boundaries(grid, cut),
            (Boundaries<3>{{{neighbour, neighbour}, {mirror, neighbour}, {functor, dirichlet}}}));
}

TEST(Grid, IsRefusedIfItIsNone) {
  EXPECT_THAT(refusal({{0, 4, 4}}), HasSubstr("0 points along x; there must be 1 at least"));
  EXPECT_THAT(refusal({{4, 4, -2}}), HasSubstr("-2 points along z"));
  EXPECT_THAT(refusal({{4, 4, 4}, {{{mirror, mirror}, {periodic, no_flux}, {mirror, mirror}}}}),
              HasSubstr("one side is periodic along y and the other is not"));
  EXPECT_THAT(refusal({{4, 4, 4}, all_sides<3>(neighbour)}),
              HasSubstr("Boundary::neighbour along x"));
  EXPECT_THAT(refusal({{4, 4, 4}, {}, {}, "2x2x2"}), HasSubstr("2x2x2"));
}

}  // namespace kolam::grid_test
