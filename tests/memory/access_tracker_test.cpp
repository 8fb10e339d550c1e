// SPDX-License-Identifier: Apache-2.0
// An access on another instance waits for exactly the accesses that it depends on.
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/core/instances.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/detail/access_tracker.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

using detail::AccessTracker;
using detail::ByteRange;
using testing::error_of;
using testing::Fences;
using ::testing::HasSubstr;
using testing::two_instances;

// Instances wait for each other by fences on the CPU and by events on a device.
constexpr int between = one_memory ? 1 : 0;

class AccessTrackerTest : public ::testing::Test {
 public:
  std::vector<Exec> parts = two_instances();
  AnyInstance a{parts[0]};
  AnyInstance b{parts[1]};
  AccessTracker tracker;
  Fences fences;

  void SetUp() override {
    if (parts[0] == parts[1]) GTEST_SKIP() << testing::one_instance;
  }

  // Returns the number of host fences of an access by `user`.
  int waits(const AnyInstance* user, std::size_t begin, std::size_t end, bool writes) {
    return waits(user, {{begin, end}}, writes);
  }
  int waits(const AnyInstance* user, const std::vector<ByteRange>& ranges, bool writes) {
    tracker.admit(ranges, user, writes, "tracker");
    return fences.named("tracker");
  }
};

TEST_F(AccessTrackerTest, AreNobodyAtFirst) {
  EXPECT_TRUE(tracker.empty({0, 8}));
  EXPECT_EQ(waits(nullptr, 0, 8, true), 0);
  EXPECT_TRUE(tracker.empty({0, 8})) << "the host works at once and is not recorded";
  EXPECT_EQ(waits(&a, 3, 3, true), 0);
  EXPECT_TRUE(tracker.empty({0, 8})) << "no bytes, no use";
}

TEST_F(AccessTrackerTest, OfDisjointRangesDoNotWait) {
  EXPECT_EQ(waits(&a, 0, 4, true), 0);
  EXPECT_EQ(waits(&b, 4, 8, true), 0);
  EXPECT_EQ(waits(&a, 0, 4, true), 0);
  EXPECT_EQ(waits(nullptr, 8, 9, true), 0);
}

TEST_F(AccessTrackerTest, WaitForWritersOfTheSameRangeOnce) {
  EXPECT_EQ(waits(&a, 0, 8, true), 0);
  EXPECT_EQ(waits(&b, 3, 5, true), between);
  EXPECT_EQ(waits(&b, 3, 5, false), 0);
  EXPECT_EQ(waits(&a, 5, 8, true), 0);
  EXPECT_EQ(waits(&a, 4, 6, false), between);
}

TEST_F(AccessTrackerTest, DoNotWaitToReadWhatOthersRead) {
  EXPECT_EQ(waits(&a, 0, 8, false), 0);
  EXPECT_EQ(waits(&b, 0, 8, false), 0);
  EXPECT_EQ(waits(nullptr, 0, 8, false), 0);
  EXPECT_FALSE(tracker.any_writes({0, 8}));
  EXPECT_EQ(waits(nullptr, 2, 3, true), 2) << "the host writes: for both readers";
  EXPECT_EQ(waits(nullptr, 2, 3, true), 0);
}

TEST_F(AccessTrackerTest, AWriterWaitsForReaders) {
  EXPECT_EQ(waits(&a, 0, 4, false), 0);
  EXPECT_EQ(waits(&b, 2, 6, true), between);
  EXPECT_EQ(waits(nullptr, 0, 2, true), 1) << "a's other half is still under way";
}

TEST_F(AccessTrackerTest, TheHostWaitsForEachInstanceOfItsRangeAndKeepsTheOthers) {
  EXPECT_EQ(waits(&a, 0, 4, true), 0);
  EXPECT_EQ(waits(&b, 4, 8, true), 0);
  EXPECT_EQ(waits(nullptr, 0, 4, false), 1);
  const ByteRange half[] = {{0, 4}};
  const ByteRange all[] = {{0, 8}};
  EXPECT_EQ(tracker.writer(half), nullptr);
  ASSERT_NE(tracker.writer(all), nullptr);
  EXPECT_EQ(*tracker.writer(all), b);
  EXPECT_EQ(waits(nullptr, 0, 8, false), 1);
  EXPECT_TRUE(tracker.empty({0, 8}));
}

TEST_F(AccessTrackerTest, AdjacentRangesOfOneInstanceJoin) {
  static_cast<void>(waits(&a, 0, 4, true));
  static_cast<void>(waits(&a, 6, 8, true));
  EXPECT_EQ(tracker.only_writer({0, 8}), nullptr);
  static_cast<void>(waits(&a, 4, 6, true));
  EXPECT_EQ(tracker.only_writer({0, 8}), a.key());
  std::vector<const void*> readers;
  tracker.for_each_reader({0, 8}, [&](const void* reader) { readers.push_back(reader); });
  EXPECT_THAT(readers, ::testing::ElementsAre(a.key())) << "who writes all may read all";
  EXPECT_TRUE(tracker.admits_reads(a.key(), {2, 5}));
  EXPECT_FALSE(tracker.admits_reads(b.key(), {2, 5}));
  static_cast<void>(waits(&a, 2, 5, false));  // its own values
  EXPECT_NE(tracker.only_writer({0, 8}), nullptr);
  static_cast<void>(waits(&b, 2, 5, true));
  EXPECT_EQ(tracker.only_writer({0, 8}), nullptr);
}

TEST_F(AccessTrackerTest, AWriterTakesThePlaceOfThoseItCameAfter) {
  static_cast<void>(waits(&a, 0, 8, false));
  static_cast<void>(waits(&b, 0, 8, true));
  EXPECT_EQ(tracker.only_writer({0, 8}), b.key());
  EXPECT_EQ(waits(nullptr, 0, 8, true), 1) << "b came after a";
}

TEST_F(AccessTrackerTest, AllAreFinishedByOneFenceForEachInstance) {
  static_cast<void>(waits(&a, 0, 2, true));
  static_cast<void>(waits(&b, 2, 4, true));
  static_cast<void>(waits(&a, 5, 6, false));
  tracker.finish("tracker");
  EXPECT_EQ(fences.named("tracker"), 2);
  EXPECT_TRUE(tracker.empty({0, 8}));
}

TEST_F(AccessTrackerTest, OfInterleavedRangesDoNotWait) {
  EXPECT_EQ(waits(&a, {{0, 1}, {2, 3}, {4, 5}}, true), 0);
  EXPECT_EQ(waits(&b, {{1, 2}, {3, 4}, {5, 6}}, true), 0);
  EXPECT_EQ(waits(&a, {{0, 1}, {2, 3}}, true), 0);
  EXPECT_EQ(waits(&b, {{5, 6}, {7, 8}}, false), 0);
  EXPECT_EQ(waits(&b, {{1, 2}, {4, 5}}, false), between) << "the last one is a's";
}

// Compares the bookkeeping with a flag for each byte: which accesses nothing has waited for yet.
TEST_F(AccessTrackerTest, AnyAccessesWaitForWhatTheyNeed) {
  if (!one_memory) GTEST_SKIP() << "events cannot be counted";
  const AnyInstance* const instances[] = {nullptr, &a, &b};
  unsigned random = 1;
  const auto below = [&](unsigned n) {
    random = random * 1664525U + 1013904223U;
    return (random >> 16) % n;
  };
  for (int sequence = 0; sequence < 300; ++sequence) {
    tracker = AccessTracker();
    bool reads[3][8] = {};
    bool writes[3][8] = {};
    for (int step = 0; step < 20; ++step) {
      const unsigned user = below(3);
      const bool write = below(2) == 0;
      const unsigned chosen = 1 + below(255);  // a bit for each byte
      std::vector<ByteRange> ranges;
      std::vector<unsigned> bytes;
      for (unsigned i = 0; i < 8; ++i) {
        if ((chosen >> i) % 2 == 0) continue;
        bytes.push_back(i);
        if (!ranges.empty() && ranges.back().end == i) {
          ++ranges.back().end;
        } else {
          ranges.push_back({i, i + 1});
        }
      }
      int needed = 0;
      for (unsigned other = 1; other < 3; ++other) {
        if (other == user) continue;
        const bool conflict = std::any_of(bytes.begin(), bytes.end(), [&](unsigned i) {
          return writes[other][i] || (write && reads[other][i]);
        });
        if (!conflict) continue;
        ++needed;
        for (const unsigned i : bytes) {
          writes[other][i] = false;
          if (write) reads[other][i] = false;
        }
      }
      const bool own =
          std::all_of(bytes.begin(), bytes.end(), [&](unsigned i) { return writes[user][i]; });
      for (const unsigned i : bytes) {
        if (user == 0) break;
        if (write) {
          writes[user][i] = true;
          reads[user][i] = false;
        } else if (!own) {  // a wait for its writes covers such reads too
          reads[user][i] = true;
        }
      }
      ASSERT_EQ(waits(instances[user], ranges, write), needed) << sequence << ", " << step;
    }
  }
}

class OrderTest : public ::testing::Test {
 public:
  OrderTest() {  // with memory that was not used before
    use_pools(true);
    trim_pools();
  }
  ~OrderTest() override { use_pools(pooled); }
  OrderTest(const OrderTest&) = delete;
  OrderTest& operator=(const OrderTest&) = delete;
  OrderTest(OrderTest&&) = delete;
  OrderTest& operator=(OrderTest&&) = delete;

  const bool pooled = pools_used();
  const TwoSides two;
  std::vector<Exec> parts = two_instances();
  const Exec& a = parts[0];
  const Exec& b = parts[1];
  Array<int> u{"u", 8};
  Fences fences;

  void SetUp() override {
    if (parts[0] == parts[1]) GTEST_SKIP() << testing::one_instance;
  }

  int waited() { return fences.named("array 'u'"); }
};

TEST_F(OrderTest, HalvesWrittenOnTwoInstancesDoNotWait) {
  for (int round = 0; round < 3; ++round) {
    static_cast<void>(u.write(a, {0, 4}));
    static_cast<void>(u.write(b, {4, 8}));
    static_cast<void>(u.read_write(a, {1, 3}));
  }
  EXPECT_EQ(waited(), 0);
}

TEST_F(OrderTest, TheSameHalfWaitsOnce) {
  static_cast<void>(u.write(a, {0, 4}));
  static_cast<void>(u.write(b, {0, 4}));
  EXPECT_EQ(waited(), between);
  static_cast<void>(u.read(b, {0, 4}));
  static_cast<void>(u.read_write(b, {0, 4}));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(u.read(a, {3, 4}));
  EXPECT_EQ(waited(), between);
}

TEST_F(OrderTest, ReadersOfOneWriterWaitForItAndNotForEachOther) {
  static_cast<void>(u.write(a));
  static_cast<void>(u.read(b));
  EXPECT_EQ(waited(), between);
  static_cast<void>(u.read(a));
  static_cast<void>(u.read(b));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(u.write(a));
  EXPECT_EQ(waited(), between) << "b may still read";
}

TEST_F(OrderTest, AReaderThatGoesOnToWriteIsWaitedFor) {
  static_cast<void>(u.write(a));
  static_cast<void>(u.read(b));
  static_cast<void>(waited());
  static_cast<void>(u.write(b));
  static_cast<void>(u.read(a));
  EXPECT_EQ(waited(), between);
}

TEST_F(OrderTest, TheHostWaitsOnceForWhatTheDeviceWrote) {
  Kokkos::deep_copy(a, u.write(a), 1);
  static_cast<void>(u.read(host));
  EXPECT_EQ(waited(), 1);
  static_cast<void>(u.read(host));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(u.read(a));
  static_cast<void>(u.read(host));
  EXPECT_EQ(waited(), 0) << "reads on both sides";
}

TEST_F(OrderTest, TheHostWritesWhenItsValuesWereCopied) {
  Kokkos::deep_copy(u.write(host), 1);
  static_cast<void>(u.read(a));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(u.write(host));
  EXPECT_EQ(waited(), 1) << "the copy reads the host's memory";
}

TEST_F(OrderTest, TheDefaultInstanceIsTheDevice) {
  static_cast<void>(u.write(device));
  static_cast<void>(u.read_write(Exec{}));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(u.read(a));
  EXPECT_EQ(waited(), between);
}

TEST_F(OrderTest, AliasesWaitForEachOther) {
  auto left = u.alias({0, 4});
  auto right = u.alias({4, 8});
  auto middle = u.alias({3, 5});
  static_cast<void>(left.write(a));
  static_cast<void>(right.write(b));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(middle.write(b));
  EXPECT_EQ(waited(), between);
  auto left_of_left = left.alias({0, 2});
  static_cast<void>(left_of_left.write(a));
  EXPECT_EQ(waited(), 0);
}

TEST_F(OrderTest, WhatWasModifiedByHandIsWaitedFor) {
  static_cast<void>(u.mirror(device));
  u.modified(a, {0, 4});
  static_cast<void>(u.write(b, {4, 8}));
  EXPECT_EQ(waited(), 0);
  static_cast<void>(u.read(b));
  EXPECT_EQ(waited(), between);
}

TEST_F(OrderTest, DroppedMemoryIsNotGivenToOthersWhileItIsUsed) {
  if (emulation() == Emulation::strict) GTEST_SKIP() << "strict memory has pages of its own";
  {
    Array<int> before("before", 1000);
    static_cast<void>(before.write(a));
    before.discard(device);
  }
  Array<int> same("u", 1000);
  static_cast<void>(same.write(a));
  EXPECT_EQ(waited(), 0) << "in the order of the stream";
  same.discard(device);
  Array<int> next("u", 1010);  // of the same size class
  static_cast<void>(next.write(b));
  EXPECT_EQ(waited(), between);
}

// In a process with several devices.
TEST(SeveralDevices, HaveArraysOfTheirOwn) {
  const std::vector<Exec> each = make_instances<Exec>(devices<Exec>());
  if (each.size() < 2) GTEST_SKIP() << "there is one device";
  Array<double> u("u", 5);
  {
    const auto values = u.write(host);
    for (int i = 0; i < 5; ++i) values(i) = i;
  }
  static_cast<void>(u.read(each[1]));
  const std::string number = std::to_string(AnyInstance(each[1]).device());
  EXPECT_THAT(error_of<AccessError>([&] { u.read(each[0]); }),
              HasSubstr("array 'u' is on device " + number + ", where it was used first"));
  EXPECT_THROW(u.read_write(each[0]), AccessError);
  EXPECT_THROW(u.sync(each[0]), AccessError);
  EXPECT_THROW(u.write(device), AccessError) << "of the default instance";
  EXPECT_TRUE(u.valid(each[1]));
  Array<double> v("v", 5);
  static_cast<void>(v.write(each[0]));
  deep_copy(each[0], v, u);
  EXPECT_EQ(v.read(host)(4), 4.0);
}

// An array in a block that was longer must have the fast path too.
TEST_F(OrderTest, AReusedBlockDoesNotMakeIntentsSlow) {
  if (emulation() == Emulation::strict) GTEST_SKIP() << "strict memory has pages of its own";
  for (const Exec& writer : {a, b}) {
    Array<char> longer("longer", 1024);
    static_cast<void>(longer.write(writer));
    longer.discard(device);
    Array<char> shorter("shorter", 1000);
    static_cast<void>(shorter.write(a));
    EXPECT_TRUE(detail::ArrayAccess::storage(shorter)->finds(
        detail::Side::device, detail::Intent::read, detail::user_key(a)));
  }
}

}  // namespace kolam::array_test
