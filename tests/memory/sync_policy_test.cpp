// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/memory/sync_policy.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <optional>
#include <string>
#include <thread>

#include "array_operations.hpp"

namespace kolam::array_test {

using testing::Fences;
using Mode = SyncPolicy::Mode;

TEST(Policy, IsAModeAndTheInstanceOfAPrefetch) {
  EXPECT_EQ(on_access.mode(), Mode::on_access);
  EXPECT_EQ(explicit_only.mode(), Mode::explicit_only);
  EXPECT_FALSE(on_access.instance() || explicit_only.instance());
  const SyncPolicy policy = prefetch(Exec{});
  EXPECT_EQ(policy.mode(), Mode::prefetch);
  ASSERT_TRUE(policy.instance());
  EXPECT_EQ(*policy.instance(), AnyInstance(Exec{}));
}

TEST(Policy, ScopesNestAndAreOfTheirThread) {
  Array<int> a("a", 1);
  EXPECT_EQ(a.policy().mode(), Mode::on_access);
  {
    const SyncScope outer(explicit_only);
    {
      const SyncScope inner(prefetch(Exec{}));
      EXPECT_EQ(SyncScope::current().mode(), Mode::prefetch);
      EXPECT_EQ(a.policy().mode(), Mode::prefetch);
    }
    EXPECT_EQ(a.policy().mode(), Mode::explicit_only);
    std::optional<Mode> elsewhere;
    std::thread([&] { elsewhere = a.policy().mode(); }).join();
    EXPECT_EQ(elsewhere, Mode::on_access);
  }
  EXPECT_EQ(SyncScope::current().mode(), Mode::on_access);
}

TEST(Policy, OfAnArrayAndItsAliasesBeatsTheScope) {
  Array<int> a("a", 4);
  auto part = a.alias({1, 3});
  a.set_policy(on_access);
  const SyncScope scope(explicit_only);
  EXPECT_EQ(part.policy().mode(), Mode::on_access);
  EXPECT_EQ(Array<int>("b", 1).policy().mode(), Mode::explicit_only);
  part.set_policy(prefetch(Exec{}));
  EXPECT_EQ(a.policy().mode(), Mode::prefetch);
  a.set_policy(std::nullopt);
  EXPECT_EQ(a.policy().mode(), Mode::explicit_only);
}

TEST(Policy, ExplicitOnlyNamesTheCallThatIsMissing) {
  const TwoSides two;
  Array<int> a("stale", 10);
  a.set_policy(explicit_only);
  fill<Exec>(a, 1);  // a write needs no copy
  Kokkos::deep_copy(a.write(host, {0, 4}), 2);
  const Transfers before = a.transfers();
  const std::string place = "sync_policy_test.cpp:" + std::to_string(__LINE__ + 1);
  const auto read = [&] { static_cast<void>(a.read(host)); };
  EXPECT_THAT(error_of<AccessError>(read),
              AllOf(HasSubstr("array 'stale'"), HasSubstr("values 4 to 9 on the host"),
                    HasSubstr("explicit_only"), HasSubstr(place), HasSubstr("call sync(host)")));
  EXPECT_THAT(error_of<AccessError>([&] { static_cast<void>(a.read_write(Exec{})); }),
              AllOf(HasSubstr("values 0 to 3"), HasSubstr("call sync(device)")));
  EXPECT_EQ(a.transfers(), before);

  EXPECT_EQ(a.read(host, {0, 4})(3), 2);  // valid values may be read
  a.sync(host);
  EXPECT_EQ(a.read(host)(9), 1);
  a.sync(device);
  EXPECT_THAT(values_of(a), ::testing::ElementsAre(2, 2, 2, 2, 1, 1, 1, 1, 1, 1));
  EXPECT_EQ(a.transfers().copies() - before.copies(), 2U);
}

TEST(Policy, ExplicitOnlyHoldsForAScopeAndItsEnd) {
  const TwoSides two;
  Array<int> a("a", 4);
  fill<HostTeams>(a, 5);
  {
    const SyncScope scope(explicit_only);
    EXPECT_THROW(static_cast<void>(a.read(device)), AccessError);
    a.set_policy(on_access);
    EXPECT_EQ(dot<Exec>(a), 100);
    a.set_policy(std::nullopt);
    fill<HostTeams>(a, 6);
    EXPECT_THROW(static_cast<void>(a.read(device)), AccessError);
  }
  EXPECT_EQ(dot<Exec>(a), 144);
}

TEST(Policy, ExplicitOnlyIsSilentWhereThereIsOneMemory) {
  Array<int> a("a", 4, MemoryKind::shared);
  a.set_policy(explicit_only);
  fill<Exec>(a, 1);
  add_one<HostTeams>(a);
  EXPECT_EQ(dot<Exec>(a), 16);
}

TEST(Policy, APrefetchToTheHostIsWaitedForByItsReader) {
  const TwoSides two;
  const auto parts = testing::two_instances();
  if (parts[0] == parts[1]) GTEST_SKIP() << testing::one_instance;
  trim_pools();  // memory without pending accesses
  Array<int> a("fetched", 1000);
  a.set_policy(prefetch(parts[1]));
  const auto x = a.write(parts[0]);
  forall(parts[0], "number", 1000, Number<decltype(x)>{x});
  Fences fences;
  a.sync(host);
  EXPECT_TRUE(a.valid(host));
  EXPECT_EQ(a.transfers().copies_to_host, 1U);
  const int started = fences.named("array 'fetched'");
  EXPECT_EQ(started, one_memory ? 1 : 0) << "the copy comes after the kernel";
  EXPECT_EQ(a.read(host)(999), 999);
  EXPECT_EQ(fences.named("array 'fetched'"), 1) << "the reader waits for the copy";
  EXPECT_EQ(a.read(host)(1), 1);
  EXPECT_EQ(fences.named("array 'fetched'"), 0);
  EXPECT_EQ(a.transfers().copies_to_host, 1U);
  EXPECT_TRUE(testing::all_equal(values_of(a), [](std::size_t i) { return i; }));
}

TEST(Policy, APrefetchOfAPartIsWaitedForToo) {
  const TwoSides two;
  trim_pools();  // memory without pending accesses
  Array<int> a("fetched", 8);
  fill<HostTeams>(a, 1);
  auto part = a.alias({0, 4});
  fill<Exec>(part, 2);
  a.set_policy(prefetch(testing::two_instances().front()));
  a.sync(host);
  Fences fences;
  EXPECT_EQ(a.read(host)(0), 2);
  EXPECT_EQ(fences.named("array 'fetched'"), 1);
}

TEST(Policy, APrefetchedSideIsWrittenAfterItsCopy) {
  const TwoSides two;
  const auto parts = testing::two_instances();
  trim_pools();  // memory without pending accesses
  Array<int> a("fetched", 1000);
  a.set_policy(prefetch(parts[1]));
  fill<Exec>(a, 1);
  a.sync(host);
  Fences fences;
  Kokkos::deep_copy(a.read_write(host), 2);
  EXPECT_EQ(fences.named("array 'fetched'"), 1);
  a.sync(device);  // begins on the default instance and is copied by the other
  EXPECT_EQ(dot<Exec>(a), 4000);
  fill<HostTeams>(a, 3);
  EXPECT_THAT(values_of(a), Each(3));
}

TEST(Policy, APrefetchOfManySegmentsArrivesToo) {
  const TwoSides two;
  const auto parts = testing::two_instances();
  Array<int> a("fetched", 100);
  fill<HostTeams>(a, 0);
  static_cast<void>(a.read(device));
  a.set_policy(prefetch(parts[1]));
  auto some = a.alias({0, 100}, 4);
  for (int round = 1; round < 4; ++round) {
    fill<Exec>(some, round);
    a.sync(host);
    EXPECT_THAT(values_on<HostTeams>(some), Each(round));
    add_one<HostTeams>(some);
    a.sync(device);
    EXPECT_THAT(values_on<Exec>(some), Each(round + 1));
  }
}

}  // namespace kolam::array_test
