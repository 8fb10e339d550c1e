// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/geometry.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::testing {
namespace {

TEST(GeometryNames, AreReadAsTheyAreWritten) {
  for (const auto geometry : {fem::Geometry::automatic, fem::Geometry::stored,
                              fem::Geometry::affine, fem::Geometry::trilinear})
    EXPECT_EQ(fem::parse_geometry(name(geometry)), geometry);
  EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(fem::parse_geometry("cubic")); }),
              ::testing::HasSubstr("cubic"));
}

}  // namespace
}  // namespace kolam::testing
