// SPDX-License-Identifier: Apache-2.0
// Its steps are those of plain conjugate gradients; other properties: conjugate_gradient_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/linear/merged_conjugate_gradient.hpp>
#include <kolam/linear/preconditioners.hpp>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

void expect_same(const linear::SolveResult& one, const linear::SolveResult& other) {
  ASSERT_EQ(one.iterations, other.iterations);
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b,
                       double relative) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], relative * std::abs(a[k]) + 1e-12) << k;
  };
  near(one.residual_history, other.residual_history, 1e-6);
  near(one.preconditioned_history, other.preconditioned_history, 1e-6);
  near(one.alphas, other.alphas, 1e-5);
  near(one.betas, other.betas, 1e-5);
}

TEST(MergedConjugateGradient, TakesTheSameStepsAsThePlainOne) {
  const DenseOperator a = differences(80);
  const DenseVector b = dense_vector(random_values(80));
  const auto start = [] { return dense_vector(random_values(80, 2)); };
  expect_same(conjugate_gradient(a, linear::Identity{}, b, start()),
              merged_conjugate_gradient(a, {}, b, start()));
  const auto inverse = linear::inverse_diagonal(a);
  expect_same(
      conjugate_gradient(a, linear::Jacobi<double, DenseExec>{a.exec(), inverse}, b, start()),
      merged_conjugate_gradient(a, inverse, b, start()));
}

// x is updated at every second step, and at the last step whether its number is even or odd.
void expect_same_x(const DenseOperator& a, const ConstDenseVector& scale,
                   const linear::SolveOptions& options, double near) {
  const int n = static_cast<int>(a.rows());
  const DenseVector b = dense_vector(random_values(n));
  const DenseVector x = dense_vector(random_values(n, 2));
  const DenseVector merged = dense_vector(random_values(n, 2));
  const linear::SolveResult plain =
      scale.data() == nullptr
          ? conjugate_gradient(a, linear::Identity{}, b, x, options)
          : conjugate_gradient(a, linear::Jacobi<double, DenseExec>{a.exec(), scale}, b, x,
                               options);
  const linear::SolveResult result = merged_conjugate_gradient(a, scale, b, merged, options);
  EXPECT_EQ(result.status, plain.status);
  EXPECT_EQ(result.iterations, plain.iterations);
  const std::vector<double> expected = numbers_of(x);
  const std::vector<double> found = numbers_of(merged);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], near) << plain.iterations << " steps, entry " << i;
}
void expect_same_x(const DenseOperator& a, const ConstDenseVector& scale, double near,
                   std::int64_t most = 7) {
  for (std::int64_t steps = 0; steps <= most; ++steps)
    expect_same_x(a, scale, {.rtol = 0, .max_iterations = steps}, near);
}

TEST(MergedConjugateGradient, LosesNoStepOfX) {
  const DenseOperator a = differences(40);
  expect_same_x(a, {}, 1e-11);
  expect_same_x(a, linear::inverse_diagonal(a), 1e-11);
}

TEST(MergedConjugateGradient, LosesNoStepWhereTheToleranceIsMet) {
  for (double rtol = 0.5; rtol > 1e-6; rtol /= 2)
    expect_same_x(differences(40), {}, {.rtol = rtol}, 1e-11);
}

// A step that nearly solves the system leaves almost no trace in the next direction.
TEST(MergedConjugateGradient, LosesNoStepThatAllButEndsIt) {
  const DenseOperator near_identity(
      40, [](int i, int j) { return i == j ? 1 + 1e-4 * std::sin(i) : 0.0; });
  expect_same_x(near_identity, {}, 1e-13, 3);
}

// For these operators, directions 2 and 3 are the first that are refused.
TEST(MergedConjugateGradient, LosesNoStepBeforeADirectionThatIsNone) {
  for (const double last : {-0.2, -3.0}) {
    const DenseOperator indefinite(30, [=](int i, int j) {
      return i != j ? 0.0 : i == 29 ? last : 1.0 + i;
    });
    expect_same_x(indefinite, {}, 1e-12);
  }
}

}  // namespace
}  // namespace kolam::testing
