// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/forall.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <vector>

namespace kolam::forall_test {

using testing::all_equal;
using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

constexpr index_t sizes[] = {0,  1,  2,  3,  4,  5,  7,   8,   9,    15,   16,    17,
                             31, 32, 33, 63, 64, 65, 127, 129, 1000, 4099, 100003};

template <class Exec>
using Counts = Kokkos::View<int*, typename Exec::memory_space>;

// Adds one to counts(i) for each visit of i in [0, n).
template <class Exec>
void count_visits(const Exec& exec, index_t n, const Counts<Exec>& counts) {
  forall(exec, "count_visits", n, KOKKOS_LAMBDA(index_t i) { Kokkos::atomic_inc(&counts(i)); });
  exec.fence();
}

// The same through the overload without an execution space.
void count_visits_by_default(index_t n, const Counts<Kokkos::DefaultExecutionSpace>& counts) {
  forall("count_visits", n, KOKKOS_LAMBDA(index_t i) { Kokkos::atomic_inc(&counts(i)); });
}

struct AddIndex {
  KOKKOS_FUNCTION void operator()(index_t i, index_t& sum) const { sum += i; }
};
struct AddIndexAsDouble {
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const { sum += static_cast<double>(i); }
};
struct Largest {
  KOKKOS_FUNCTION void operator()(index_t i, double& value) const {
    if (static_cast<double>(i) > value) value = static_cast<double>(i);
  }
};
struct SmallestNegative {
  KOKKOS_FUNCTION void operator()(index_t i, double& value) const {
    if (-static_cast<double>(i) < value) value = -static_cast<double>(i);
  }
};
struct LeastAt {
  KOKKOS_FUNCTION void operator()(index_t i, Kokkos::ValLocScalar<int, index_t>& least) const {
    if (static_cast<int>(i % 7) < least.val) least = {static_cast<int>(i % 7), i};
  }
};
struct MostAt {
  KOKKOS_FUNCTION void operator()(index_t i, Kokkos::ValLocScalar<int, index_t>& most) const {
    if (static_cast<int>(i % 7) > most.val) most = {static_cast<int>(i % 7), i};
  }
};
struct Double {
  KOKKOS_FUNCTION void operator()(index_t, double& value) const { value *= 2; }
};

template <class Exec>
class Forall : public ::testing::Test {};
TYPED_TEST_SUITE(Forall, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(Forall, VisitsEveryIndexOnceAndNothingElse) {
  for (const index_t n : sizes) {
    const Counts<TypeParam> counts("counts", n + 8);
    count_visits(TypeParam{}, n, counts);
    EXPECT_TRUE(
        all_equal(counts, [=](std::size_t i) { return static_cast<index_t>(i) < n ? 1 : 0; }))
        << "n = " << n;
  }
}

// On devices each thread takes several indices if there are more indices than threads.
TYPED_TEST(Forall, VisitsEveryIndexOnceWithMoreOfThemThanThreads) {
  const TypeParam exec;
  index_t threads = 2;
  if constexpr (requires { exec.concurrency(); }) threads = exec.concurrency();
  for (const index_t n : {threads - 1, threads + 1, 2 * threads - 1, 3 * threads + 1,
                          4 * threads + 1, 11 * threads + 7}) {
    const Counts<TypeParam> counts("counts", n + 8);
    count_visits(exec, n, counts);
    const auto last = static_cast<std::size_t>(n);
    EXPECT_TRUE(all_equal(counts, [=](std::size_t i) { return i < last ? 1 : 0; })) << "n = " << n;
  }
}

struct CountAt {
  int* visits;
  KOKKOS_FUNCTION void operator()(index_t i) const { ++visits[i]; }
};
struct KeepSmallest {
  index_t* smallest;
  KOKKOS_FUNCTION void operator()(index_t i) const { *smallest = Kokkos::min(*smallest, i); }
};

// (The chunks of a device loop, run here one thread after the other.)
TEST(Chunks, HaveEveryIndexOnceAndBeginWhereLinesOfMemoryDo) {
  for (const index_t each : {1, 2, 3, 4}) {
    for (const index_t n : sizes) {
      std::vector<int> visits(static_cast<std::size_t>(n));
      const detail::Chunked<CountAt> chunks{{visits.data()}, n, each};
      EXPECT_LT(chunks.threads() * each, n + 128 * each);
      for (index_t thread = 0; thread < chunks.threads(); ++thread) chunks(thread);
      EXPECT_THAT(visits, ::testing::Each(1)) << n << " indices, " << each << " each";
    }
    index_t first = 1 << 20;  // of thread 128, the first of its block
    detail::Chunked<KeepSmallest>{{&first}, 1 << 20, each}(128);
    EXPECT_EQ(first, 128 * each);
  }
}

TYPED_TEST(Forall, RefusesNegativeCountsByLabelAndValue) {
  const TypeParam exec;
  const Counts<TypeParam> counts("counts", 1);

  const std::string text = error_of<InvalidArgument>([&] { count_visits(exec, -3, counts); });
  EXPECT_THAT(text, AllOf(HasSubstr("count_visits"), HasSubstr("-3")));
  EXPECT_THROW(static_cast<void>(reduce<Kokkos::Sum<index_t>>(exec, "sum", -1, 0, AddIndex{})),
               InvalidArgument);
  EXPECT_TRUE(all_equal(counts, [](std::size_t) { return 0; }));
}

TYPED_TEST(Forall, ReductionsIncludeTheInitialValue) {
  const TypeParam exec;
  for (const index_t n : sizes) {
    SCOPED_TRACE(n);
    const auto last = static_cast<double>(n - 1);
    EXPECT_EQ(reduce<Kokkos::Sum<index_t>>(exec, "sum", n, 100, AddIndex{}), 100 + n * (n - 1) / 2);
    EXPECT_EQ(reduce<Kokkos::Sum<double>>(exec, "sum", n, 0.5, AddIndexAsDouble{}),
              0.5 + static_cast<double>(n * (n - 1) / 2));
    for (const double initial : {-5000.0, 3.5, 5000.0}) {
      const double expected_max = n == 0 ? initial : std::max(initial, last);
      const double expected_min = n == 0 ? initial : std::min(initial, -last);
      EXPECT_EQ(reduce<Kokkos::Max<double>>(exec, "max", n, initial, Largest{}), expected_max);
      EXPECT_EQ(reduce<Kokkos::Min<double>>(exec, "min", n, initial, SmallestNegative{}),
                expected_min);
    }
    if (n < 1000) {
      EXPECT_EQ(reduce<Kokkos::Prod<double>>(exec, "prod", n, 3.0, Double{}),
                std::ldexp(3.0, static_cast<int>(n)));
    }
  }
}

// The values 0 to 6 repeat, so that smallest and largest values tie.
TYPED_TEST(Forall, ReductionsFindAPlaceOfTheSmallestAndOfTheLargest) {
  using MinLoc = Kokkos::MinLoc<int, index_t>;
  using MaxLoc = Kokkos::MaxLoc<int, index_t>;
  for (const index_t n : {7, 64, 1000}) {
    const auto least = reduce<MinLoc>(TypeParam{}, "argmin", n, {100, -1}, LeastAt{});
    EXPECT_EQ(least.val, 0);
    EXPECT_EQ(least.loc % 7, 0);
    const auto most = reduce<MaxLoc>(TypeParam{}, "argmax", n, {-100, -1}, MostAt{});
    EXPECT_EQ(most.val, 6);
    EXPECT_EQ(most.loc % 7, 6);
    EXPECT_TRUE(least.loc >= 0 && least.loc < n && most.loc >= 0 && most.loc < n);
    EXPECT_EQ(reduce<MinLoc>(TypeParam{}, "argmin", n, {-1, -1}, LeastAt{}).loc, -1);
  }
}

TYPED_TEST(Forall, SumsMinimaAndMaximaOfNothingAreKokkos) {
  const TypeParam exec;
  for (const index_t n : sizes) {
    SCOPED_TRACE(n);
    const auto last = static_cast<double>(n - 1);
    EXPECT_EQ(sum<index_t>(exec, "sum", n, AddIndex{}), n * (n - 1) / 2);
    EXPECT_EQ(max<double>(exec, "max", n, Largest{}),
              n == 0 ? std::numeric_limits<double>::lowest() : last);
    EXPECT_EQ(min<double>(exec, "min", n, SmallestNegative{}),
              n == 0 ? std::numeric_limits<double>::max() : -last);
  }
}

TEST(ForallByDefault, AddsAndFindsTheSmallestAndTheLargest) {
  EXPECT_EQ(sum<index_t>("sum", 10, AddIndex{}), 45);
  EXPECT_EQ(max<double>("max", 10, Largest{}), 9);
  EXPECT_EQ(min<double>("min", 10, SmallestNegative{}), -9);
}

TEST(ForallByDefault, VisitsEveryIndexOnce) {
  const Counts<Kokkos::DefaultExecutionSpace> counts("counts", 100);
  count_visits_by_default(99, counts);
  Kokkos::fence();
  EXPECT_TRUE(all_equal(counts, [](std::size_t i) { return i < 99 ? 1 : 0; }));
}

TEST(ForallByDefault, PassesTwoToThePowerOf31) {
#ifndef NDEBUG
  GTEST_SKIP() << "takes too long without optimisation";
#endif
  constexpr index_t n = (index_t{1} << 31) + 1;
  EXPECT_EQ(reduce<Kokkos::Sum<index_t>>("sum", n, 0, AddIndex{}),
            n * (n / 2));  // n - 1 is even
}

}  // namespace kolam::forall_test
