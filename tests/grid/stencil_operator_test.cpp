// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <vector>

#include "operator_cases.hpp"

namespace kolam {
namespace {

using grid::all_sides;
using grid::Grid;
using grid::stencil_operator;
using namespace stencil_oracle;
using enum Boundary;
using ::testing::HasSubstr;

template <class Exec>
class StencilOperators : public ::testing::Test {
 public:
  Exec exec{};
};
TYPED_TEST_SUITE(StencilOperators, testing::KokkosSpaces, testing::ExecutionSpaceNames);

template <class A>
std::vector<double> applied(const A& a) {
  auto x = test_vector(a);
  auto y = a.vector("y");
  Kokkos::deep_copy(y.write(host), 1000);  // apply must not read these
  a.apply(x.read(a.exec()), y.write(a.exec()));
  return values_of(y);
}

TYPED_TEST(StencilOperators, AreTheMatrixOfTheirStencilWithEveryBoundary) {
  for (const Boundaries<2>& boundaries : plane_boundaries()) {
    for (const Extents<2>& extents : {Extents<2>{1, 1}, {1, 4}, {5, 2}, {3, 3}, {131, 6}}) {
      const Grid<2> grid{extents, boundaries};
      SCOPED_TRACE(std::to_string(extents[0]) + " x " + std::to_string(extents[1]));
      EXPECT_EQ(applied(make<double>(this->exec, Everything<2>{}, grid)),
                expected(Everything<2>{}, grid));
      EXPECT_EQ(applied(make<double>(this->exec, Faces<2>{}, grid)), expected(Faces<2>{}, grid));
      EXPECT_EQ(applied(make<double>(this->exec, Coupled<2>{}, grid)),
                expected(Coupled<2>{}, grid));
    }
  }
  for (const Boundaries<3>& boundaries : space_boundaries()) {
    for (const Extents<3>& extents : {Extents<3>{1, 1, 1}, {2, 1, 3}, {4, 5, 3}, {70, 4, 5}}) {
      const Grid<3> grid{extents, boundaries};
      SCOPED_TRACE(std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " x " +
                   std::to_string(extents[2]));
      EXPECT_EQ(applied(make<double>(this->exec, Everything<3>{}, grid)),
                expected(Everything<3>{}, grid));
      EXPECT_EQ(applied(make<double>(this->exec, Faces<3>{}, grid)), expected(Faces<3>{}, grid));
      EXPECT_EQ(applied(make<double>(this->exec, Coupled<3>{}, grid)),
                expected(Coupled<3>{}, grid));
    }
  }
}

TYPED_TEST(StencilOperators, TakeCoefficientsFromVectors) {
  for (const Boundaries<2>& boundaries : plane_boundaries()) {
    for (const Extents<2>& extents : {Extents<2>{1, 4}, {5, 2}, {37, 6}}) {
      const Grid<2> grid{extents, boundaries};
      EXPECT_EQ(applied(make_nearest<double>(this->exec, Everything<2>{}, grid, true)),
                applied(make_nearest<double>(this->exec, Everything<2>{}, grid, false)));
    }
  }
  for (const Boundaries<3>& boundaries : space_boundaries()) {
    const Grid<3> grid{{5, 3, 4}, boundaries};
    EXPECT_EQ(applied(make_nearest<double>(this->exec, Coupled<3>{}, grid, true)),
              applied(make_nearest<double>(this->exec, Coupled<3>{}, grid, false)));
    EXPECT_EQ(applied(make_nearest<double>(this->exec, Everything<3>{}, grid, true)),
              applied(make_nearest<double>(this->exec, Everything<3>{}, grid, false)));
  }
}

TYPED_TEST(StencilOperators, TakeFloats) {
  const Grid<2> grid{{37, 6}, {{{mirror, dirichlet}, {periodic, periodic}}}};
  EXPECT_EQ(applied(make<float>(this->exec, Faces<2>{}, grid)), expected(Faces<2>{}, grid));
  EXPECT_EQ(applied(make<float>(this->exec, Coupled<2>{}, grid)), expected(Coupled<2>{}, grid));
}

TYPED_TEST(StencilOperators, AddToAVector) {
  const Grid<2> grid{{21, 5}, {{{mirror, functor}, {no_flux, dirichlet}}}};
  const auto a = make<double>(this->exec, Everything<2>{}, grid);
  auto x = test_vector(a);
  auto y = test_vector(a);
  a.apply_add(x.read(this->exec), y.read_write(this->exec));
  std::vector<double> sum = expected(Everything<2>{}, grid);
  const std::vector<double> old = values_of(x);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += old[i];
  EXPECT_EQ(values_of(y), sum);
}

template <class Exec, class S>
void expect_diagonal(const Exec& exec, const S& stencil, const Grid<2>& grid) {
  const auto a = make<double>(exec, stencil, grid);
  auto d = a.vector("d");
  a.diagonal(d.write(exec));
  std::vector<double> diagonal;
  for (index_t row = 0; row < a.rows(); ++row) {
    auto x = a.vector("x");
    x.read_write(host)(row) = 1;
    auto y = a.vector("y");
    a.apply(x.read(exec), y.write(exec));
    diagonal.push_back(y.read(host)(row));
  }
  EXPECT_EQ(values_of(d), diagonal);
}

TYPED_TEST(StencilOperators, KnowTheirDiagonal) {
  for (const Boundaries<2>& boundaries : plane_boundaries()) {
    for (const Extents<2>& extents : {Extents<2>{1, 1}, {2, 3}, {4, 1}}) {
      expect_diagonal(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
      expect_diagonal(this->exec, Coupled<2>{}, Grid<2>{extents, boundaries});
    }
  }
}

template <class Exec, class S>
void expect_lift(const Exec& exec, const S& stencil, const Grid<2>& grid) {
  const auto a = make<double>(exec, stencil, grid);
  auto b = a.vector("b");
  a.apply_lift(OnePlusIndex{}, b);
  std::vector<double> lift = expected(stencil, grid, [](int field, index_t i, index_t j, index_t) {
    return stencil_fields<S> > 1 ? OnePlusIndex{}(field, i, j) : OnePlusIndex{}(i, j);
  });
  for (double& value : lift) value = 0 - value;
  EXPECT_EQ(values_of(b), lift);
}

TYPED_TEST(StencilOperators, ApplyTheLiftOfKnownValues) {
  for (const Boundaries<2>& boundaries : plane_boundaries()) {
    expect_lift(this->exec, Everything<2>{}, Grid<2>{{5, 4}, boundaries});
    expect_lift(this->exec, Coupled<2>{}, Grid<2>{{5, 4}, boundaries});
  }
}

TYPED_TEST(StencilOperators, FillVectorsByThePoint) {
  const auto a = make<double>(this->exec, Faces<2>{}, Grid<2>{{6, 5}});
  auto x = a.vector("x");
  a.fill_random(x);
  const auto values = x.read(host);
  double sum = 0;
  for (index_t i = 0; i < a.rows(); ++i) {
    EXPECT_LE(std::abs(values(i)), 1);
    EXPECT_EQ(values(i), linear::detail::number_of<double>(static_cast<std::uint64_t>(i)));
    sum += std::abs(values(i));
  }
  EXPECT_GT(sum, 5);
  const auto several = make<double>(this->exec, Coupled<2>{}, Grid<2>{{6, 5}});
  auto of_fields = several.vector("x");
  several.fill_random(of_fields.write(this->exec));
  for (index_t i = 0; i < several.rows(); ++i) {
    EXPECT_EQ(of_fields.read(host)(i),
              linear::detail::number_of<double>(static_cast<std::uint64_t>(i)));
  }
}

TEST(StencilOperator, RefusesGridsThatItCannotTake) {
  const Kokkos::DefaultHostExecutionSpace exec;
  const auto of = [&](const Grid<2>& grid) {
    return testing::error_of<Error>([&] { stencil_operator<double>(exec, Faces<2>{}, grid); });
  };
  EXPECT_THAT(of({{0, 4}}), HasSubstr("0 points along x"));
  EXPECT_THAT(of({{4, 4}, all_sides<2>(functor)}), HasSubstr("no functor was given"));
}

struct Across {  // without the corners that it needs
  static constexpr int dimensions = 2;
  template <class U>
  KOKKOS_FUNCTION auto operator()(const U& u) const {
    return u.center() - u(1, 1);
  }
};

struct OnePerPoint {
  KOKKOS_FUNCTION double operator()(const grid::GridPoint<2>&) const { return 1; }
};

TEST(StencilOperatorDeathTest, StopsAtNeighboursThatNobodyExchanges) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Kokkos::DefaultHostExecutionSpace exec;
  const auto a = stencil_operator<double>(exec, Across{}, Grid<2>{{8, 6}});
  auto x = a.vector("x");
  auto y = a.vector("y");
  EXPECT_DEATH(a.apply(x.read(exec), y.write(exec)), "reads u across a corner");
  grid::StencilSolver solver(std::vector{exec}, Across{}, comm::Decomposition<2>({8, 6}, {1, 1}));
  solver.initialise(OnePerPoint{});
  EXPECT_DEATH(static_cast<void>(solver.run({.niter = 1})), "reads u across a corner");
}

TEST(StencilOperator, RefusesVectorsAndCoefficientsThatDoNotFit) {
  const Kokkos::DefaultHostExecutionSpace exec;
  auto a = stencil_operator<double>(exec, Faces<2>{}, Grid<2>{{4, 3}});
  EXPECT_THAT(testing::error_of<Error>([&] { a.set_coefficient(1, One{}); }),
              HasSubstr("set_coefficient: 1; the stencil has 1, numbered from 0"));
  auto x = a.vector("x");
  auto y = a.vector("y");
  EXPECT_THAT(testing::error_of<Error>([&] { a.apply(x.read(exec), y.write(exec)); }),
              HasSubstr("coefficient 0"));
  a.set_coefficient(0, One{});
  Array<double> shorter("shorter", 11);
  EXPECT_THAT(testing::error_of<Error>([&] { a.apply(x.read(exec), shorter.write(exec)); }),
              HasSubstr("has 11 values; the subdomain has 12 points: use vector(label)"));
  shorter.write(host)(0) = 5;
  EXPECT_THAT(
      testing::error_of<Error>([&] { a.set_values(shorter, One{}); }),
      HasSubstr("set_values: a vector 'shorter' has 11 values; the subdomain has 12 points"));
  EXPECT_EQ(shorter.read(host)(0), 5);
  auto several = make<double>(exec, Coupled<2>{}, Grid<2>{{4, 3}});
  EXPECT_THAT(
      testing::error_of<Error>([&] { several.apply(x.read(exec), x.write(exec)); }),
      HasSubstr("has 12 values; the subdomain has 12 points and the stencil 3 fields: use"));
  EXPECT_THAT(testing::error_of<Error>([&] { several.set_coefficient(0, several.vector("long")); }),
              HasSubstr("a vector has 36 values; the subdomain has 12 points"));
}

}  // namespace
}  // namespace kolam
