// SPDX-License-Identifier: Apache-2.0
// That its steps are those of conjugate gradients; all else: conjugate_gradient_test.cpp.
#include <gtest/gtest.h>

#include <kolam/solvers/merged_conjugate_gradient.hpp>
#include <kolam/solvers/preconditioners.hpp>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

void expect_same(const SolveResult& one, const SolveResult& other) {
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
  expect_same(conjugate_gradient<double, DenseExec>(a, Identity{}, b, start()),
              merged_conjugate_gradient<double, DenseExec>(a, {}, b, start()));
  const auto inverse = inverse_diagonal<double, DenseExec>(a);
  expect_same(conjugate_gradient<double, DenseExec>(a, Jacobi<double, DenseExec>{a.exec(), inverse},
                                                    b, start()),
              merged_conjugate_gradient<double, DenseExec>(a, inverse, b, start()));
}

}  // namespace
}  // namespace kolam::testing
