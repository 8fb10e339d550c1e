// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/merged_conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "stencil_oracle.hpp"

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

template <class Array>
std::vector<double> values_of(const Array& array) {
  const auto view = array.read(host);
  std::vector<double> values;
  for (std::size_t i = 0; i < view.extent(0); ++i) values.push_back(view(i));
  return values;
}

template <class A>
std::vector<double> applied(const A& a) {
  auto x = test_vector(a);
  auto y = a.vector("y");
  Kokkos::deep_copy(y.write(host), 1000);  // apply must not read these
  a.apply(x.read(a.exec()), y.write(a.exec()));
  return values_of(y);
}

// Combines every boundary with every other one, also at the two ends of one dimension.
std::vector<Boundaries<2>> planes() {
  std::vector<Boundaries<2>> all;
  const std::array sides{dirichlet, no_flux, mirror, functor};
  for (const Boundary a : sides)
    for (const Boundary b : sides) {
      all.push_back({{{a, b}, {b, a}}});
      all.push_back({{{a, a}, {b, b}}});
    }
  for (const Boundary a : sides) {
    all.push_back({{{periodic, periodic}, {a, dirichlet}}});
    all.push_back({{{a, mirror}, {periodic, periodic}}});
  }
  all.push_back(all_sides<2>(periodic));
  return all;
}

std::vector<Boundaries<3>> spaces() {
  return {all_sides<3>(dirichlet),
          all_sides<3>(periodic),
          {{{no_flux, mirror}, {functor, dirichlet}, {periodic, periodic}}},
          {{{periodic, periodic}, {mirror, no_flux}, {functor, functor}}},
          {{{functor, mirror}, {periodic, periodic}, {no_flux, dirichlet}}}};
}

TYPED_TEST(StencilOperators, AreTheMatrixOfTheirStencilWithEveryBoundary) {
  for (const Boundaries<2>& boundaries : planes()) {
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
  for (const Boundaries<3>& boundaries : spaces()) {
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
  for (const Boundaries<2>& boundaries : planes()) {
    for (const Extents<2>& extents : {Extents<2>{1, 4}, {5, 2}, {37, 6}}) {
      const Grid<2> grid{extents, boundaries};
      EXPECT_EQ(applied(make_nearest<double>(this->exec, Everything<2>{}, grid, true)),
                applied(make_nearest<double>(this->exec, Everything<2>{}, grid, false)));
    }
  }
  for (const Boundaries<3>& boundaries : spaces()) {
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

template <class Exec>
struct KeepSum {
  Kokkos::View<double, typename Exec::memory_space> sum;
  KOKKOS_FUNCTION void operator()(const double (&sums)[1]) const { sum() = sums[0]; }
};

// x . A x: the numbers have few bits, so that the sum is exact in any order.
template <class Exec, class S>
void expect_dot(const Exec& exec, const S& stencil, const Grid<S::dimensions>& grid) {
  const auto a = make<double>(exec, stencil, grid);
  auto x = test_vector(a);
  auto y = a.vector("y");
  Kokkos::deep_copy(y.write(host), 1000);  // apply_dot must not read these
  const double product = a.apply_dot(x.read(exec), y.write(exec));
  const std::vector<double> values = values_of(x), result = expected(stencil, grid);
  EXPECT_EQ(values_of(y), result);
  EXPECT_EQ(product, std::inner_product(values.begin(), values.end(), result.begin(), 0.0));

  // The same with x = z + beta before, computed in the same sweep.
  if constexpr (S::dimensions == 2) {
    const auto direction = test_direction(a, x, -0.5);
    auto p = a.vector("p");
    Kokkos::deep_copy(p.write(host), 1000);
    Kokkos::deep_copy(y.write(host), 1000);
    EXPECT_EQ(a.apply_direction(direction.z.read(exec), -0.5, direction.before.read(exec),
                                p.write(exec), y.write(exec)),
              product);
    EXPECT_EQ(values_of(p), values);
    EXPECT_EQ(values_of(y), result);
    // And with the sum in the memory of the device.
    if constexpr (has_block_threads<Exec>) {
      const Kokkos::View<double, typename Exec::memory_space> sum("sum");
      Kokkos::deep_copy(p.write(host), 1000);
      Kokkos::deep_copy(y.write(host), 1000);
      a.start_direction(direction.z.read(exec), -0.5, direction.before.read(exec), p.write(exec),
                        y.write(exec), KeepSum<Exec>{sum});
      EXPECT_EQ(values_of(p), values);
      EXPECT_EQ(values_of(y), result);
      EXPECT_EQ(testing::to_host(sum).at(0), product);
    }
  }
}

TYPED_TEST(StencilOperators, MultiplyTheProductByItsVector) {
  for (const Boundaries<2>& boundaries : planes()) {
    for (const Extents<2>& extents : {Extents<2>{1, 1}, {1, 4}, {5, 2}, {37, 6}, {131, 67}})
      expect_dot(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
    expect_dot(this->exec, Coupled<2>{}, Grid<2>{{37, 6}, boundaries});
  }
  for (const Boundaries<3>& boundaries : spaces()) {
    for (const Extents<3>& extents : {Extents<3>{2, 1, 3}, {4, 5, 3}, {37, 21, 19}})
      expect_dot(this->exec, Faces<3>{}, Grid<3>{extents, boundaries});
  }
}

#if defined(KOKKOS_ENABLE_OPENMP) && defined(KOKKOS_ENABLE_SERIAL)
template <class Exec>
double random_dot(const Exec& exec, const Extents<2>& extents) {
  const auto a = make<double>(exec, Faces<2>{}, Grid<2>{extents});
  auto x = a.vector("x");
  a.fill_random(x.write(exec));
  auto y = a.vector("y");
  return a.apply_dot(x.read(exec), y.write(exec));
}
TEST(StencilOperatorsOfHosts, MultiplyToTheSameBitsWithAnyThreads) {
  for (const Extents<2>& extents : {Extents<2>{211, 107}, {5003, 7}, {3, 4001}})
    EXPECT_EQ(random_dot(Kokkos::OpenMP{}, extents), random_dot(Kokkos::Serial{}, extents));
}
#endif

// of_x x + of_product A x + terms: exact in any order, because the numbers have few bits.
template <class Exec, class S>
void expect_stage(const Exec& exec, const S& stencil, const Grid<S::dimensions>& grid) {
  const auto a = make<double>(exec, stencil, grid);
  auto x = test_vector(a);
  auto u = a.vector("u"), v = a.vector("v"), w = a.vector("w");
  fill_points(a, u.write(host), [](int f, index_t i, index_t j, index_t) { return f + i - 3 * j; });
  fill_points(a, v.write(host), [](int f, index_t i, index_t j, index_t) { return 5 * f - i * j; });
  const std::vector<double> values = values_of(x), product = expected(stencil, grid);
  std::vector<double> of_one, of_three;
  for (std::size_t i = 0; i < values.size(); ++i) {
    of_one.push_back(0.5 * values[i] - 2 * product[i] + 0.25 * values_of(u)[i]);
    of_three.push_back(-values[i] + 4 * product[i] + values_of(u)[i] + 3 * values_of(v)[i] +
                       0.5 * of_one[i]);
  }
  using Term = linear::Term<double, Exec>;
  a.apply_stage(x.read(exec), 0.5, -2.0, std::array{Term{0.25, u.read(exec)}}, w.write(exec));
  EXPECT_EQ(values_of(w), of_one);
  const auto first = u.read_write(exec);  // (the result overwrites a term)
  a.apply_stage(x.read(exec), -1.0, 4.0,
                std::array{Term{1, first}, Term{3, v.read(exec)}, Term{0.5, w.read(exec)}}, first);
  EXPECT_EQ(values_of(u), of_three);
  a.apply_stage(x.read(exec), 0.0, 1.0, std::array<Term, 0>{}, w.write(exec));
  EXPECT_EQ(values_of(w), product);
}

// A fused step of a smoother gives the same as a product and an update.
template <class Exec, class S>
void expect_relaxation(const Exec& exec, const S& stencil, const Grid<S::dimensions>& grid) {
  const auto a = make<double>(exec, stencil, grid);
  auto x = test_vector(a);
  auto b = a.vector("b"), inverse = a.vector("inverse"), y = a.vector("y");
  fill_points(a, b.write(host), [](int f, index_t i, index_t j, index_t) { return f + i - 3 * j; });
  fill_points(a, inverse.write(host),
              [](int f, index_t i, index_t, index_t) { return (f + i) % 2 == 0 ? 0.5 : 0.25; });
  Kokkos::deep_copy(y.write(host), std::nan(""));  // not read if its factor is 0
  const std::vector<double> values = values_of(x), product = expected(stencil, grid);
  std::vector<double> first, second, residual;
  for (std::size_t i = 0; i < values.size(); ++i) {
    residual.push_back(values_of(b)[i] - product[i]);
    first.push_back(0.5 * values[i] + 2 * values_of(inverse)[i] * residual[i]);
    second.push_back(1.5 * values[i] - 0.25 * first[i] + values_of(inverse)[i] * residual[i]);
  }
  const linear::ConstVector<double, Exec> of_x = x.read(exec), of_b = b.read(exec),
                                          of_d = inverse.read(exec);
  EXPECT_TRUE(a.relax(of_b, of_d, of_x, {0.5, 0, 2}, y.read_write(exec)));
  EXPECT_EQ(values_of(y), first);
  EXPECT_TRUE(a.relax(of_b, of_d, of_x, {1.5, -0.25, 1}, y.read_write(exec)));
  EXPECT_EQ(values_of(y), second);
  EXPECT_TRUE(a.relax(of_b, {}, of_x, {0, 0, 1}, y.write(exec)));
  EXPECT_EQ(values_of(y), residual);
}

TYPED_TEST(StencilOperators, MakeAStepOfASmoother) {
  const Boundaries<2> boundaries{{{mirror, functor}, {no_flux, dirichlet}}};
  for (const Extents<2>& extents : {Extents<2>{1, 4}, {37, 6}}) {
    expect_relaxation(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
    expect_relaxation(this->exec, Coupled<2>{}, Grid<2>{extents, boundaries});
  }
  expect_relaxation(this->exec, Faces<3>{}, Grid<3>{{9, 4, 5}, spaces()[2]});
}

TYPED_TEST(StencilOperators, MakeAStageOfAnExplicitStep) {
  const Boundaries<2> boundaries{{{mirror, functor}, {no_flux, dirichlet}}};
  for (const Extents<2>& extents : {Extents<2>{1, 4}, {37, 6}}) {
    expect_stage(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
    expect_stage(this->exec, Coupled<2>{}, Grid<2>{extents, boundaries});
  }
  expect_stage(this->exec, Coupled<3>{}, Grid<3>{{9, 4, 5}, spaces()[2]});
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
  for (const Boundaries<2>& boundaries : planes()) {
    for (const Extents<2>& extents : {Extents<2>{1, 1}, {2, 3}, {4, 1}}) {
      expect_diagonal(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
      expect_diagonal(this->exec, Coupled<2>{}, Grid<2>{extents, boundaries});
    }
  }
}

struct OnePlusIndex {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index... index) const {
    double weight = 1;
    double sum = 1;
    ((sum += weight * static_cast<double>(index), weight *= 3), ...);
    return sum;
  }
};

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
  for (const Boundaries<2>& boundaries : planes()) {
    expect_lift(this->exec, Everything<2>{}, Grid<2>{{5, 4}, boundaries});
    expect_lift(this->exec, Coupled<2>{}, Grid<2>{{5, 4}, boundaries});
  }
}

// u - laplace(u) with coefficients of 1.
struct One {
  template <class... Index>
  KOKKOS_FUNCTION double operator()(Index...) const {
    return 1;
  }
};

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

TYPED_TEST(StencilOperators, HaveTheModesOfTheirBoundaries) {
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

TYPED_TEST(StencilOperators, AreSolvedByWhatTakesOperators) {
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
TYPED_TEST(StencilOperators, ReproduceALinearFunctionFromItsBoundary) {
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

TYPED_TEST(StencilOperators, FillVectorsByThePoint) {
  const auto a = make<double>(this->exec, Faces<2>{}, Grid<2>{{6, 5}});
  auto x = a.vector("x");
  a.fill_random(x.write(this->exec));
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

template <class F>
std::string refusal(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(StencilOperator, RefusesGridsThatAreNone) {
  const Kokkos::DefaultHostExecutionSpace exec;
  const auto of = [&](const Grid<2>& grid) {
    return refusal([&] { stencil_operator<double>(exec, Faces<2>{}, grid); });
  };
  EXPECT_THAT(of({{0, 4}}), HasSubstr("0 points along x; there must be 1 at least"));
  EXPECT_THAT(of({{4, 4}, {{{mirror, mirror}, {periodic, no_flux}}}}),
              HasSubstr("one side is periodic along y and the other is not"));
  EXPECT_THAT(of({{4, 4}, all_sides<2>(neighbour)}), HasSubstr("Boundary::neighbour along x"));
  EXPECT_THAT(of({{4, 4}, all_sides<2>(functor)}), HasSubstr("no functor was given"));
  EXPECT_THAT(of({{4, 4}, {}, {}, "2x2"}), HasSubstr("2x2"));
}

TEST(StencilOperator, RefusesVectorsAndCoefficientsThatDoNotFit) {
  const Kokkos::DefaultHostExecutionSpace exec;
  auto a = stencil_operator<double>(exec, Faces<2>{}, Grid<2>{{4, 3}});
  EXPECT_THAT(refusal([&] { a.set_coefficient(1, One{}); }),
              HasSubstr("set_coefficient: 1; the stencil has 1, numbered from 0"));
  auto x = a.vector("x");
  auto y = a.vector("y");
  EXPECT_THAT(refusal([&] { a.apply(x.read(exec), y.write(exec)); }), HasSubstr("coefficient 0"));
  a.set_coefficient(0, One{});
  Array<double> shorter("shorter", 11);
  EXPECT_THAT(refusal([&] { a.apply(x.read(exec), shorter.write(exec)); }),
              HasSubstr("has 11 values; the subdomain has 12 points: use vector(label)"));
  auto several = make<double>(exec, Coupled<2>{}, Grid<2>{{4, 3}});
  EXPECT_THAT(
      refusal([&] { several.apply(x.read(exec), x.write(exec)); }),
      HasSubstr("has 12 values; the subdomain has 12 points and the stencil 3 fields: use"));
  EXPECT_THAT(refusal([&] { several.set_coefficient(0, several.vector("long")); }),
              HasSubstr("a vector has 36 values; the subdomain has 12 points"));
}

}  // namespace
}  // namespace kolam
