// SPDX-License-Identifier: Apache-2.0
// What the integrands do at one point; what operators make of them: element_operator_test.cpp.
#include <gtest/gtest.h>

#include <kolam/kernels/integrands.hpp>

namespace kolam::testing {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

template <int Dim, int Components, int Data>
QuadraturePoint<double, Dim, Components, Data> point() {
  QuadraturePoint<double, Dim, Components, Data> at{};
  for (int k = 0; k < Data; ++k) at.data[k] = 10 + k;
  for (int c = 0; c < Components; ++c) {
    at.value[c] = 2 + c;
    for (int d = 0; d < Dim; ++d) at.gradient[c][d] = 1 + d + 5 * c;
  }
  return at;
}

TEST(Integrands, MassScalesEveryComponent) {
  auto at = point<2, 3, 1>();
  Mass<double, 3, Exec>{}(at);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(at.value[c], 10 * (2 + c));
}

TEST(Integrands, DiffusionMultipliesByASymmetricMatrix) {
  auto plane = point<2, 2, 3>();
  Diffusion<double, 2, 2, Exec>{}(plane);
  for (int c = 0; c < 2; ++c) {
    const double x = 1 + 5 * c;
    const double y = 2 + 5 * c;
    EXPECT_EQ(plane.gradient[c][0], 10 * x + 11 * y);
    EXPECT_EQ(plane.gradient[c][1], 11 * x + 12 * y);
  }
  auto space = point<3, 1, 6>();
  Diffusion<double, 3, 1, Exec>{}(space);
  EXPECT_EQ(space.gradient[0][0], 10 * 1 + 11 * 2 + 12 * 3);
  EXPECT_EQ(space.gradient[0][1], 11 * 1 + 13 * 2 + 14 * 3);
  EXPECT_EQ(space.gradient[0][2], 12 * 1 + 14 * 2 + 15 * 3);
}

TEST(Integrands, HelmholtzIsBoth) {
  auto at = point<2, 1, 4>();
  Helmholtz<double, 2, 1, Exec>{}(at);
  EXPECT_EQ(at.gradient[0][0], 10 * 1 + 11 * 2);
  EXPECT_EQ(at.value[0], 13 * 2);
}

}  // namespace
}  // namespace kolam::testing
