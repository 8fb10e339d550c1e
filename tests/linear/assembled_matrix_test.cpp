// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/linear/assembled_matrix.hpp>

#include "dense_operator.hpp"

namespace kolam::testing {
namespace {

TEST(AssembledMatrix, RefusesArraysThatDoNotFit) {
  using Matrix = linear::AssembledMatrix<double, DenseExec>;
  const Kokkos::View<index_t*, DenseExec> rows("rows", 3);
  Kokkos::deep_copy(Kokkos::subview(rows, 2), 4);
  const Kokkos::View<int*, DenseExec> columns("columns", 4);
  EXPECT_THROW(Matrix(DenseExec{}, {}, columns, dense_vector({1, 2, 3, 4})), InvalidArgument);
  try {
    Matrix(DenseExec{}, rows, columns, dense_vector({1, 2, 3}));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("ends with 4, but there are 4 columns and 3"));
  }
  const Matrix empty_rows(DenseExec{}, Kokkos::View<index_t*, DenseExec>("rows", 3), {}, {});
  EXPECT_THROW(empty_rows.apply(dense_vector({1}), dense_vector({1, 2})), InvalidArgument);
  const DenseVector d = dense_vector({7, 7});
  empty_rows.diagonal(d);
  EXPECT_THAT(numbers_of(d), ::testing::Each(0.0));
}

}  // namespace
}  // namespace kolam::testing
