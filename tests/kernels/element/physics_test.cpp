// SPDX-License-Identifier: Apache-2.0
// Physics at one point; with geometry: geometry_test.cpp.
#include <gtest/gtest.h>

#include <kolam/kernels/element/physics.hpp>

namespace kolam::testing {
namespace {

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

TEST(Integrands, OfTheLibraryLeaveAllAsItIs) {
  auto at = point<2, 3, 1>();
  Mass<3>{}(at);
  Diffusion<3>{}(at);
  Helmholtz<3>{}(at);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(at.value[c], 2 + c);
    for (int d = 0; d < 2; ++d) EXPECT_EQ(at.gradient[c][d], 1 + d + 5 * c);
  }
}

TEST(Integrands, ReadAndWriteTheirParts) {
  EXPECT_EQ(Mass<>::reads, Evaluation::values);
  EXPECT_EQ(Diffusion<2>::writes, Evaluation::gradients);
  EXPECT_EQ(Helmholtz<>::reads, Evaluation::values_and_gradients);
  EXPECT_EQ(Source<>::reads, Evaluation::none);
  EXPECT_EQ(Diffusion<2>::components, 2);
}

TEST(Integrands, ASourceIsOneForEveryComponent) {
  auto at = point<2, 3, 1>();
  Source<3>{}(at);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(at.value[c], 1);
}

TEST(Integrands, OfElasticityMakeStressOfStrain) {
  auto at = point<3, 3, 2>();  // lambda 10, mu 11; the gradient of component c begins with 1 + 5 c
  kolam::Elasticity<3>{}(at);
  const double trace = 1 + 7 + 13;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double strain = ((1 + k + 5 * i) + (1 + i + 5 * k)) / 2.0;
      EXPECT_EQ(at.gradient[i][k], 2 * 11 * strain + (i == k ? 10 * trace : 0)) << i << k;
    }
  }
}

struct Twice {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return 2 * at;
  }
};

TEST(Integrands, HaveACoefficientThatVaries) {
  const WithCoefficient f{Helmholtz<>{}, Twice{}};
  double numbers[1];
  f.set_coefficients(3.5, numbers);
  EXPECT_EQ(numbers[0], 7);
  auto at = point<2, 1, 1>();
  f(at);
  EXPECT_EQ(at.value[0], 10 * 2);
  EXPECT_EQ(at.gradient[0][0], 10 * 1);
  EXPECT_EQ(at.gradient[0][1], 10 * 2);
}

struct WithData {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::values;
  static constexpr auto writes = Evaluation::values;
  QuadratureData<double, 1, Kokkos::DefaultHostExecutionSpace> data;
};

TEST(Integrands, ArePhysicsIfTheyBringNoData) {
  EXPECT_TRUE(Physics<Mass<>>);
  EXPECT_TRUE((Physics<WithCoefficient<Mass<>, Twice>>));
  EXPECT_FALSE(Physics<WithData>);
  EXPECT_FALSE(Physics<Twice>);
}

}  // namespace
}  // namespace kolam::testing
