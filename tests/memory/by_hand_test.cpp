// SPDX-License-Identifier: Apache-2.0
// Intents without a side, and transfers by hand: sync, mirror, modified, release and discard.
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

template <class Space>
class ByHandOn : public ArrayOn<Space> {};
TYPED_TEST_SUITE(ByHandOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TEST(ByHand, IntentsWithoutASideFollowUseDevice) {
  const TwoSides two;
  Array<int, 2> a("a", {2, 3});
  using Space = Kokkos::AnonymousSpace;
  static_assert(std::is_same_v<decltype(a.read())::memory_space, Space>);
  static_assert(std::is_same_v<decltype(a.read())::value_type, const int>);
  static_assert(std::is_same_v<decltype(a.write())::value_type, int>);
  EXPECT_TRUE(a.use_device());
  const auto x = a.write();
  EXPECT_EQ(x.extent(1), 3U);
  forall(Exec{}, "number", 6, Number<decltype(x)>{x});
  EXPECT_TRUE(a.valid(device));
  EXPECT_FALSE(a.valid(host));

  a.use_device(false);
  EXPECT_EQ(a.read()(1, 2), 5);
  EXPECT_TRUE(a.valid(host));
  a.read_write()(0, 0) = 7;
  EXPECT_FALSE(a.valid(device));
  auto alias = reshape(a, 6);
  EXPECT_FALSE(alias.use_device());
  EXPECT_FALSE(alias.alias({0, 2}).use_device());
  alias.use_device(true);
  EXPECT_FALSE(a.use_device()) << "aliases choose for themselves";
  EXPECT_EQ(alias.read().data(), a.read(device).data());
  const Array<int, 2> moved(std::move(a));
  EXPECT_FALSE(moved.use_device());
  EXPECT_EQ(moved.read()(0, 0), 7);
}

TYPED_TEST(ByHandOn, SyncCopiesOnceAndLeavesOutWhatWasNeverWritten) {
  Array<int> a("a", 20);
  a.sync(TypeParam{});  // no values yet: no error
  EXPECT_FALSE(a.valid(TypeParam{}));
  fill<TypeParam>(a, 1);
  a.sync(host);
  EXPECT_TRUE(a.valid(host));
  EXPECT_EQ(a.transfers().copies_to_host, this->apart ? 1U : 0U);
  a.sync(host);
  EXPECT_EQ(a.transfers().copies_to_host, this->apart ? 1U : 0U);
  EXPECT_THAT(values_of(a), Each(1));

  Array<int> some("some", 20);
  Kokkos::deep_copy(some.write(host, {3, 6}), 2);
  Kokkos::deep_copy(some.write(host, {10, 12}), 3);
  some.sync(TypeParam{}, {5, 11});
  EXPECT_TRUE(some.valid(TypeParam{}, {5, 6}) && some.valid(TypeParam{}, {10, 11}));
  EXPECT_EQ(some.valid(TypeParam{}, {3, 5}), !this->apart);
  EXPECT_EQ(some.transfers().bytes_to_device, this->apart ? 8U : 0U);
  some.sync(TypeParam{});
  EXPECT_THAT(values_on<TypeParam>(some.alias({3, 6})), Each(2));
  EXPECT_EQ(some.transfers().bytes_to_device, this->apart ? 20U : 0U);
}

TYPED_TEST(ByHandOn, WhatIsWrittenThroughAMirrorCountsFromModifiedOn) {
  const TwoSides two;
  const bool two_memories = TestFixture::apart_from_host();
  Array<int> a("a", 8);
  fill<HostTeams>(a, 1);
  static_cast<void>(a.read(TypeParam{}));
  const Transfers before = a.transfers();
  const auto there = a.mirror(TypeParam{});
  static_assert(
      std::is_same_v<decltype(there), const Kokkos::View<int*, typename TypeParam::memory_space>>);
  EXPECT_EQ(a.transfers(), before);
  forall(TypeParam{}, "fill", 8, Set<decltype(there), int>{there, 5});
  TypeParam{}.fence("written by hand");
  EXPECT_TRUE(a.valid(host)) << "it does not know yet";
  a.modified(TypeParam{}, {2, 4});
  EXPECT_EQ(a.valid(host), !two_memories);
  EXPECT_TRUE(a.valid(host, {4, 8}));
  EXPECT_EQ(a.read(host)(3), 5);
  EXPECT_EQ(a.read(host)(4), two_memories ? 1 : 5);
  a.modified(TypeParam{});
  EXPECT_THAT(values_of(a), Each(5));

  const auto here = a.mirror(host);
  for (std::size_t i = 0; i < 8; ++i) here(i) = static_cast<int>(i);
  a.modified(host);
  EXPECT_TRUE(a.valid(host));
  EXPECT_EQ(a.valid(TypeParam{}), !two_memories);
  EXPECT_TRUE(all_equal(values_on<TypeParam>(a), [](std::size_t i) { return i; }));
}

TEST(ByHand, AMirrorOfAnAliasBeginsWithIt) {
  Array<int, 2> a("a", {4, 4});
  auto box = a.alias({{{1, 3}, {2, 4}}});
  const auto here = box.mirror(host);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 2; ++i) here(i, j) = static_cast<int>(10 * j + i);
  }
  box.modified(host);
  EXPECT_FALSE(a.valid(host));
  EXPECT_EQ(here.data(), a.mirror(host).data() + 9);
  EXPECT_THAT(values_of(box), ElementsAre(0, 1, 10, 11));
  EXPECT_THROW(static_cast<void>(a.read(host)), AccessError);
}

TEST(ByHand, AReleasedSideCarriesItsValuesToTheOther) {
  const TwoSides two;
  Array<int> a("a", 10);
  fill<Exec>(a, 1);
  auto part = a.alias({2, 4});
  fill<HostTeams>(part, 2);
  a.release(device);
  EXPECT_TRUE(a.valid(host));
  EXPECT_FALSE(a.valid(device) || a.valid(device, {9, 10}));
  EXPECT_EQ(a.transfers().bytes_to_host, 32U) << "the values that the host had are not copied";
  EXPECT_EQ(a.transfers().bytes, 40U);
  EXPECT_THAT(values_of(a), ElementsAre(1, 1, 2, 2, 1, 1, 1, 1, 1, 1));
  EXPECT_EQ(a.transfers().allocations, 3U);

  part.release(host);  // through an alias: the whole side
  EXPECT_FALSE(a.valid(host));
  add_one<Exec>(a);
  EXPECT_THAT(values_of(part), Each(3));
}

TEST(ByHand, ADiscardedSideLosesWhatItAloneHas) {
  const TwoSides two;
  Array<int> a("lost", 10);
  fill<HostTeams>(a, 1);
  static_cast<void>(a.read(device));
  Kokkos::deep_copy(a.write(device, {0, 3}), 2);
  const Transfers before = a.transfers();
  a.discard(device);
  EXPECT_EQ(a.transfers().copies(), before.copies());
  EXPECT_EQ(before.bytes - a.transfers().bytes, 40U);
  EXPECT_TRUE(a.valid(host, {3, 10}));
  EXPECT_THAT(error_of<AccessError>([&] { static_cast<void>(a.read(host)); }),
              AllOf(HasSubstr("'lost'"), HasSubstr("values 0 to 2 of 10")));
  a.discard(host);
  a.discard(host);  // nothing left: no effect
  EXPECT_FALSE(a.valid(host, {3, 4}));
  EXPECT_EQ(a.transfers().bytes, 0U);
  fill<Exec>(a, 4);
  EXPECT_THAT(values_of(a), Each(4));
}

TEST(ByHand, WhereThereIsOneSideNothingIsDropped) {
  Array<int> a("a", 4, MemoryKind::shared);
  fill<Exec>(a, 3);
  a.release(device);
  a.discard(host);
  EXPECT_TRUE(a.valid(host) && a.valid(device));
  EXPECT_THAT(values_of(a), Each(3));
  EXPECT_EQ(a.transfers().allocations, 1U);
}

TEST(ByHand, ASideThatCannotCarryItsValuesKeepsThem) {
  const TwoSides two;
  Array<int> a("only", 4, MemoryKind::device_only);
  fill<Exec>(a, 3);
  EXPECT_THROW(a.release(device), AccessError);
  EXPECT_TRUE(a.valid(device));
  EXPECT_EQ(dot<Exec>(a), 36);
  a.discard(device);
  EXPECT_FALSE(a.valid(device));
}

}  // namespace kolam::array_test
