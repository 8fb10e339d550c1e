// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/memory/side.hpp>
#include <kolam/testing/backends.hpp>

namespace kolam {
namespace {

using detail::NamesSide;
using detail::Side;
using detail::side_of;

static_assert(NamesSide<HostSide> && NamesSide<DeviceSide> && NamesSide<HostTeams>);
static_assert(!NamesSide<int> && !NamesSide<Kokkos::HostSpace>);

TEST(Side, TagsNameTheSidesThatTheBuildHas) {
  EXPECT_EQ(side_of<HostSide>, Side::host);
  EXPECT_EQ(side_of<DeviceSide>, Side::device);
  EXPECT_EQ(side_of<HostTeams>, Side::host);
  EXPECT_EQ(side_of<Kokkos::DefaultExecutionSpace>, side_of<DeviceSide>);
}

TEST(Side, ThereIsOneWhereTheDefaultExecutionSpaceUsesHostMemory) {
  EXPECT_EQ(one_memory, !testing::is_gpu<Kokkos::DefaultExecutionSpace>);
}

}  // namespace
}  // namespace kolam
