// SPDX-License-Identifier: Apache-2.0
// Each allocation of a scenario fails once, both of array memory and of bookkeeping. After each
// failure the arrays hold the values of a plain model, and repeating the failed operation succeeds.
#include <gmock/gmock.h>

#include <cstdlib>
#include <kolam/core/detail/sanitizers.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/detail/access_tracker.hpp>
#include <kolam/memory/detail/allocation.hpp>
#include <kolam/memory/pool.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <new>
#include <type_traits>
#include <vector>

#include "array_operations.hpp"

// Sanitizers define operator new themselves; device compilers would compile one for the device.
#if KOLAM_ADDRESS_SANITIZED || KOLAM_THREAD_SANITIZED || defined(__CUDACC__) || defined(__HIPCC__)
#define KOLAM_OWN_NEW 0
#else
#define KOLAM_OWN_NEW 1
#endif

namespace kolam::array_test {

// Number of allocations that succeed before one fails; negative if none fails. Thread-local, so
// that OpenMP's threads are not affected.
thread_local int until_failure = -1;
thread_local int news = 0;
bool fails_now() {
  ++news;
  return until_failure >= 0 && until_failure-- == 0;
}

}  // namespace kolam::array_test

#if KOLAM_OWN_NEW
// NOLINTBEGIN(cppcoreguidelines-no-malloc,misc-new-delete-overloads): these are new and delete
// (If they are inlined, gcc warns that memory of operator new is passed to free.)
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory =
      kolam::array_test::fails_now() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc,misc-new-delete-overloads)
#endif

namespace kolam::array_test {

// (Failures inside a device's libraries are not tested here.)
constexpr bool bookkeeping_can_fail = KOLAM_OWN_NEW != 0;

// A pool is trimmed and tries again, so both attempts have to fail.
thread_local int until_shortage = -1;
bool memory_is_short() {
  if (until_shortage > 0) {
    --until_shortage;
  } else if (until_shortage == 0) {
    until_shortage = -2;
    return true;
  } else if (until_shortage == -2) {
    until_shortage = -1;
    return true;
  }
  return false;
}

template <class View>
void set_values(const View& x, int value) {
  using Runs = std::conditional_t<testing::is_gpu<typename View::execution_space>, Exec, HostTeams>;
  const BothSides scope;
  forall(Runs{}, "set", static_cast<index_t>(x.size()), Set<View, int>{x, value});
  Exec{}.fence("set");
}

class Scenario {
 public:
  // The number `failure` counts memory allocations if `of_memory`, else calls of operator new.
  Scenario(int failure, bool of_memory) : left_(failure), of_memory_(of_memory) {}

  void play() {
    Array<int> whole;
    Array<int> copy;
    whole_ = &whole;
    copy_ = &copy;
    attempt([&] { whole = Array<int>("a label that needs memory", n); });
    write([&] { return whole.write(host); }, 0, n, 1, 10);
    attempt([&] { static_cast<void>(whole.read(device)); });
    write(
        [&] {
          auto part = whole.alias({8, 24});
          return part.write(parts_[0]);
        },
        8, 24, 1, 11);
    write(
        [&] {
          auto thirds = whole.alias({0, n}, 3);
          return thirds.read_write(host);
        },
        0, n, 3, 12);
    write([&] { return whole.read_write(parts_[1], {30, 40}); }, 30, 40, 1, 13);

    attempt([&] { copy = Array<int>("another label that needs memory", n); });
    attempt([&] { deep_copy(Exec{}, copy, whole); });
    copied_ = values_;
    attempt([&] { resize(copy, n + 20); });
    auto third = copy.alias({0, n}, 3);
    copied_.clear();  // a strided copy that fails half-way leaves its target undefined
    attempt([&] { deep_copy(Exec{}, third, whole.alias({0, n}, 3)); });
    copied_ = values_;

    whole.set_policy(prefetch(parts_[1]));
    write([&] { return whole.write(parts_[0], {5, 50}); }, 5, 50, 1, 14);
    attempt([&] { whole.sync(host); });
    attempt([&] { static_cast<void>(whole.read(host)); });
    write([&] { return whole.read_write(host); }, 0, n, 1, 15);
    attempt([&] { static_cast<void>(whole.read(parts_[0])); });
    write([&] { return whole.read_write(host); }, 0, n, 1, 16);

    whole.set_policy(explicit_only);
    const auto row = [&] {
      auto plane = reshape(whole, 8, n / 8);
      return plane.write(host, {{{2, 3}, {0, n / 8}}});
    };
    write(row, 2, n, 8, 17);
    attempt([&] { whole.sync(Exec{}); });
    attempt([&] { static_cast<void>(whole.read(parts_[1])); });
    whole.set_policy(std::nullopt);
    write([&] { return whole.write(parts_[0], {0, 9}); }, 0, 9, 1, 18);
    attempt([&] {
      static_cast<void>(whole.mirror(host));
      whole.release(device);
    });
    attempt([&] { copy.release(host); });
    check();
  }

  /// Returns whether the scenario made fewer allocations than that.
  bool was_spared() const { return left_ >= 0; }

 private:
  static constexpr index_t n = 64;

  template <class F>
  void attempt(F f) {
    int& left = of_memory_ ? until_shortage : until_failure;
    bool fails = true;
    left = left_;
    try {
      f();
      fails = false;
    } catch (const std::bad_alloc&) {
    } catch (const OutOfMemory&) {
    }
    left_ = left < 0 ? -1 : left;
    left = -1;
    if (!fails) return;
    check();
    f();
  }
  // `f` takes the intent; values begin, begin + stride, .. of the whole array are set through it.
  template <class F>
  void write(F f, index_t begin, index_t end, index_t stride, int value) {
    decltype(f()) x;
    attempt([&] { x = f(); });
    set_values(x, value);
    for (index_t i = begin; i < end; i += stride) values_[static_cast<std::size_t>(i)] = value;
  }
  void check() const {
    if (values_[0] != 0) {  // else nothing was written yet
      whole_->sync(host);   // its policy may be explicit_only
      whole_->sync(device);
      EXPECT_EQ(values_of(*whole_), values_);
    }
    if (!copied_.empty()) {
      EXPECT_EQ(values_of(copy_->alias({0, n})), copied_);
    }
  }

  int left_;
  bool of_memory_;
  std::vector<Exec> parts_ = testing::two_instances();
  Array<int>* whole_ = nullptr;
  Array<int>* copy_ = nullptr;
  std::vector<int> values_ = std::vector<int>(n, 0);
  std::vector<int> copied_;
};

// Returns how many allocations the scenario makes.
int fail_each(bool of_memory) {
  for (int k = 0;; ++k) {
    SCOPED_TRACE(k);
    Scenario scenario(k, of_memory);
    scenario.play();
    if (scenario.was_spared() || ::testing::Test::HasFailure()) return k;
  }
}

class Exhaustion : public ::testing::TestWithParam<bool> {
 public:
  Exhaustion() : pooled_(pools_used()) { use_pools(GetParam()); }
  ~Exhaustion() override { use_pools(pooled_); }
  Exhaustion(const Exhaustion&) = delete;
  Exhaustion& operator=(const Exhaustion&) = delete;
  Exhaustion(Exhaustion&&) = delete;
  Exhaustion& operator=(Exhaustion&&) = delete;

 private:
  TwoSides two_;
  detail::AllocationFaults faults_{memory_is_short};
  bool pooled_;
};
INSTANTIATE_TEST_SUITE_P(Pooled, Exhaustion, ::testing::Bool());

TEST_P(Exhaustion, OfSideMemoryLeavesArraysAsTheyWere) {
  const int allocations = fail_each(true);
  if (!GetParam()) {
    EXPECT_GE(allocations, 4);
  }
}

TEST_P(Exhaustion, OfBookkeepingLeavesArraysAsTheyWere) {
  if (!bookkeeping_can_fail) GTEST_SKIP() << "operator new is not only ours";
  EXPECT_GE(fail_each(false), 20);
}

TEST(ByteRanges, ThatWereReservedNeedNoMemoryToChange) {
  if (!bookkeeping_can_fail) GTEST_SKIP() << "operator new is not only ours";
  const std::vector<detail::ByteRange> odd{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  const std::vector<detail::ByteRange> even{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
  for (const bool all : {false, true}) {
    detail::ByteRanges set(10);
    if (all) set.add({0, 10});
    set.reserve(2 * odd.size() + even.size());
    until_failure = 0;
    set.remove(odd);
    set.add(odd);
    set.remove(even);
    EXPECT_EQ(until_failure, 0);
    until_failure = -1;
    EXPECT_TRUE(set.contains(odd));
    EXPECT_FALSE(set.touches(even));
    EXPECT_EQ(set.contains({9, 10}), all);
  }
}

TEST(AccessTracker, LoseNobodyWhereMemoryIsShort) {
  if (!bookkeeping_can_fail) GTEST_SKIP() << "operator new is not only ours";
  const AnyInstance exec{Kokkos::DefaultExecutionSpace{}};
  const detail::ByteRange all[] = {{0, 8}};
  const detail::ByteRange some[] = {{1, 2}, {4, 5}};
  for (int k = 0;; ++k) {
    detail::AccessTracker users;
    testing::Fences fences;
    users.admit(all, &exec, false, "reads");
    until_failure = k;
    try {
      users.admit(some, &exec, true, "writes");
    } catch (const std::bad_alloc&) {
    }
    const bool spared = until_failure >= 0;
    until_failure = -1;
    users.admit(some, nullptr, true, "host");
    EXPECT_EQ(fences.named("host"), 1) << k;
    if (spared) break;
  }
}

TEST(Exhausted, PoolsTakeNoTimeForEachBlockThatTheyKeep) {
  if (!bookkeeping_can_fail) GTEST_SKIP() << "operator new is not only ours";
  if (emulation() == Emulation::strict) GTEST_SKIP() << "strict memory has pages of its own";
  const bool pooled = pools_used();
  use_pools(true);
  trim_pools();
  constexpr int count = 4096;
  std::vector<Array<int>> arrays;
  for (int i = 0; i < count; ++i) {
    arrays.emplace_back("small", 64);
    static_cast<void>(arrays.back().write(host));
  }
  news = 0;
  arrays.clear();
  EXPECT_LE(news, 16) << "the list of kept blocks grows by a factor";
  EXPECT_GE(pool_state(PoolSpace::host_space).cached, std::uint64_t{count} * 256);
  use_pools(pooled);
}

// An intent that fails half-way must not leave a fast path that hides later writes.
TEST_P(Exhaustion, OfBookkeepingHidesNoLaterWrite) {
  if (!bookkeeping_can_fail) GTEST_SKIP() << "operator new is not only ours";
  const auto parts = testing::two_instances();
  for (int k = 0;; ++k) {
    Array<int> a("a label that needs memory", 8);
    a.set_policy(prefetch(parts[1]));
    set_values(a.write(host), 1);
    static_cast<void>(a.read(device));
    set_values(a.write(host), 2);
    set_values(a.write(host), 3);
    until_failure = k;
    try {
      static_cast<void>(a.read(parts[0]));
    } catch (const std::bad_alloc&) {
    }
    const bool spared = until_failure >= 0;
    until_failure = -1;
    set_values(a.write(host), 4);
    EXPECT_THAT(values_on<Exec>(a), ::testing::Each(4)) << k;
    if (spared) break;
  }
}

}  // namespace kolam::array_test
