// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <kolam/linear/multigrid.hpp>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace multigrid_test {
namespace {

// Second differences at n = 2^k - 1 points between two fixed ends. Coarse points are every other
// point; with linear interpolation P, the Galerkin operator P^T A P is the same with half the
// factor.
DenseOperator second_differences(int n, double factor) {
  return {n, [=](int i, int j) {
            return factor * (i == j ? 2.0 : (i - j == 1 || j - i == 1) ? -1.0 : 0.0);
          }};
}

void set(const DenseVector& x, const std::vector<double>& values) {
  Kokkos::deep_copy(x, dense_vector(values));
}

linear::LevelTransfer<double, DenseExec> linear_interpolation() {
  return {[](const ConstDenseVector& coarse, const DenseVector& fine) {
            const std::vector<double> c = numbers_of(coarse);
            std::vector<double> f = numbers_of(fine);
            for (std::size_t i = 0; i < c.size(); ++i) {
              f[2 * i] += c[i] / 2;
              f[2 * i + 1] += c[i];
              f[2 * i + 2] += c[i] / 2;
            }
            set(fine, f);
          },
          [](const DenseVector& fine, const DenseVector& coarse) {
            const std::vector<double> f = numbers_of(fine);
            std::vector<double> c(coarse.extent(0));
            for (std::size_t i = 0; i < c.size(); ++i)
              c[i] = f[2 * i] / 2 + f[2 * i + 1] + f[2 * i + 2] / 2;
            set(coarse, c);
          }};
}

linear::Multigrid<double, DenseExec> multigrid_of(int n, double coarse_rtol = 1e-12) {
  using Any = linear::AnyOperator<double, DenseExec>;
  double factor = 1;
  linear::Multigrid<double, DenseExec> result(Any(second_differences(n, factor)),
                                              {.coarse_rtol = coarse_rtol});
  for (n /= 2, factor /= 2; n >= 3; n /= 2, factor /= 2)
    result.add(Any(second_differences(n, factor)), linear_interpolation());
  return result;
}

std::vector<double> cycle(const linear::Multigrid<double, DenseExec>& m,
                          const std::vector<double>& b) {
  const DenseVector x("x", b.size());
  m.apply(dense_vector(b), x);
  DenseExec{}.fence("test");
  return numbers_of(x);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(Multigrid, CountsItsLevels) {
  EXPECT_EQ(multigrid_of(3).levels(), 1U);
  EXPECT_EQ(multigrid_of(31).levels(), 4U);  // 31, 15, 7, 3
}

// Solves three equations by Cramer's rule, times `factor`.
struct Direct {
  using value_type = double;
  using execution_space = DenseExec;
  std::array<std::array<double, 3>, 3> a{};
  double factor = 1;

  Direct(const linear::AnyOperator<double, DenseExec>& of, double times) : factor(times) {
    for (std::size_t j = 0; j < 3; ++j) {
      std::vector<double> unit(3, 0);
      unit[j] = 1;
      const DenseVector y("y", 3);
      of.apply(dense_vector(unit), y);
      for (std::size_t i = 0; i < 3; ++i) a[i][j] = numbers_of(y)[i];
    }
  }
  void apply(const ConstDenseVector& b, const DenseVector& x) const {
    const auto determinant = [](const auto& m) {
      return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    };
    const std::vector<double> right = numbers_of(b);
    std::vector<double> solution;
    for (std::size_t k = 0; k < 3; ++k) {
      auto replaced = a;
      for (std::size_t i = 0; i < 3; ++i) replaced[i][k] = right[i];
      solution.push_back(factor * determinant(replaced) / determinant(a));
    }
    set(x, solution);
  }
};

TEST(Multigrid, SolvesItsCoarsestLevelAsFarAsAsked) {
  const std::vector<double> b = random_values(31);
  const auto far_from = [expected = cycle(multigrid_of(31), b)](const std::vector<double>& found) {
    double most = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      most = std::max(most, std::abs(found[i] - expected[i]));
    return most;
  };
  EXPECT_LT(far_from(cycle(multigrid_of(31, 1e-10), b)), 1e-8);
  EXPECT_GT(far_from(cycle(multigrid_of(31, 0.9), b)), 1e-4);
}

TEST(Multigrid, TakesASolverForItsCoarsestLevel) {
  linear::Multigrid<double, DenseExec> m = multigrid_of(15);
  ASSERT_EQ(m.coarsest().rows(), 3);
  const std::vector<double> b = random_values(15);
  const std::vector<double> expected = cycle(m, b);
  m.solve_coarsest_by(linear::AnyApplicable(Direct(m.coarsest(), 1)));
  const std::vector<double> found = cycle(m, b);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
  m.solve_coarsest_by(linear::AnyApplicable(Direct(m.coarsest(), 2)));
  EXPECT_GT(std::abs(cycle(m, b)[7] - expected[7]), 1e-3) << "this one is used";
  // A new coarsest level does not inherit the solver.
  m.add(linear::AnyOperator<double, DenseExec>(second_differences(1, 0.125)),
        linear_interpolation());
  EXPECT_EQ(m.coarsest().rows(), 1);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(cycle(m, b)[i], expected[i], 0.1);
}

TEST(Multigrid, SolvesOnOneLevel) {
  const DenseOperator a = second_differences(7, 1);
  const linear::Multigrid m{linear::AnyOperator(a), {.coarse_rtol = 1e-12}};
  const std::vector<double> expected = random_values(7);
  const std::vector<double> found = cycle(m, numbers_of(right_hand_side(a, expected)));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
}

TEST(Multigrid, IsSymmetricAndPositive) {
  const int n = 31;
  const auto m = multigrid_of(n);
  for (unsigned seed = 1; seed < 5; ++seed) {
    const std::vector<double> u = random_values(n, seed);
    const std::vector<double> v = random_values(n, seed + 50);
    const double umv = dot(u, cycle(m, v));
    EXPECT_NEAR(umv, dot(v, cycle(m, u)), 1e-6 * (1 + std::abs(umv))) << "seed " << seed;
    EXPECT_GT(dot(u, cycle(m, u)), 0) << "seed " << seed;
  }
}

TEST(Multigrid, MakesIterationsIndependentOfTheSize) {
  for (const int n : {15, 63, 255}) {
    const DenseOperator a = second_differences(n, 1);
    const linear::AnyApplicable m(multigrid_of(n, linear::MultigridOptions{}.coarse_rtol));
    const DenseVector x("x", static_cast<std::size_t>(n));
    const linear::SolveResult result = conjugate_gradient(
        linear::AnyOperator(a), m, right_hand_side(a, random_values(n)), x, {.rtol = 1e-8});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    EXPECT_LE(result.iterations, 8) << n << " points";
  }
}

}  // namespace
}  // namespace multigrid_test
}  // namespace kolam::testing
