// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <limits>

namespace kolam {
namespace {

// The four neighbours in the plane.
template <class T>
struct Around {
  T left, right, below, above;
  KOKKOS_FUNCTION T operator()(int dx, int dy, int) const {
    if (dx != 0) return dx < 0 ? left : right;
    return dy < 0 ? below : above;
  }
};
template <class T>
T laplace(const Around<T>& at) {
  return LaplaceStencil{}(Neighbourhood<T, 2, Around<T>>(at));
}

TEST(LaplaceStencil, GivesNoSubnormalNumbers) {
  constexpr float least = std::numeric_limits<float>::min();
  EXPECT_EQ(laplace<float>({least, least, least, least}), least);
  EXPECT_EQ(laplace<float>({least, least, least, 0}), 0);
  EXPECT_EQ(laplace<float>({-least, -least, -least, 0}), 0);
  EXPECT_TRUE(std::isnan(laplace<double>({std::nan(""), 0, 0, 0})));
}

TEST(LaplaceStencil, AddsInTheDocumentedOrder) {
  EXPECT_EQ(laplace<double>({1e30, 1, -1e30, 3}), 1);  // left and below first
  EXPECT_EQ(laplace<float>({1, 1e30F, -1e30F, 0}), 0);
}

// Values around a point, as functions of the offsets.
template <class T>
struct Quadratic {
  KOKKOS_FUNCTION T operator()(int dx, int dy, int dz) const {
    return T(1 + dx * dx + 3 * dy * dy + 5 * dz * dz);
  }
};
struct SameEverywhere {
  KOKKOS_FUNCTION double operator()(int, int, int) const { return 3.25; }
};
struct TinyAround {
  double tiny;
  KOKKOS_FUNCTION double operator()(int dx, int dy, int) const {
    return dx == 0 && dy == 0 ? 0.0 : tiny;
  }
};

// A quadratic has the same second differences everywhere: a step adds rate * (second difference) /
// Cp in each dimension.
template <class T, int N>
void expect_diffusion_of_quadratic() {
  const DiffusionStencil<T, N> stencil{{T(0.125), T(0.25)}};
  DiffusionStencil<T, N> full = stencil;
  if constexpr (N == 3) full.rates[N - 1] = T(0.5);
  const Quadratic<T> at;
  const Neighbourhood<T, N, Quadratic<T>> around(at);
  const T change = T(0.125) * 2 + T(0.25) * 6 + (N == 3 ? T(0.5) * 10 : T(0));
  EXPECT_EQ(full(around, T(0.5)), 1 + change / 2);
}

TEST(DiffusionStencil, AddsTheSecondDifferences) {
  expect_diffusion_of_quadratic<float, 2>();
  expect_diffusion_of_quadratic<double, 2>();
  expect_diffusion_of_quadratic<float, 3>();
  expect_diffusion_of_quadratic<double, 3>();
}

TEST(DiffusionStencil, LeavesAConstantAloneAndGivesNoSubnormalNumbers) {
  const DiffusionStencil<double, 2> stencil{{0.2, 0.2}};
  const SameEverywhere constant;
  EXPECT_EQ(stencil(Neighbourhood<double, 2, SameEverywhere>(constant), 0.7), 3.25);
  const TinyAround tiny{std::numeric_limits<double>::min() / 2};
  EXPECT_EQ(stencil(Neighbourhood<double, 2, TinyAround>(tiny), 0.7), 0.0);
}

}  // namespace
}  // namespace kolam
