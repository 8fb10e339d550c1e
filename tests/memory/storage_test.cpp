// SPDX-License-Identifier: Apache-2.0
// Which intents take the fast path without the lock, and which must not.
#include <gmock/gmock.h>

#include <kolam/memory/array.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

using detail::Intent;

template <class Where>
bool finds(const Array<double>& a, const Where& where, Intent intent = Intent::read) {
  return detail::ArrayAccess::storage(a)->finds(detail::side_of<Where>, intent,
                                                detail::user_key(where));
}

template <class Layout, class Where>
bool finds_part(const Array<double, 1, Layout>& a, const Where& where,
                Intent intent = Intent::read) {
  return detail::ArrayAccess::storage(a)->finds(detail::side_of<Where>, intent,
                                                detail::user_key(where),
                                                detail::ArrayAccess::section(a).hull(8));
}

class Storage : public ::testing::Test {
 public:
  void SetUp() override {
    if (detail::emulating() && emulation() == Emulation::strict) {
      GTEST_SKIP() << "strict memory looks at every intent";
    }
    Kokkos::deep_copy(array.write(host), 1.0);
    Array<double> other("b", 1);  // `device` gets its key at its first use
    static_cast<void>(other.write(device));
  }

 private:
  TwoSides two_;

 protected:
  Array<double> array{"a", 8};
};

TEST_F(Storage, FindsValuesOfBothSidesAfterACopyToTheDevice) {
  static_cast<void>(array.read(device));
  EXPECT_TRUE(finds(array, device));
  EXPECT_TRUE(finds(array, host)) << "the copy reads the host's side: a read waits for no reader";
  EXPECT_TRUE(finds(array.alias({2, 5}), host));
  static_cast<void>(array.read(host));
  EXPECT_TRUE(finds(array, host));
  EXPECT_TRUE(finds(array, device));
  EXPECT_FALSE(finds(array, host, Intent::write)) << "the copy may still read what it replaces";
  EXPECT_FALSE(finds(array, device, Intent::read_write)) << "the other side becomes stale";
  EXPECT_EQ(array.transfers().copies(), 1U);
}

TEST_F(Storage, FindsValuesOfBothSidesAfterACopyToTheHost) {
  fill<Exec>(array, 2.0);
  static_cast<void>(array.read(host));
  EXPECT_TRUE(finds(array, host));
  EXPECT_TRUE(finds(array, device));
  EXPECT_FALSE(finds(array, host, Intent::read_write));
}

TEST_F(Storage, LetsEachReaderOnFindItsValues) {
  const auto parts = testing::two_instances();
  if (detail::user_key(parts[0]) == detail::user_key(parts[1])) GTEST_SKIP() << "one instance";
  static_cast<void>(array.read(Exec{}));
  for (const Exec& part : parts) {
    EXPECT_FALSE(finds(array, part)) << "a later write has to know of it";
    static_cast<void>(array.read(part));
  }
  static_cast<void>(array.read(Exec{}));  // (their waits ended the record of its copy)
  EXPECT_TRUE(finds(array, parts[0]));
  EXPECT_TRUE(finds(array, parts[1]));
  EXPECT_TRUE(finds(array, Exec{}));
  EXPECT_TRUE(finds(array, host));

  testing::Fences fences;
  static_cast<void>(array.write(device));
  if (one_memory) {  // (on a device, streams need no host fence)
    EXPECT_EQ(fences.named("array 'a'"), 2) << "it waits for both readers";
  }
  EXPECT_FALSE(finds(array, parts[0]));
  EXPECT_FALSE(finds(array, parts[1]));
  EXPECT_FALSE(finds(array, host));
  EXPECT_TRUE(finds(array, device, Intent::write));
  EXPECT_TRUE(finds(array, device, Intent::read_write));
}

// One instance wrote, and another one has read since.
TEST_F(Storage, LetsAReaderWaitForAWriterOnce) {
  const auto parts = testing::two_instances();
  if (detail::user_key(parts[0]) == detail::user_key(parts[1])) GTEST_SKIP() << "one instance";
  static_cast<void>(array.write(parts[0]));
  EXPECT_FALSE(finds(array, parts[1]));
  static_cast<void>(array.read(parts[1]));
  EXPECT_TRUE(finds(array, parts[1]));
  EXPECT_FALSE(finds(array, parts[0], Intent::write)) << "the other one reads";
  static_cast<void>(array.write(parts[0]));
  EXPECT_FALSE(finds(array, parts[1]));
  EXPECT_TRUE(finds(array, parts[0], Intent::write));
}

TEST_F(Storage, LetsNoHostReadPassACopyThatIsUnderWay) {
  const auto parts = testing::two_instances();
  array.set_policy(prefetch(parts[1]));
  fill<Exec>(array, 2.0);
  array.sync(host);
  EXPECT_FALSE(finds(array, host));
  EXPECT_EQ(array.read(host)(3), 2.0);
  EXPECT_TRUE(finds(array, host));
}

// One half of the array is newer on the device.
class StorageInParts : public Storage {
 public:
  void SetUp() override {
    Storage::SetUp();
    if (IsSkipped()) return;
    static_cast<void>(front.write(device));
    ASSERT_FALSE(finds(array, host));
    ASSERT_FALSE(finds(array, device));
  }

 protected:
  Array<double> front = array.alias({0, 4});
  Array<double> back = array.alias({4, 8});
};

TEST_F(StorageInParts, FindsWhatWasAskedForBefore) {
  EXPECT_TRUE(finds_part(front, device, Intent::write));
  EXPECT_TRUE(finds_part(front, device, Intent::read_write));
  EXPECT_TRUE(finds_part(front, device)) << "who writes may read";
  EXPECT_FALSE(finds_part(front, host));
  EXPECT_FALSE(finds_part(back, host)) << "nobody has asked";
  static_cast<void>(back.read(host));
  EXPECT_TRUE(finds_part(back, host));
  EXPECT_TRUE(finds_part(back.alias({1, 3}), host));
  EXPECT_TRUE(finds_part(back.alias({1, 4}, 2), host));
  EXPECT_FALSE(finds_part(array.alias({3, 5}), host)) << "half of it is stale";
  EXPECT_FALSE(finds_part(back, host, Intent::write)) << "it was only read";
  EXPECT_TRUE(finds_part(front, device, Intent::write));
  EXPECT_EQ(array.transfers().copies(), 0U);
}

TEST_F(StorageInParts, JoinsNeighbours) {
  for (index_t i = 7; i >= 4; --i) static_cast<void>(array.read(host, {i, i + 1}));
  EXPECT_TRUE(finds_part(back, host));
  for (index_t i = 4; i < 8; ++i) EXPECT_TRUE(finds_part(array.alias({i, i + 1}), host));
}

TEST_F(StorageInParts, FindsNothingThatHasBecomeStale) {
  static_cast<void>(back.read(host));
  static_cast<void>(array.write(device, {7, 8}));
  EXPECT_FALSE(finds_part(back, host));
  EXPECT_TRUE(finds_part(front, device, Intent::write));
  static_cast<void>(front.read(host));
  EXPECT_FALSE(finds_part(front, device, Intent::write)) << "the host's side would become stale";
  EXPECT_FALSE(finds_part(front, device, Intent::read_write));
}

TEST_F(StorageInParts, LetsAReaderWaitForAWriterOnce) {
  const auto parts = testing::two_instances();
  if (detail::user_key(parts[0]) == detail::user_key(parts[1])) GTEST_SKIP() << "one instance";
  static_cast<void>(front.write(parts[0]));
  EXPECT_FALSE(finds_part(front, parts[1]));
  static_cast<void>(front.read(parts[1]));
  EXPECT_TRUE(finds_part(front, parts[1]));
  EXPECT_FALSE(finds_part(front, parts[0], Intent::write)) << "the other one reads";
  static_cast<void>(front.write(parts[0]));
  EXPECT_FALSE(finds_part(front, parts[1]));
  EXPECT_TRUE(finds_part(front, parts[0], Intent::write));
}

TEST_F(StorageInParts, FindsNothingOfMemoryThatWasGivenBack) {
  static_cast<void>(back.read(host));
  array.release(device);
  EXPECT_FALSE(finds_part(front, device, Intent::write));
  static_cast<void>(array.read(device));
  array.discard(host);
  EXPECT_FALSE(finds_part(back, host));
}

}  // namespace kolam::array_test
