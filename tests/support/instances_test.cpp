// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/instances.hpp>

namespace kolam::testing {

TEST(TwoInstances, AreTwoOfEverySpaceThatHasThem) {
  const Kokkos::DefaultExecutionSpace whole;
  const auto parts = two_instances();
  ASSERT_EQ(parts.size(), 2U);
  if (parts[0] == parts[1]) GTEST_SKIP() << one_instance;
  EXPECT_FALSE(parts[0] == whole);
  EXPECT_FALSE(parts[1] == whole);
}

#ifdef KOKKOS_ENABLE_SERIAL
TEST(TwoInstances, NeedNoThreads) {
  const auto parts = two_instances<Kokkos::Serial>();
  EXPECT_FALSE(parts[0] == parts[1]);
}
#endif

}  // namespace kolam::testing
