// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/detail/allocation.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/testing/matchers.hpp>
#include <set>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

constexpr PoolSpace all_spaces[] = {PoolSpace::host_space, PoolSpace::pinned_space,
                                    PoolSpace::device_space, PoolSpace::shared_space};
constexpr PoolSpace at_host = PoolSpace::host_space;

// Number of coming allocations that fail as if memory were short.
int failures_left = 0;
int failed = 0;
bool fail_while_told() {
  if (failures_left == 0) return false;
  --failures_left;
  ++failed;
  return true;
}

class Pool : public ::testing::Test {
 public:
  Pool() : before_(pools_used()) {
    use_pools(true);
    trim_pools();
    failures_left = 0;
    failed = 0;
  }
  void SetUp() override {
    if (emulation() == Emulation::strict) GTEST_SKIP() << "strict memory has pages of its own";
  }
  ~Pool() override { use_pools(before_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  Pool(Pool&&) = delete;
  Pool& operator=(Pool&&) = delete;

 private:
  detail::AllocationFaults faults_{fail_while_told};
  bool before_;
};

// Allocates and frees the host memory of an array.
template <class T>
void take_and_give_back(index_t n) {
  Array<T> a("goes", n);
  a.write(host)(0) = 1;
}

TEST_F(Pool, HasNames) {
  EXPECT_EQ(name(PoolSpace::host_space), "host");
  EXPECT_EQ(name(PoolSpace::pinned_space), "pinned");
  EXPECT_EQ(name(PoolSpace::device_space), "device");
  EXPECT_EQ(name(PoolSpace::shared_space), "shared");
}

TEST_F(Pool, GivesABlockToTheNextArrayOfItsSizeClass) {
  const PoolState before = pool_state(at_host);
  const char* first = nullptr;
  {
    Array<char> a("a", 1000);
    first = a.write(host).data();
    EXPECT_EQ(pool_state(at_host).misses, before.misses + 1);
    EXPECT_GE(pool_state(at_host).in_use, before.in_use + 1000);
  }
  EXPECT_EQ(pool_state(at_host).in_use, before.in_use);
  EXPECT_GE(pool_state(at_host).cached, 1000U);
  Array<char> b("b", 1010);
  EXPECT_EQ(b.write(host).data(), first);
  Array<char> c("c", 2000);
  EXPECT_NE(c.write(host).data(), first);
  EXPECT_EQ(pool_state(at_host).hits, before.hits + 1);
  EXPECT_EQ(pool_state(at_host).misses, before.misses + 2);
  EXPECT_EQ(pool_state(at_host).cached, 0U);
}

TEST_F(Pool, RoundsUpByAnEighthAtMost) {
  for (const index_t bytes : {1, 255, 256, 257, 1000, 4097, 65535, 1 << 20, (64 << 20) + 1}) {
    const PoolState before = pool_state(at_host);
    Array<char> a("a", bytes);
    static_cast<void>(a.write(host));
    const auto taken = static_cast<index_t>(pool_state(at_host).in_use - before.in_use);
    EXPECT_GE(taken, bytes);
    EXPECT_LE(taken, bytes <= 256 ? 256 : bytes + bytes / 8 + 1);
    EXPECT_EQ(a.transfers().bytes, static_cast<std::uint64_t>(bytes)) << "as the array asked";
  }
}

// Equal indices of arrays of one size must not map to the same sets of a cache.
TEST_F(Pool, PlacesLargeBlocksOfTheHostApart) {
  for (const index_t bytes : {index_t{1} << 20, index_t{5} << 20, index_t{32'000'000}}) {
    constexpr std::uintptr_t page = 4096;
    const auto period =
        std::min(std::uintptr_t{2} << 20, std::bit_floor(static_cast<std::uintptr_t>(bytes)) / 16);
    std::vector<Array<char>> arrays;
    std::set<std::uintptr_t> in_period;
    std::set<std::uintptr_t> in_page;
    for (int i = 0; i < 16; ++i) {
      arrays.emplace_back("large", bytes);
      char* const values = arrays.back().write(host).data();
      values[bytes - 1] = 1;
      const auto at = reinterpret_cast<std::uintptr_t>(values);
      EXPECT_EQ(at % 64, 0U);
      in_period.insert(at % period);
      in_page.insert(at % page);
    }
    EXPECT_EQ(in_period.size(), 16U) << bytes;
    EXPECT_EQ(in_page.size(), 16U) << bytes;
  }
}

struct alignas(256) Aligned {
  int value;
};
struct alignas(8192) PageAligned {
  int value;
};

template <class T>
void expect_alignment() {
  for (const bool pooled : {true, false}) {
    use_pools(pooled);
    for (const index_t n : {1, 3, 5000}) {
      for (int i = 0; i < 3; ++i) {  // also from the pool
        take_and_give_back<char>(64 * (i + 1));
        Array<T> a("aligned", n);
        for (const void* values : {static_cast<const void*>(a.write(host).data()),
                                   static_cast<const void*>(a.read_write(device).data())}) {
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values) % alignof(T), 0U) << n;
        }
      }
    }
  }
}

TEST_F(Pool, AlignsOverAlignedTypes) {
  const TwoSides two;
  expect_alignment<Aligned>();
  expect_alignment<PageAligned>();
}

TEST_F(Pool, RemembersTheMostThatWasInUse) {
  const PoolState before = pool_state(at_host);
  const auto more = static_cast<index_t>(before.high_water - before.in_use) + 4096;
  {
    Array<char> a("a", more);
    static_cast<void>(a.write(host));
  }
  EXPECT_GE(pool_state(at_host).high_water, before.high_water + 4096);
  const std::uint64_t highest = pool_state(at_host).high_water;
  Array<char> small("small", 8);
  static_cast<void>(small.write(host));
  EXPECT_EQ(pool_state(at_host).high_water, highest);
}

TEST_F(Pool, TrimmedKeepsNothingButWhatIsInUse) {
  Array<int> stays("stays", 300);
  fill<Exec>(stays, 4);
  take_and_give_back<int>(100'000);
  EXPECT_GT(pool_state(at_host).cached, 0U);
  trim_pools();
  for (const PoolSpace space : all_spaces) EXPECT_EQ(pool_state(space).cached, 0U);
  EXPECT_THAT(values_of(stays), Each(4));
}

TEST_F(Pool, TurnedOffKeepsNothing) {
  Array<int> made_before("before", 500);
  fill<HostTeams>(made_before, 1);
  take_and_give_back<int>(500);
  use_pools(false);
  EXPECT_FALSE(pools_used());
  EXPECT_EQ(pool_state(at_host).cached, 0U);
  const PoolState before = pool_state(at_host);
  {
    Array<int> a("a", 500);
    fill<HostTeams>(a, 2);
    EXPECT_EQ(pool_state(at_host).in_use - before.in_use, 2000U) << "not rounded up";
    EXPECT_THAT(values_of(made_before), Each(1));
    const Array<int> gone = std::move(made_before);
  }
  EXPECT_EQ(pool_state(at_host).cached, 0U);
  EXPECT_EQ(pool_state(at_host).hits, before.hits);
}

// Uses memory in every way, including copies of many segments.
void use_arrays() {
  Array<double> a("a", 5000);
  number<HostTeams>(a);
  auto some = a.alias({0, 5000}, 3);
  add_one<Exec>(a);
  fill<HostTeams>(some, -1.0);
  EXPECT_EQ(values_of(a)[3], -1.0);
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::shared}) {
    Array<double> b("b", 5000, kind);
    deep_copy(Exec{}, b, a);
    resize(b, 7000);
    resize(b, 100);
    b.release(device);
    EXPECT_EQ(b.read(host)(4), 5.0);
  }
}

TEST_F(Pool, IsAtZeroAgainWhenTheArraysAreGone) {
  for (const bool emulated : {false, true}) {
    std::vector<std::uint64_t> before;
    for (const PoolSpace space : all_spaces) before.push_back(pool_state(space).in_use);
    const std::uint64_t bytes = total_transfers().bytes;
    if (emulated) {
      const TwoSides two;
      use_arrays();
    } else {
      use_arrays();
    }
    for (const PoolSpace space : all_spaces) {
      EXPECT_EQ(pool_state(space).in_use, before[static_cast<std::size_t>(space)]) << name(space);
    }
    EXPECT_EQ(total_transfers().bytes, bytes);
  }
}

TEST_F(Pool, ExhaustionNamesTheArrayAndLeavesItUsable) {
  const TwoSides two;
  Array<int> a("too much", 100);
  const PoolState before = pool_state(PoolSpace::device_space);
  fill<HostTeams>(a, 3);
  failures_left = 2;
  try {
    static_cast<void>(a.read(device));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.requested(), 400U);
    EXPECT_GT(error.available(), 0U);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("array 'too much'"), HasSubstr("400")));
  }
  EXPECT_EQ(failed, 2) << "it tries again before it gives up";
  EXPECT_EQ(pool_state(PoolSpace::device_space).in_use, before.in_use);
  EXPECT_EQ(pool_state(PoolSpace::device_space).misses, before.misses);
  EXPECT_TRUE(a.valid(host));
  EXPECT_FALSE(a.valid(device));
  EXPECT_EQ(a.transfers().copies(), 0U);
  EXPECT_THAT(values_of(a), Each(3));
  add_one<Exec>(a);
  EXPECT_EQ(a.read(host)(99), 4);
}

TEST_F(Pool, GivesWhatItKeepsBackBeforeItGivesUp) {
  take_and_give_back<int>(100'000);
  ASSERT_GT(pool_state(at_host).cached, 0U);
  Array<int> a("a", 100);
  failures_left = 1;
  fill<HostTeams>(a, 2);
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(pool_state(at_host).cached, 0U);
  EXPECT_THAT(values_of(a), Each(2));
}

}  // namespace kolam::array_test
