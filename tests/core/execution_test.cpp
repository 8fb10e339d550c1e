// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/execution.hpp>
#include <kolam/testing/backends.hpp>

namespace kolam {
namespace {

static_assert(ExecutionSpace<Kokkos::DefaultExecutionSpace> && ExecutionSpace<HostTeams>);
static_assert(!ExecutionSpace<Kokkos::HostSpace> && !ExecutionSpace<int>);
static_assert(has_block_threads<HostTeams>);
static_assert(!has_block_threads<Kokkos::DefaultHostExecutionSpace>);

template <class Exec>
class Execution : public ::testing::Test {};
TYPED_TEST_SUITE(Execution, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(Execution, OnlyMemoryThatTheHostCannotReachMeansBlockThreads) {
  EXPECT_TRUE(ExecutionSpace<TypeParam>);
  EXPECT_EQ(testing::is_gpu<TypeParam>,
            !(Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                         typename TypeParam::memory_space>::accessible));
}

static_assert(std::is_same_v<KokkosInstance<HostTeams>, Kokkos::DefaultHostExecutionSpace>);
static_assert(
    std::is_same_v<KokkosInstance<Kokkos::DefaultExecutionSpace>, Kokkos::DefaultExecutionSpace>);

TEST(HostTeamsBackend, IsTheHosts) {
  EXPECT_EQ(backend_of<HostTeams>, backend_of<Kokkos::DefaultHostExecutionSpace>);
}

}  // namespace
}  // namespace kolam
