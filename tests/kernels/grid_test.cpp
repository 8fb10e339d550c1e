// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/kernels/grid.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>

namespace {

using kolam::padded_grid;
using ::testing::HasSubstr;

TEST(Grid, RowsStartAtMultiplesOf128Bytes) {
  for (const kolam::index_t nx : {0, 1, 31, 32, 33, 16384}) {
    for (const std::size_t size : {4, 8}) {
      const kolam::Grid2d grid = padded_grid(nx, 7, size);
      EXPECT_EQ(grid.pitch * static_cast<kolam::index_t>(size) % 128, 0);
      EXPECT_GE(grid.pitch, nx);
      EXPECT_LT(grid.pitch, nx + 32);
      EXPECT_EQ(grid.size(), grid.pitch * 7);
    }
  }
}

TEST(Grid, RefusesSizesThatAreNegativeOrTooLarge) {
  constexpr auto most = std::numeric_limits<kolam::index_t>::max();
  EXPECT_THAT(kolam::testing::error_of<kolam::InvalidArgument>(
                  [] { static_cast<void>(padded_grid(-1, 3, 4)); }),
              HasSubstr("-1 x 3"));
  EXPECT_THAT(kolam::testing::error_of<kolam::InvalidArgument>(
                  [] { static_cast<void>(padded_grid(most, 3, 4)); }),
              HasSubstr(std::to_string(most)));
  EXPECT_THROW(static_cast<void>(padded_grid(most / 2, 3, 4).size()), kolam::InvalidArgument);
}

}  // namespace
