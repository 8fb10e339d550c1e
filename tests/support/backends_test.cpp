// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/testing/backends.hpp>
#include <numeric>

namespace kolam::testing {
namespace {

template <class Exec>
class Backends : public ::testing::Test {};
TYPED_TEST_SUITE(Backends, ExecutionSpaces, ExecutionSpaceNames);

template <class... Types>
std::vector<std::string> names(::testing::Types<Types...>) {
  return {ExecutionSpaceNames::GetName<Types>(0)...};
}

TEST(BackendList, HasEveryBackendOfTheBuildAndHostTeams) {
  const auto list = names(ExecutionSpaces{});
  if (thread_sanitized) GTEST_SKIP() << "HostTeams is left out";

  EXPECT_EQ(list.size(), backends().size() + 1);
  EXPECT_EQ(list.back(), "HostTeams");
  EXPECT_EQ(names(KokkosSpaces{}), std::vector<std::string>(list.begin(), list.end() - 1));
  EXPECT_EQ(list.front(), Kokkos::DefaultExecutionSpace::name());
}

TYPED_TEST(Backends, ToHostCopiesViewsOfEveryRankInTheOrderOfMemory) {
  using Space = typename TypeParam::memory_space;
  std::vector<int> expected(24);
  std::iota(expected.begin(), expected.end(), 0);
  const Kokkos::View<int*, Space> flat("flat", 24);
  Kokkos::deep_copy(flat,
                    Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        expected.data(), 24));

  EXPECT_EQ(to_host(flat), expected);
  EXPECT_EQ(to_host(Kokkos::View<const int*, Space>(flat)), expected);
  EXPECT_EQ(to_host(Kokkos::View<int***, Kokkos::LayoutLeft, Space>(flat.data(), 2, 3, 4)),
            expected);
  EXPECT_TRUE(to_host(Kokkos::View<double*, Space>("empty", 0)).empty());
}

}  // namespace
}  // namespace kolam::testing
