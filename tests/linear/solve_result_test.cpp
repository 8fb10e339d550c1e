// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/linear/solve_result.hpp>
#include <limits>

namespace kolam::solve_result_test {
namespace {

using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string error_of(const linear::SolveOptions& options) {
  try {
    validate(options);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "";
}

TEST(SolveOptions, NameWhatIsWrong) {
  EXPECT_EQ(error_of({}), "");
  EXPECT_EQ(error_of({.rtol = 0, .max_iterations = 0}), "");
  EXPECT_THAT(error_of({.rtol = -1}), HasSubstr("rtol is -1"));
  EXPECT_THAT(error_of({.rtol = nan}), HasSubstr("rtol is nan"));
  EXPECT_THAT(error_of({.atol = -2}), HasSubstr("atol is -2"));
  EXPECT_THAT(error_of({.max_iterations = -3}), HasSubstr("max_iterations is -3"));
  EXPECT_THAT(error_of({.patience = 0}), HasSubstr("patience is 0"));
}

// Returns the status after these residuals, one for each iteration; r M r is `rz` throughout.
linear::SolveStatus status_after(const linear::SolveOptions& options,
                                 const std::vector<double>& residuals, double rz = 1) {
  linear::detail::SolveProgress progress(options);
  progress.start(residuals[0], rz);
  for (std::size_t i = 1; i < residuals.size() && !progress.ended(); ++i)
    progress.step(residuals[i], rz);
  EXPECT_TRUE(progress.ended());
  return progress.finish(0).status;
}

TEST(SolveProgress, EndsForEachReason) {
  EXPECT_EQ(status_after({.rtol = 0.1}, {10, 5, 1}), linear::SolveStatus::converged);
  EXPECT_EQ(status_after({.rtol = 0, .atol = 2}, {10, 2}), linear::SolveStatus::converged);
  EXPECT_EQ(status_after({.rtol = 0}, {0}), linear::SolveStatus::converged);
  EXPECT_EQ(status_after({.max_iterations = 2}, {10, 5, 4}), linear::SolveStatus::iteration_limit);
  EXPECT_EQ(status_after({.max_iterations = 0}, {10}), linear::SolveStatus::iteration_limit);
  EXPECT_EQ(status_after({.patience = 2}, {10, 5, 6, 5}), linear::SolveStatus::stagnated);
  EXPECT_EQ(status_after({}, {10, nan}), linear::SolveStatus::not_finite);
  EXPECT_EQ(status_after({}, {10}, nan), linear::SolveStatus::not_finite);
  EXPECT_EQ(status_after({}, {10}, -1), linear::SolveStatus::indefinite_preconditioner);
  EXPECT_EQ(status_after({}, {1e-200}, 0), linear::SolveStatus::stagnated);
}

TEST(SolveProgress, DoesNotEndBefore) {
  linear::detail::SolveProgress progress({.rtol = 0.1, .max_iterations = 5, .patience = 3});
  progress.start(10, 1);
  for (const double residual : {11.0, 12.0, 9.0, 9.5}) {
    progress.step(residual, 1);
    EXPECT_FALSE(progress.ended()) << residual;
  }
  progress.step(1.0, 1);
  EXPECT_EQ(progress.finish(0).status, linear::SolveStatus::converged);
}

TEST(SolveProgress, AdmitsOnlyDirectionsOfAPositiveOperator) {
  const auto status = [](double pq) {
    linear::detail::SolveProgress progress({});
    progress.start(1, 1);
    const bool admitted = progress.admits(pq);
    EXPECT_EQ(admitted, !progress.ended());
    return progress.ended() ? progress.finish(0).status : linear::SolveStatus::converged;
  };
  EXPECT_EQ(status(1), linear::SolveStatus::converged);  // goes on
  EXPECT_EQ(status(0), linear::SolveStatus::indefinite);
  EXPECT_EQ(status(-1), linear::SolveStatus::indefinite);
  EXPECT_EQ(status(nan), linear::SolveStatus::not_finite);
}

TEST(SolveProgress, KeepsTheHistory) {
  linear::detail::SolveProgress progress({.max_iterations = 1});
  progress.start(3, 4);
  progress.lanczos(0.5, 0);
  progress.step(2, 9);
  const linear::SolveResult result = progress.finish(7);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(result.residual_history, (std::vector<double>{3, 2}));
  EXPECT_EQ(result.preconditioned_history, (std::vector<double>{2, 3}));
  EXPECT_EQ(result.true_residual, 7);
  EXPECT_EQ(result.alphas, std::vector<double>{0.5});
}

TEST(SolveStatus, HasANameAndAReason) {
  for (const auto status :
       {linear::SolveStatus::converged, linear::SolveStatus::iteration_limit,
        linear::SolveStatus::indefinite, linear::SolveStatus::indefinite_preconditioner,
        linear::SolveStatus::stagnated, linear::SolveStatus::not_finite}) {
    EXPECT_FALSE(name(status).empty());
    EXPECT_GT(reason(status).size(), 10U);
  }
  EXPECT_EQ(name(linear::SolveStatus::indefinite), "indefinite");
}

TEST(EigenvalueEstimate, IsThatOfTheLanczosMatrix) {
  // alpha and beta of conjugate gradients on diag(1, 2, 4) with b = (1, 1, 1), by hand in exact
  // arithmetic: all three eigenvalues are found in three iterations.
  linear::SolveResult result;
  EXPECT_THROW(static_cast<void>(linear::eigenvalue_estimate(result)), InvalidArgument);
  const double a[3] = {1, 2, 4};
  double r[3] = {1, 1, 1}, p[3] = {1, 1, 1};
  double rr = 3, beta = 0;
  for (int k = 0; k < 3; ++k) {
    double pq = 0;
    for (int i = 0; i < 3; ++i) pq += p[i] * a[i] * p[i];
    const double alpha = rr / pq;
    result.alphas.push_back(alpha);
    result.betas.push_back(beta);
    double next = 0;
    for (int i = 0; i < 3; ++i) {
      r[i] -= alpha * a[i] * p[i];
      next += r[i] * r[i];
    }
    beta = next / rr;
    rr = next;
    for (int i = 0; i < 3; ++i) p[i] = r[i] + beta * p[i];
  }
  EXPECT_NEAR(linear::eigenvalue_estimate(result).smallest, 1, 1e-9);
  EXPECT_NEAR(linear::eigenvalue_estimate(result).largest, 4, 1e-9);
  result.alphas.resize(1);
  result.betas.resize(1);
  EXPECT_NEAR(linear::eigenvalue_estimate(result).largest, 7.0 / 3, 1e-9);
}

}  // namespace
}  // namespace kolam::solve_result_test
