// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/grid_reference.hpp>

namespace kolam::testing {
namespace {

TEST(GridReference, TakesTheBoundaryOrTheOtherEnd) {
  const auto start = [](const std::array<index_t, 3>& p) {
    return static_cast<double>(10 * p[0] + p[1]);
  };
  GridReference<double, 2> grid({3, 2}, {true, false}, start);
  EXPECT_EQ(grid.at({-1, 1}), 21);
  EXPECT_EQ(grid.at({3, 1}), 1);
  EXPECT_EQ(grid.at({1, -1}), 9);
  EXPECT_EQ(grid.at({1, 2}), 12);
  const double norm = grid.step([](const auto& at, const auto&) { return at(0, -1, 0); });
  EXPECT_EQ(grid.values(), (std::vector<double>{-1, 9, 19, 0, 10, 20}));
  EXPECT_EQ(norm, std::sqrt(6.0));
}

TEST(GridReference, HasThreeDimensions) {
  const auto start = [](const std::array<index_t, 3>& p) { return static_cast<float>(p[2]); };
  GridReference<float, 3> grid({1, 1, 2}, {false, false, false}, start);
  static_cast<void>(
      grid.step([](const auto& at, const auto&) { return at(0, 0, 1) + at(0, 0, -1); }));
  EXPECT_EQ(grid.values(), (std::vector<float>{0, 2}));
}

}  // namespace
}  // namespace kolam::testing
