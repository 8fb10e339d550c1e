// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/index_box.hpp>

namespace kolam::testing {
namespace {

TEST(Box, CountsItsPoints) {
  EXPECT_EQ(size<1>({{{3, 5}}}), 2);
  EXPECT_EQ(size<2>({{{-1, 3}, {2, 7}}}), 20);
  EXPECT_EQ(size<3>({{{0, 4}, {5, 5}, {0, 9}}}), 0);
  EXPECT_EQ(size<2>({{{5, 4}, {7, 2}}}), 0);
  constexpr index_t big = index_t{1} << 21;
  EXPECT_EQ(size<3>({{{0, big}, {0, big}, {0, 2}}}), index_t{1} << 43);
}

TEST(Box, IsEmptyWithoutPointsInADimension) {
  EXPECT_FALSE((Box<2>{Range{-1, 3}, Range{2, 3}}.empty()));
  EXPECT_TRUE((Box<2>{Range{-1, 3}, Range{3, 3}}.empty()));
  EXPECT_TRUE((Box<3>{Range{5, 4}, Range{0, 3}, Range{0, 1}}.empty()));
}

}  // namespace
}  // namespace kolam::testing
