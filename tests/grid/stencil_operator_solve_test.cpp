// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/merged_conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <kolam/testing/backends.hpp>
#include <numbers>
#include <vector>

#include "operator_cases.hpp"

namespace kolam::stencil_operator_solve_test {

using grid::Grid;
using grid::stencil_operator;
using namespace stencil_oracle;
using enum Boundary;

template <class Exec>
class SolvedStencilOperators : public ::testing::Test {
 public:
  Exec exec{};
};
TYPED_TEST_SUITE(SolvedStencilOperators, testing::KokkosSpaces, testing::ExecutionSpaceNames);

// The modes of the second difference in a dimension of n points, and their eigenvalues.
struct Mode {
  Boundary boundary;
  double (*value)(double i, double n);
  double (*angle)(double n);
};
constexpr double pi = std::numbers::pi;
const std::array modes{
    Mode{dirichlet, [](double i, double n) { return std::sin(2 * pi * (i + 1) / (n + 1)); },
         [](double n) { return 2 * pi / (n + 1); }},
    Mode{no_flux, [](double i, double n) { return std::cos(3 * pi * (i + 0.5) / n); },
         [](double n) { return 3 * pi / n; }},
    Mode{mirror, [](double i, double n) { return std::cos(2 * pi * i / (n - 1)); },
         [](double n) { return 2 * pi / (n - 1); }},
    Mode{periodic, [](double i, double n) { return std::sin(4 * pi * i / n + 1); },
         [](double n) { return 4 * pi / n; }},
};

TYPED_TEST(SolvedStencilOperators, HaveTheModesOfTheirBoundaries) {
  for (const Mode& along_x : modes) {
    for (const Mode& along_y : modes) {
      const Grid<2> grid{
          {13, 9}, {{{along_x.boundary, along_x.boundary}, {along_y.boundary, along_y.boundary}}}};
      auto a = stencil_operator<double>(this->exec, Conduction<2>{}, grid);
      a.set_coefficient(0, One{});
      a.set_coefficient(1, One{});
      auto x = a.vector("x");
      const auto u = reshape(x.write(host), 13, 9);
      for (int j = 0; j < 9; ++j)
        for (int i = 0; i < 13; ++i) u(i, j) = along_x.value(i, 13) * along_y.value(j, 9);
      auto y = a.vector("y");
      a.apply(x.read(this->exec), y.write(this->exec));
      const double eigenvalue =
          5 - 2 * std::cos(along_x.angle(13)) - 2 * std::cos(along_y.angle(9));
      const auto ux = x.read(host);
      const auto uy = y.read(host);
      for (index_t i = 0; i < a.rows(); ++i) ASSERT_NEAR(uy(i), eigenvalue * ux(i), 1e-13);
    }
  }
}

TYPED_TEST(SolvedStencilOperators, AreSolvedByWhatTakesOperators) {
  const Grid<3> grid{{9, 7, 5}, {{{dirichlet, no_flux}, {periodic, periodic}, {no_flux, no_flux}}}};
  const auto a = make<double>(this->exec, Conduction<3>{}, grid);
  const linear::AnyOperator any(a);
  auto exact = test_vector(a);
  auto b = a.vector("b");
  a.apply(exact.read(this->exec), b.write(this->exec));
  const linear::SolveOptions options{.rtol = 1e-12};
  const auto expect_solved = [&](const linear::SolveResult& result, const Array<double>& x) {
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    const std::vector<double> solution = values_of(x);
    const std::vector<double> of = values_of(exact);
    for (std::size_t i = 0; i < of.size(); ++i) ASSERT_NEAR(solution[i], of[i], 1e-9);
  };
  auto d = a.vector("d");
  any.diagonal(d.write(this->exec));
  {
    auto x = a.vector("x");
    expect_solved(conjugate_gradient(a, linear::Identity{}, b, x, options), x);
  }
  {
    auto x = a.vector("x");
    expect_solved(conjugate_gradient(any, linear::Identity{}, b, x, options), x);
  }
  {
    auto x = a.vector("x");
    expect_solved(merged_conjugate_gradient(a, {}, b, x, options), x);
  }
}

// Values beyond the sides make a linear function the solution.
TYPED_TEST(SolvedStencilOperators, ReproduceALinearFunctionFromItsBoundary) {
  auto a = stencil_operator<double>(this->exec, Conduction<2>{}, Grid<2>{{8, 6}});
  a.set_coefficient(0, One{});
  a.set_coefficient(1, One{});
  auto b = a.vector("b");
  const auto right = reshape(b.write(host), 8, 6);
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 8; ++i) right(i, j) = OnePlusIndex{}(i, j);  // u - laplace(u) = u
  a.apply_lift(OnePlusIndex{}, b);
  auto x = a.vector("x");
  EXPECT_EQ(conjugate_gradient(a, linear::Identity{}, b, x, {.rtol = 1e-13}).status,
            linear::SolveStatus::converged);
  const auto u = reshape(x.read(host), 8, 6);
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 8; ++i) ASSERT_NEAR(u(i, j), OnePlusIndex{}(i, j), 1e-10);
}

}  // namespace kolam::stencil_operator_solve_test
