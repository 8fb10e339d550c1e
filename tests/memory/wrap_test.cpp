// SPDX-License-Identifier: Apache-2.0
// Arrays of memory that others made.
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/wrap.hpp>
#include <kolam/testing/matchers.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

template <class Exec>
class WrapOn : public ArrayOn<Exec> {};
TYPED_TEST_SUITE(WrapOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(WrapOn, BorrowsValuesAndLeavesThemToTheirOwner) {  // 5
  std::vector<double> mine(8, 3.0);
  {
    auto a = borrow("borrowed", std::span(mine));
    EXPECT_EQ(dot<TypeParam>(a), 72);
    add_one<TypeParam>(a);
    EXPECT_EQ(a.read(host).data(), mine.data());
    EXPECT_EQ(a.transfers().allocations, this->apart ? 1U : 0U);
  }
  EXPECT_THAT(mine, ::testing::Each(4.0));

  const Kokkos::View<double*, typename TypeParam::memory_space> there("there", 5);
  {
    auto a = borrow("borrowed", TypeParam{}, there.data(), 5);
    EXPECT_EQ(a.read(host)(4), 0.0);
    fill<HostTeams>(a, 7.0);
    EXPECT_EQ(a.read(TypeParam{}).data(), there.data());
  }
  EXPECT_TRUE(all_equal(there, [](std::size_t) { return 7.0; }));
}

TYPED_TEST(WrapOn, SharesViewsAndKeepsThemAlive) {
  using View = Kokkos::View<double*, typename TypeParam::memory_space>;
  auto view = std::make_unique<View>("shared", 6);
  auto a = share(*view);
  EXPECT_EQ(a.label(), "shared");
  EXPECT_EQ(view->use_count(), 2);
  EXPECT_EQ(a.transfers().allocations, 0U);
  if (!detail::emulating()) {
    EXPECT_EQ(a.read(TypeParam{}).data(), view->data());
  }
  view.reset();
  fill<HostTeams>(a, 2.0);
  add_one<TypeParam>(a);
  EXPECT_EQ(dot<HostTeams>(a), 54);
}

TEST(Wrap, BorrowsAndSharesOnlyWhatItCanUse) {
  double* const nothing = nullptr;
  EXPECT_EQ(borrow("none", host, nothing, 0).size(), 0);
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(borrow("p", host, nothing, 3)); }),
              AllOf(HasSubstr("array 'p'"), HasSubstr("3 values at a null pointer")));
  const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> table("table", 3, 4);
  const Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> row =
      Kokkos::subview(table, 1, Kokkos::ALL);
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(share(row)); }),
              HasSubstr("3 apart"));
}

TYPED_TEST(WrapOn, AdoptedMemoryIsFreedOnceWhenTheLastAliasGoes) {
  const Kokkos::View<int*, typename TypeParam::memory_space> memory("memory", 6);
  int freed = 0;
  const auto free = [&](int* values) {
    EXPECT_EQ(values, memory.data());
    ++freed;
  };
  {
    Array<int> part;
    {
      auto a = adopt("adopted", TypeParam{}, memory.data(), 6, free);
      EXPECT_EQ(a.read(TypeParam{}).data(), memory.data());
      fill<HostTeams>(a, 3);
      part = a.alias({2, 4});
      EXPECT_EQ(freed, 0);
    }
    EXPECT_EQ(dot<TypeParam>(part), 18);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  EXPECT_THROW(static_cast<void>(adopt("bad", TypeParam{}, memory.data(), -1, free)),
               InvalidArgument);
  EXPECT_EQ(freed, 2) << "at once if the array cannot be made";
}

TYPED_TEST(WrapOn, BorrowsBothSides) {
  std::vector<double> mine(4, 1.0);
  const Kokkos::View<double*, typename Exec::memory_space> there("there", 4);
  Kokkos::deep_copy(there, 2.0);
  const auto sum_of_first = [&](ValidSide valid) {
    auto a = borrow("both", mine.data(), there.data(), 4, valid);
    return dot<HostTeams>(a) + dot<Exec>(a);
  };
  EXPECT_EQ(sum_of_first(ValidSide::both), 4 + 16);
  EXPECT_EQ(sum_of_first(ValidSide::device_side), 16 + 16);
  EXPECT_THAT(mine, ::testing::Each(2.0));
  mine.assign(4, 3.0);
  EXPECT_EQ(sum_of_first(ValidSide::host_side), 36 + 36);
  EXPECT_TRUE(all_equal(there, [](std::size_t) { return 3.0; }));
  EXPECT_THROW(static_cast<void>(sum_of_first(ValidSide::none)), AccessError);
  double* const nothing = nullptr;
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                static_cast<void>(borrow("half", mine.data(), nothing, 4, ValidSide::both));
              }),
              AllOf(HasSubstr("'half'"), HasSubstr("null")));
}

TEST(Wrap, LentSidesRefuseToGo) {
  const TwoSides two;
  std::vector<int> mine(3, 5);
  auto a = borrow("lent", std::span(mine));
  add_one<Kokkos::DefaultExecutionSpace>(a);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(error_of<AccessError>([&] { round == 0 ? a.release(host) : a.discard(host); }),
                AllOf(HasSubstr("'lent'"), HasSubstr("host side"), HasSubstr("lent to it")));
  }
  a.release(device);  // its own
  EXPECT_FALSE(a.valid(device));
  EXPECT_THAT(mine, ::testing::Each(6));
}

using Dual = Kokkos::DualView<int*>;
using DeviceExec = typename Dual::execution_space;

TEST(Wrap, FollowsADualViewAndTellsIt) {
  Dual dual("dual", 5);
  Kokkos::deep_copy(dual.view_host(), 1);
  dual.modify_host();
  auto a = share(dual);
  EXPECT_EQ(a.label(), "dual");
  EXPECT_TRUE(a.valid(host));
  EXPECT_EQ(a.valid(device), one_memory);
  EXPECT_EQ(a.transfers().allocations, 0U);

  add_one<DeviceExec>(a);
  give_flags(a, dual);
  EXPECT_EQ(dual.need_sync_host(), !one_memory);
  EXPECT_FALSE(dual.need_sync_device());
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(4), 2);

  Kokkos::deep_copy(dual.view_host(), 7);
  dual.modify_host();
  take_flags(a, dual);
  EXPECT_EQ(dot<DeviceExec>(a), 5 * 49);
  dual.clear_sync_state();
  Kokkos::deep_copy(dual.view_device(), 8);
  dual.modify_device();
  take_flags(a, dual);
  EXPECT_EQ(dot<HostTeams>(a), 5 * 64);
}

TEST(Wrap, KeepsADualViewAlive) {
  auto dual = std::make_unique<Dual>("dual", 5);
  auto a = share(*dual);
  dual.reset();
  fill<HostTeams>(a, 2);
  add_one<DeviceExec>(a);
  EXPECT_EQ(dot<HostTeams>(a), 45);
}

TEST(Wrap, ASideOfADualViewThatHoldsSomeOfTheNewestHoldsThemAll) {
  Dual dual("dual", 4);
  auto a = share(dual);
  Kokkos::deep_copy(a.write(host, {0, 2}), 1);
  Kokkos::deep_copy(a.write(device, {2, 4}), 2);
  give_flags(a, dual);
  EXPECT_EQ(dual.need_sync_host(), !one_memory);
  EXPECT_TRUE(a.valid(device));
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(1), 1);
  EXPECT_EQ(dual.view_host()(3), 2);
}

TEST(Wrap, GivesADualViewOfItself) {
  if (one_memory && detail::emulating()) GTEST_SKIP() << "Kokkos wants one memory here";
  Array<int> a("own", 3);
  fill<DeviceExec>(a, 4);
  auto dual = dual_view(a);
  EXPECT_EQ(dual.need_sync_host(), !one_memory);
  EXPECT_EQ(dual.view_device().data(), a.read(device).data());
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(2), 4);
  dual.view_host()(2) = 5;
  dual.modify_host();
  take_flags(a, dual);
  EXPECT_EQ(dot<DeviceExec>(a), 16 + 16 + 25);
}

TEST(Wrap, RefusesADualViewOfTwoSidesWhereKokkosHasOneMemory) {
  if (!one_memory) GTEST_SKIP() << "needs a build without a device";
  const TwoSides two;
  Array<int> a("emulated", 3);
  fill<HostTeams>(a, 1);
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(dual_view(a)); }),
              HasSubstr("array 'emulated'"));
}

}  // namespace kolam::array_test
