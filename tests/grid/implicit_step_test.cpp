// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/implicit_step.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/testing/backends.hpp>

namespace kolam::testing {
namespace {

using grid::TimeScheme;
using ::testing::HasSubstr;

template <class Exec>
class ImplicitSteps : public ::testing::Test {};
TYPED_TEST_SUITE(ImplicitSteps, KokkosSpaces, ExecutionSpaceNames);

// (Public for nvcc.)
struct One {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index...) const {
    return 1.5;
  }
};

// A cosine along x is an eigenvector: a step multiplies it by a number, which is returned.
template <class Exec>
double factor_of_a_step(TimeScheme scheme, double dt, double& eigenvalue) {
  const Exec exec;
  constexpr index_t nx = 12, ny = 5;
  const double h = 0.25, pi = std::acos(-1.0);
  const grid::Grid<2> cells{.extents = {nx, ny},
                            .boundaries = grid::all_sides<2>(Boundary::no_flux)};
  const ConductionStencil<double, 2> flow{{0.5 / (h * h), 0.5 / (0.1 * 0.1)}};
  auto a = grid::stencil_operator<double>(
      exec, grid::ImplicitStep{flow, grid::implicit_share(scheme) * dt}, cells);
  a.set_coefficient(0, One{});
  auto u = a.vector("u"), b = a.vector("b");
  const auto wave = [&](index_t i) {
    return std::cos(2 * pi * (static_cast<double>(i) + 0.5) / static_cast<double>(nx));
  };
  {
    const auto start = reshape(u.write(kolam::host), nx, ny);
    for (index_t j = 0; j < ny; ++j)
      for (index_t i = 0; i < nx; ++i) start(i, j) = wave(i);
  }
  grid::set_right_side(scheme, a, u, b);
  const auto result = conjugate_gradient(a, linear::Identity{}, b, u, {.rtol = 0, .atol = 1e-13});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  eigenvalue = 1.5 * (2 - 2 * std::cos(2 * pi / static_cast<double>(nx))) / (h * h);
  const auto after = reshape(u.read(kolam::host), nx, ny);
  for (index_t j = 0; j < ny; ++j)
    for (index_t i = 0; i < nx; ++i)
      EXPECT_NEAR(after(i, j), after(0, 0) / wave(0) * wave(i), 1e-12);
  return after(0, 0) / wave(0);
}

TYPED_TEST(ImplicitSteps, MultiplyAWaveByWhatTheirSchemeSays) {
  for (const double dt : {0.01, 0.3, 10.0}) {
    double lambda = 0;
    const double euler = factor_of_a_step<TypeParam>(TimeScheme::backward_euler, dt, lambda);
    EXPECT_NEAR(euler, 1 / (1 + dt * lambda), 1e-12);
    const double nicolson = factor_of_a_step<TypeParam>(TimeScheme::crank_nicolson, dt, lambda);
    EXPECT_NEAR(nicolson, (1 - dt * lambda / 2) / (1 + dt * lambda / 2), 1e-11);
  }
}

// u' = -v, v' = 3 u at each point.
struct Rotation {
  static constexpr int dimensions = 2;
  static constexpr int fields = 2;
  static constexpr int coefficients = 1;
  template <class U>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const U& u, const U& v, double k) const {
    return {v.center(), -2 * k * u.center()};
  }
};
TYPED_TEST(ImplicitSteps, TakeSeveralFields) {
  const TypeParam exec;
  auto a = grid::stencil_operator<double>(exec, grid::ImplicitStep{Rotation{}, 0.5},
                                          grid::Grid<2>{.extents = {3, 2}});
  a.set_coefficient(0, One{});
  auto u = a.vector("u"), y = a.vector("y");
  for (index_t i = 0; i < 12; ++i) u.read_write(kolam::host)(i) = static_cast<double>(i * i);
  a.apply(u.read(exec), y.write(exec));
  const auto x = u.read(kolam::host), of = y.read(kolam::host);
  for (index_t i = 0; i < 6; ++i) {
    EXPECT_EQ(of(i), x(i) + 0.5 * x(6 + i));
    EXPECT_EQ(of(6 + i), x(6 + i) - 1.5 * x(i));
  }
}

TEST(TimeSchemes, HaveNames) {
  for (const auto scheme : {TimeScheme::backward_euler, TimeScheme::crank_nicolson})
    EXPECT_EQ(grid::parse_time_scheme(grid::name(scheme)), scheme);
  try {
    static_cast<void>(grid::parse_time_scheme("leapfrog"));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("'leapfrog' is unknown; use one of backward-euler, crank-"));
  }
}

TEST(RightSideOfAStep, IsOfTheSameLength) {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto a = grid::stencil_operator<double>(
      Exec{}, grid::ImplicitStep{ConductionStencil<double, 2>{{1, 1}}, 1},
      grid::Grid<2>{.extents = {3, 3}});
  auto u = a.vector("u");
  Array<double> b("b", 8);
  EXPECT_THROW(grid::set_right_side(TimeScheme::backward_euler, a, u, b), InvalidArgument);
}

}  // namespace
}  // namespace kolam::testing
