// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/linear/chebyshev_iteration.hpp>
#include <limits>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

using linear::SolveStatus;
using ::testing::HasSubstr;

// The Chebyshev polynomial T_k, for |x| <= 1 and beyond.
double chebyshev_polynomial(std::int64_t k, double x) {
  const auto n = static_cast<double>(k);
  if (std::abs(x) <= 1) return std::cos(n * std::acos(x));
  return std::cosh(n * std::acosh(std::abs(x))) * (x < 0 && k % 2 == 1 ? -1 : 1);
}

// With A = diag(eigenvalues) and D = 1, an initial error of 1 becomes T_k((c - l) / h) / T_k(c / h)
// after k iterations, for eigenvalues l within the interval and below it.
TEST(ChebyshevIteration, LeavesWhatItsPolynomialSays) {
  const std::vector<double> eigenvalues{0.1, 0.25, 0.6, 1.0, 1.7, 2.0};
  const DenseOperator a(
      6, [&](int i, int j) { return i == j ? eigenvalues[static_cast<std::size_t>(i)] : 0.0; });
  const DenseVector one = dense_vector(std::vector<double>(6, 1.0));
  for (const std::int64_t iterations : {1, 2, 5, 10, 13, 20}) {
    const DenseVector x("x", 6);
    const auto result =
        kolam::chebyshev_iteration(a, one, {0.2, 2}, dense_vector(eigenvalues), x,
                                   {.rtol = 0, .max_iterations = iterations, .patience = 100}, 7);
    EXPECT_EQ(result.status, SolveStatus::iteration_limit);
    EXPECT_EQ(result.iterations, iterations);
    const std::vector<double> found = numbers_of(x);
    double residual = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const double left = chebyshev_polynomial(iterations, (1.1 - eigenvalues[i]) / 0.9) /
                          chebyshev_polynomial(iterations, 1.1 / 0.9);
      EXPECT_NEAR(1 - found[i], left, 1e-12) << iterations << ", " << eigenvalues[i];
      residual += eigenvalues[i] * left * eigenvalues[i] * left;
    }
    // At the start, at every seventh iteration and at the end.
    ASSERT_EQ(result.residual_history.size(), static_cast<std::size_t>(1 + (iterations + 6) / 7));
    EXPECT_NEAR(result.residual_history.back(), std::sqrt(residual), 1e-12);
    EXPECT_NEAR(result.true_residual, std::sqrt(residual), 1e-12);
  }
}

TEST(ChebyshevIteration, SolvesFromWhereItStarts) {
  const DenseOperator a = differences(30);
  const auto inverse = linear::inverse_diagonal(a);
  const linear::EigenvalueEstimate spectrum = linear::estimate_eigenvalues(a, inverse, 30);
  const std::vector<double> solution = random_values(30, 3);
  const DenseVector b("b", 30);
  a.apply(dense_vector(solution), b);
  const DenseVector x = dense_vector(random_values(30, 4));
  const auto result = kolam::chebyshev_iteration(a, inverse, spectrum, b, x, {.rtol = 1e-11});
  EXPECT_EQ(result.status, SolveStatus::converged);
  EXPECT_EQ(result.iterations % 10, 0);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(numbers_of(x)[i], solution[i], 1e-8);

  const auto again = kolam::chebyshev_iteration(a, inverse, spectrum, b, x, {.atol = 1e-6});
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.status, SolveStatus::converged);
}

TEST(ChebyshevIteration, SaysWhereItDiverges) {
  const DenseOperator a = differences(30);
  const auto inverse = linear::inverse_diagonal(a);
  const DenseVector b = dense_vector(random_values(30, 1)), x("x", 30);
  // The interval covers only the lower half of the spectrum.
  const auto result = kolam::chebyshev_iteration(a, inverse, {0.01, 1}, b, x,
                                                 {.max_iterations = 100000, .patience = 50});
  EXPECT_EQ(result.status, SolveStatus::stagnated);
  EXPECT_GT(result.residual_history.back(), result.residual_history.front());
}

TEST(ChebyshevIteration, RefusesWhatIsNoSpectrum) {
  const DenseOperator a = differences(3);
  const auto inverse = linear::inverse_diagonal(a);
  const DenseVector b("b", 3), x("x", 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [smallest, largest] :
       {std::pair(0.0, 1.0), {-1.0, 1.0}, {2.0, 1.0}, {1.0, 1.0}, {nan, 1.0}, {1.0, nan}}) {
    try {
      static_cast<void>(kolam::chebyshev_iteration(a, inverse, {smallest, largest}, b, x));
      FAIL() << smallest << ", " << largest;
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), HasSubstr("above 0 and below the second"));
    }
  }
  EXPECT_THROW(static_cast<void>(kolam::chebyshev_iteration(a, inverse, {1, 2}, b, x, {}, 0)),
               InvalidArgument);
}

TEST(PolynomialPreconditioner, TakesThePlaceOfIterations) {
  const DenseOperator a(200, [](int i, int j) {
    return i == j ? 2.1 : (i - j == 1 || j - i == 1) ? -1.0 : 0.0;
  });
  const DenseVector b = dense_vector(random_values(200, 1));
  const auto iterations = [&](const auto& m) {
    const DenseVector x("x", 200);
    const auto result = kolam::conjugate_gradient(a, m, b, x, {.rtol = 1e-10});
    EXPECT_EQ(result.status, SolveStatus::converged);
    return result.iterations;
  };
  const auto plain = iterations(linear::Identity{});
  const auto ten = iterations(linear::polynomial_preconditioner(a, 10, 100));
  EXPECT_LT(ten, plain / 5);
  EXPECT_GT(ten, plain / 20);
}

TEST(PolynomialPreconditioner, RefusesWhatIsNotPositive) {
  const DenseOperator mixed(4, [](int i, int j) { return i == j ? 1.0 : 2.0; });
  EXPECT_THROW(static_cast<void>(linear::polynomial_preconditioner(mixed, 10)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(linear::polynomial_preconditioner(differences(5), 0)),
               InvalidArgument);
}

}  // namespace
}  // namespace kolam::testing
