// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/linear/preconditioners.hpp>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

DenseOperator diagonal(const std::vector<double>& values) {
  return {static_cast<int>(values.size()),
          [&](int i, int j) { return i == j ? values[static_cast<std::size_t>(i)] : 0.0; }};
}

TEST(InverseDiagonal, IsOneOverTheDiagonal) {
  EXPECT_EQ(numbers_of(linear::inverse_diagonal(diagonal({2, 4, 8}))),
            (std::vector<double>{0.5, 0.25, 0.125}));
}

TEST(Jacobi, MultipliesByIt) {
  const DenseVector y("y", 3);
  linear::Jacobi<double, DenseExec>{{}, dense_vector({1, 2, 3})}.apply(dense_vector({5, 5, 5}), y);
  EXPECT_EQ(numbers_of(y), (std::vector<double>{5, 10, 15}));
}

TEST(EstimateEigenvalues, FindsThoseOfTheScaledOperator) {
  // Second differences have a cosine spectrum: D^-1 A has eigenvalues 1 - cos(k pi / (n + 1)).
  const int n = 40;
  const DenseOperator a(n, [](int i, int j) {
    return i == j ? 6.0 : (i - j == 1 || j - i == 1) ? -3.0 : 0.0;
  });
  const auto inverse = linear::inverse_diagonal(a);
  const double pi = std::acos(-1.0);
  const double largest = 1 + std::cos(pi / (n + 1));
  const double smallest = 1 - std::cos(pi / (n + 1));
  const linear::EigenvalueEstimate few = linear::estimate_eigenvalues(a, inverse);
  EXPECT_LE(few.largest, largest * (1 + 1e-12));
  EXPECT_GT(few.largest, 0.95 * largest);
  EXPECT_GE(few.smallest, smallest * (1 - 1e-9));
  const linear::EigenvalueEstimate all = linear::estimate_eigenvalues(a, inverse, n);
  EXPECT_NEAR(all.largest, largest, 1e-6);
  EXPECT_NEAR(all.smallest, smallest, 1e-6);
}

// The Chebyshev polynomial T_k, also outside [-1, 1].
double chebyshev(int k, double x) {
  double before = 1;
  double now = x;
  if (k == 0) return 1;
  for (int i = 1; i < k; ++i) {
    const double next = 2 * x * now - before;
    before = now;
    now = next;
  }
  return now;
}

TEST(Chebyshev, LeavesOfAnEigenvectorWhatItsPolynomialSays) {
  // With A = diag(eigenvalues) and D = 1 (given), an initial error of 1 becomes T_k((c - l) / h) /
  // T_k(c / h) in the entry of eigenvalue l.
  const std::vector<double> eigenvalues{0.05, 0.2, 0.5, 1.0, 1.7, 2.0};
  const DenseOperator a = diagonal(eigenvalues);
  const DenseVector one = dense_vector(std::vector<double>(6, 1.0));
  const double largest = 2;
  const double range = 10;
  const double center = 0.5 * (largest + largest / range);
  const double half = 0.5 * (largest - largest / range);
  for (const int degree : {1, 2, 3, 6}) {
    const linear::Chebyshev<DenseOperator> smoother(a, one, degree, largest, range);
    const DenseVector x("x", 6);
    smoother.apply(dense_vector(eigenvalues), x);  // A x = b has the solution 1
    const std::vector<double> once = numbers_of(x);
    smoother.smooth(dense_vector(eigenvalues), x);
    const std::vector<double> twice = numbers_of(x);
    for (std::size_t i = 0; i < 6; ++i) {
      const double left =
          chebyshev(degree, (center - eigenvalues[i]) / half) / chebyshev(degree, center / half);
      EXPECT_NEAR(1 - once[i], left, 1e-12) << degree << ", " << eigenvalues[i];
      EXPECT_NEAR(1 - twice[i], left * left, 1e-12) << degree << ", " << eigenvalues[i];
    }
  }
}

TEST(Chebyshev, RefusesWhatSmoothsNothing) {
  const DenseOperator a = differences(3);
  const auto inverse = linear::inverse_diagonal(a);
  using Smoother = linear::Chebyshev<DenseOperator>;
  EXPECT_THROW(Smoother(a, inverse, 0, 2, 20), InvalidArgument);
  EXPECT_THROW(Smoother(a, inverse, 4, 2, 1), InvalidArgument);
  EXPECT_THROW(Smoother(a, inverse, 4, 2, std::nan("")), InvalidArgument);
}

TEST(Chebyshev, IsSymmetric) {
  const DenseOperator a = differences(20);
  const auto inverse = linear::inverse_diagonal(a);
  const linear::Chebyshev<DenseOperator> m(a, inverse, 4, 2, 20);
  const std::vector<double> u = random_values(20, 1);
  const std::vector<double> v = random_values(20, 2);
  const DenseVector mu("mu", 20), mv("mv", 20);
  m.apply(dense_vector(u), mu);
  m.apply(dense_vector(v), mv);
  double uv = 0, vu = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    uv += u[i] * numbers_of(mv)[i];
    vu += v[i] * numbers_of(mu)[i];
  }
  EXPECT_NEAR(uv, vu, 1e-13);
}

}  // namespace
}  // namespace kolam::testing
