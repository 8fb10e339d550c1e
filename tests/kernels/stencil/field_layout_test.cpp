// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>

namespace {

using kolam::field_layout;
using kolam::index_t;
using ::testing::HasSubstr;

TEST(FieldLayout, RowsOfOwnPointsStartAtMultiplesOf128Bytes) {
  for (const index_t nx : {0, 1, 31, 32, 33, 16384}) {
    for (const index_t depth : {0, 1, 8, 33}) {
      for (const std::size_t size : {4, 8}) {
        const auto bytes = static_cast<index_t>(size);
        const auto plane = field_layout<2>({nx, 7}, depth, size);
        EXPECT_EQ(plane.origin * bytes % 128, 0);
        EXPECT_EQ(plane.stride[1] * bytes % 128, 0);
        const auto space = field_layout<3>({nx, 7, 3}, depth, size);
        EXPECT_EQ(space.origin * bytes % 128, 0);
        EXPECT_EQ(space.stride[2], space.stride[1] * (7 + 2 * depth));
      }
    }
  }
}

// All points and ghosts lie inside the memory, and rows do not overlap.
TEST(FieldLayout, HoldsAllPointsAndGhosts) {
  for (const index_t nx : {1, 15, 30, 31, 32, 33}) {
    const auto layout = field_layout<3>({nx, 5, 4}, 2, 8);
    const index_t first = layout.origin - 2 - 2 * layout.stride[1] - 2 * layout.stride[2];
    const index_t last = layout.origin + (nx + 1) + 6 * layout.stride[1] + 5 * layout.stride[2];
    EXPECT_GE(first, 0);
    EXPECT_LT(last, layout.size);
    EXPECT_GE(layout.stride[1], nx + 4);
    EXPECT_EQ(layout.points(), nx * 20);
    EXPECT_EQ(layout.all()[2].end, 4);
    EXPECT_FALSE(layout.all().empty());
  }
}

TEST(FieldLayout, RefusesSizesThatAreNegativeOrTooLarge) {
  constexpr auto most = std::numeric_limits<index_t>::max();
  const auto error = [](index_t nx, index_t ny, index_t depth) {
    return kolam::testing::error_of<kolam::InvalidArgument>(
        [&] { static_cast<void>(field_layout<2>({nx, ny}, depth, 4)); });
  };
  EXPECT_THAT(error(-1, 3, 1), HasSubstr("-1 x 3"));
  EXPECT_THAT(error(4, 3, -1), HasSubstr("depth -1"));
  EXPECT_THAT(error(most, 3, 1), HasSubstr(std::to_string(most)));
  EXPECT_THAT(error(most / 8, most / 8, 1), HasSubstr("field of"));
}

}  // namespace
