// SPDX-License-Identifier: Apache-2.0
// One process only. Several processes: tests/mpi.
#include <gtest/gtest.h>

#include "../fem/box_spaces.hpp"

namespace kolam::testing {
namespace {

TEST(SharedDofs, AreNoneInOneProcess) {
  const auto space = bent_space<2>(gauss_element(2, 3), fem::attribute_bits(2, {1}));
  EXPECT_EQ(space.shared, nullptr);
  const comm::RowDistribution rows = space.rows(2);
  EXPECT_EQ(rows.here, space.dofs.entries);
  EXPECT_EQ(rows.owned, space.dofs.entries);
  EXPECT_EQ(rows.components, 2);
  EXPECT_EQ(space.sum(1.5), 1.5);
}

// Adds 10^row, so that each decimal digit of the sum shows how often its row was counted.
struct Digit {
  KOKKOS_FUNCTION void operator()(index_t row, double (&sums)[1]) const {
    double digit = 1;
    for (index_t i = 0; i < row; ++i) digit *= 10;
    sums[0] += digit;
  }
};

// Two components of three rows; owned rows are 0, 1 and 3, 4.
TEST(RowSums, CountTheOwnedRowsOfEveryComponent) {
  const linear::RowSums<1, DenseExec> sums(DenseExec{}, {3, 2, 2});
  EXPECT_EQ(sums.of("rows", Digit{})[0], 11011);
}

}  // namespace
}  // namespace kolam::testing
