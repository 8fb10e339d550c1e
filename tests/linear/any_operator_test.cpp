// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/preconditioners.hpp>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

TEST(AnyOperator, IsTheOperator) {
  const DenseOperator a = differences(7);
  const linear::AnyOperator any(a);
  static_assert(linear::LinearOperator<linear::AnyOperator<double, DenseExec>>);
  EXPECT_EQ(any.rows(), 7);
  const DenseVector x = dense_vector(random_values(7));
  const DenseVector y("y", 7), z("z", 7), d("d", 7), e("e", 7);
  a.apply(x, y);
  any.apply(x, z);
  EXPECT_EQ(numbers_of(z), numbers_of(y));
  any.apply_add(x, z);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(numbers_of(z)[i], 2 * numbers_of(y)[i], 1e-13);
  a.diagonal(d);
  any.diagonal(e);
  EXPECT_EQ(numbers_of(e), numbers_of(d));
}

TEST(AnyApplicable, Applies) {
  const linear::AnyApplicable any(linear::Jacobi<double, DenseExec>{{}, dense_vector({2, 3})});
  const DenseVector y("y", 2);
  any.apply(dense_vector({1, 1}), y);
  EXPECT_EQ(numbers_of(y), (std::vector<double>{2, 3}));
}

}  // namespace
}  // namespace kolam::testing
