// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/testing/laplace_reference.hpp>

namespace kolam::testing {
namespace {

// By hand: one interior point between 1 and 3; the rows above and below are copies.
TEST(LaplaceReference, AveragesTheOnePointOfTheSmallestGrid) {
  Field<double> u{3, 3};
  u(0, 1) = 1;
  u(2, 1) = 3;
  u(1, 0) = u(1, 1) = u(1, 2) = 2;
  Field<double> new_u = u;
  EXPECT_EQ(laplace_sweep(u, new_u), 0);
  EXPECT_EQ(new_u.values, u.values);
  u(1, 0) = u(1, 1) = u(1, 2) = 0;
  EXPECT_EQ(laplace_sweep(u, new_u), 1);
  EXPECT_EQ(new_u(1, 0), 1);
  EXPECT_EQ(new_u(1, 1), 1);
  EXPECT_EQ(new_u(1, 2), 1);
}

// sin(2 pi iy / (ny-1))^2 sums to (ny-1)/2 over a period; each inner column gets a quarter of the
// sine.
TEST(LaplaceReference, FirstNormOfTheBootcampIsKnown) {
  constexpr std::size_t ny = 1025;
  const auto u = jacobi_start<double>(16, ny);
  auto new_u = u;
  EXPECT_NEAR(laplace_sweep(u, new_u), std::sqrt(2 * (ny - 1) / 2 / 16.0), 1e-12);
}

TEST(LaplaceReference, RandomFieldsRepeatWithTheirSeed) {
  EXPECT_EQ(random_field<float>(5, 4, 1).values, random_field<float>(5, 4, 1).values);
  EXPECT_NE(random_field<float>(5, 4, 1).values, random_field<float>(5, 4, 2).values);
}

}  // namespace
}  // namespace kolam::testing
