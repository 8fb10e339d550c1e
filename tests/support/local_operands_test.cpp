// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/testing/local_operands.hpp>

namespace kolam::testing {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

TEST(LocalOperands, SeeEveryPointThatIsWrongOrWrittenInVain) {
  LocalOperands<LaplaceStencil, double, Exec> local(field_layout<2>({3, 3}, 1, 8), 1);
  LocalField<double, 2> expected = local.host_new_u;
  EXPECT_TRUE(local.new_u_is(expected));
  const index_t origin = local.layout.origin;
  for (const index_t place : {origin, origin - 1, origin + 2 * local.layout.stride[1]}) {
    const double before = local.operands.new_u(place);
    local.operands.new_u(place) = 7;
    EXPECT_FALSE(local.new_u_is(expected)) << place - origin;
    local.operands.new_u(place) = before;
  }
  expected(1, 3) = 7;
  EXPECT_TRUE(local.new_u_is(expected));
  EXPECT_FALSE(local.new_u_is(expected, 1));
}

TEST(LocalOperands, LayersInThreeDimensionsAreThoseOfOwnRows) {
  LocalOperands<DiffusionStencil<double, 3>, double, Exec> local(field_layout<3>({3, 3, 3}, 1, 8),
                                                                 1);
  LocalField<double, 3> expected = local.host_new_u;
  expected(1, -1, 3) = 7;
  EXPECT_TRUE(local.new_u_is(expected, 1));
  expected(1, 1, 3) = 7;
  EXPECT_TRUE(local.new_u_is(expected));
  EXPECT_FALSE(local.new_u_is(expected, 1));
}

TEST(LocalOperands, SumsAreNaNUntilTheyAreWritten) {
  using Local = LocalOperands<LaplaceStencil, double, Exec>;
  const auto sums = Local::sums(3);
  EXPECT_TRUE(std::isnan(total(sums)));
  Kokkos::deep_copy(sums, 2);
  EXPECT_EQ(total(sums), 6);
}

}  // namespace
}  // namespace kolam::testing
