// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <cmath>
#include <kolam/core/instances.hpp>
#include <kolam/grid/stencil_operator.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <numeric>
#include <vector>

#include "operator_cases.hpp"

namespace kolam::stencil_operator_fused_test {

using grid::Grid;
using namespace stencil_oracle;
using enum Boundary;

template <class Exec>
class FusedStencilOperators : public ::testing::Test {
 public:
  Exec exec{};
};
TYPED_TEST_SUITE(FusedStencilOperators, testing::KokkosSpaces, testing::ExecutionSpaceNames);

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

TYPED_TEST(FusedStencilOperators, MultiplyTheProductByItsVector) {
  for (const Boundaries<2>& boundaries : plane_boundaries()) {
    for (const Extents<2>& extents : {Extents<2>{1, 1}, {1, 4}, {5, 2}, {37, 6}, {131, 67}})
      expect_dot(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
    expect_dot(this->exec, Coupled<2>{}, Grid<2>{{37, 6}, boundaries});
  }
  for (const Boundaries<3>& boundaries : space_boundaries()) {
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
TEST(FusedStencilOperatorsOfHosts, MultiplyToTheSameBitsWithAnyThreads) {
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

TYPED_TEST(FusedStencilOperators, MakeAStepOfASmoother) {
  const Boundaries<2> boundaries{{{mirror, functor}, {no_flux, dirichlet}}};
  for (const Extents<2>& extents : {Extents<2>{1, 4}, {37, 6}}) {
    expect_relaxation(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
    expect_relaxation(this->exec, Coupled<2>{}, Grid<2>{extents, boundaries});
  }
  expect_relaxation(this->exec, Faces<3>{}, Grid<3>{{9, 4, 5}, space_boundaries()[2]});
}

TYPED_TEST(FusedStencilOperators, MakeAStageOfAnExplicitStep) {
  const Boundaries<2> boundaries{{{mirror, functor}, {no_flux, dirichlet}}};
  for (const Extents<2>& extents : {Extents<2>{1, 4}, {37, 6}}) {
    expect_stage(this->exec, Everything<2>{}, Grid<2>{extents, boundaries});
    expect_stage(this->exec, Coupled<2>{}, Grid<2>{extents, boundaries});
  }
  expect_stage(this->exec, Coupled<3>{}, Grid<3>{{9, 4, 5}, space_boundaries()[2]});
}

}  // namespace kolam::stencil_operator_fused_test
