// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/test_stencils.hpp>
#include <set>

namespace kolam::testing {
namespace {

// Each neighbour alone gives another value, so that a mix-up of neighbours shows.
TEST(NinePoints, TellsItsNeighboursApart) {
  std::set<double> weights;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      const auto at = [&](int dx, int dy, int) { return dx == x && dy == y ? 1.0 : 0.0; };
      weights.insert(NinePoints{}(Neighbourhood<double, 2, decltype(at)>(at)));
    }
  }
  EXPECT_EQ(weights.size(), 9);
}

TEST(TwentySevenPoints, TellsItsNeighboursApart) {
  std::set<double> weights;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const auto at = [&](int dx, int dy, int dz) {
          return dx == x && dy == y && dz == z ? 1.0 : 0.0;
        };
        weights.insert(TwentySevenPoints{}(Neighbourhood<double, 3, decltype(at)>(at)));
      }
    }
  }
  EXPECT_EQ(weights.size(), 27);
}

TEST(OracleOf, GivesEveryCoefficient) {
  const auto at = [](int dx, int, int) { return dx == 0 ? 2.0 : 0.0; };
  EXPECT_EQ(oracle_of<double>(Weighted3d{})(at, 3.0),
            6 + 3 * (0.125 * 2 - 0.0625 * 2 + 0.03125 * 2 - 0.015625 * 2));
  EXPECT_EQ(oracle_of<double>(LaplaceStencil{})(at, 9.0), 1);
}

}  // namespace
}  // namespace kolam::testing
