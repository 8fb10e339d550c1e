// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/backends.hpp>
#include <string>
#include <vector>

#include "../grid/multigrid_cases.hpp"
#include "all_processes.hpp"

namespace kolam::multigrid_cases {
namespace {

using grid::all_sides;
using mpi_tests::all_processes;

template <class Exec>
class MultigridBetween : public ::testing::Test {
 public:
  Exec exec{};
};
TYPED_TEST_SUITE(MultigridBetween, testing::KokkosSpaces, testing::ExecutionSpaceNames);

std::vector<std::string> cuts(bool space) {
  const std::string n = std::to_string(all_processes().size());
  const std::string end = space ? "x1" : "";
  std::vector<std::string> result{"auto", n + "x1" + end, "1x" + n + end};
  if (all_processes().size() == 4) result.push_back("2x2" + end);  // neighbours across corners
  if (space) result.push_back("1x1x" + n);
  return result;
}

TYPED_TEST(MultigridBetween, HasTheLevelsOfTheWholeGrid) {
  for (const std::string& cut : cuts(false)) {
    for (const Boundary side : {dirichlet, no_flux, periodic}) {
      for (const Extents<2>& extents : {Extents<2>{16, 19}, {29, 22}}) {
        const Grid<2> grid{extents, all_sides<2>(side), all_processes(), cut};
        expect_transpose(this->exec, Conduction<2>{}, grid);
        expect_galerkin(this->exec, Everything<2>{}, grid);
      }
    }
  }
  for (const std::string& cut : cuts(true)) {
    for (const Boundary side : {no_flux, periodic}) {
      const Grid<3> grid{{14, 16, 15}, all_sides<3>(side), all_processes(), cut};
      expect_transpose(this->exec, Faces<3>{}, grid);
      expect_galerkin(this->exec, Faces<3>{}, grid);
    }
  }
}

TYPED_TEST(MultigridBetween, NeedsAsManyIterationsForAnyCut) {
  for (const std::string& cut : cuts(false)) {
    for (const Boundary side : {dirichlet, periodic}) {
      const Extents<2> extents = testing::optimised ? Extents<2>{100, 90} : Extents<2>{30, 28};
      const Grid<2> grid{extents, all_sides<2>(side), all_processes(), cut};
      EXPECT_LE(iterations_of(conduction(this->exec, grid, 1000)), 8) << cut;
    }
  }
}

}  // namespace
}  // namespace kolam::multigrid_cases
