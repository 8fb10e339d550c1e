// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/linear/operator.hpp>
#include <set>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

struct OnlyApplies {
  void apply(const ConstDenseVector&, const DenseVector&) const {}
};
static_assert(linear::LinearOperator<DenseOperator>);
static_assert(linear::Applicable<OnlyApplies, double, DenseExec>);
static_assert(!linear::LinearOperator<OnlyApplies>);
static_assert(!linear::Applicable<DenseVector, double, DenseExec>);

TEST(RowDistribution, AreAllRowsIfTheOperatorDoesNotSay) {
  const comm::RowDistribution rows = linear::row_distribution(differences(7));
  EXPECT_EQ(rows.here, 7);
  EXPECT_EQ(rows.owned, 7);
  EXPECT_EQ(rows.components, 1);
  EXPECT_EQ(rows.communicator.size(), 1);
}

TEST(ScatterNumbers, FillsEveryRowWithAnotherNumberFromMinusOneToOne) {
  const DenseOperator a = differences(100);
  const DenseVector x = dense_vector(std::vector<double>(100, 7.0));
  linear::fill_random(a, x);
  a.exec().fence("test");
  const std::vector<double> numbers = numbers_of(x);
  EXPECT_THAT(numbers, ::testing::Each(::testing::AllOf(::testing::Ge(-1), ::testing::Le(1))));
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), 100U);
  EXPECT_NE(std::signbit(*std::min_element(numbers.begin(), numbers.end())),
            std::signbit(*std::max_element(numbers.begin(), numbers.end())));
}

// sums += (row, value).
struct AddRowAndValue {
  DenseVector x;
  KOKKOS_FUNCTION void operator()(index_t row, double (&sums)[2]) const {
    sums[0] += static_cast<double>(row);
    sums[1] += x(row);
  }
};

TEST(RowSums, CountsTheOwnedRowsOfEveryComponent) {
  // Two components of five rows; another process owns the last two rows of each.
  const comm::RowDistribution rows{5, 3, 2, {}};
  const DenseVector x = dense_vector({1, 2, 3, 100, 100, 10, 20, 30, 100, 100});
  const auto [numbers, values] =
      linear::RowSums<2, DenseExec>(DenseExec{}, rows).of("test", AddRowAndValue{x});
  EXPECT_EQ(numbers, 0 + 1 + 2 + 5 + 6 + 7);
  EXPECT_EQ(values, 66);
}

TEST(RowSums, OfNoRowsAreZero) {
  const auto [numbers, values] = linear::RowSums<2, DenseExec>(DenseExec{}, {0, 0, 1, {}})
                                     .of("test", AddRowAndValue{dense_vector({})});
  EXPECT_EQ(numbers, 0);
  EXPECT_EQ(values, 0);
}

}  // namespace
}  // namespace kolam::testing
