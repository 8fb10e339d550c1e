// SPDX-License-Identifier: Apache-2.0
// The numbers after the tests are those of the cases in the design of memory.
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "array_operations.hpp"

namespace kolam::array_test {

TYPED_TEST_SUITE(ArrayOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

// (On HIP some distributions' device libraries lack an atomic operation that scans need.)
template <class Exec>
constexpr bool can_scan = !std::is_same_v<Exec, HostTeams>;
#ifdef KOKKOS_ENABLE_HIP
template <>
constexpr bool can_scan<Kokkos::HIP> = false;
#endif

// An intent on a temporary would return a View of freed values.
template <class A>
constexpr bool takes_intents_of_views = requires(A a) { static_cast<A>(a).read(host); };
template <class A>
constexpr bool takes_intents_of_ranges = requires(A a) { static_cast<A>(a).read(host, {0, 1}); };
template <class A>
constexpr bool takes_intents_without_a_side = requires(A a) { static_cast<A>(a).read(); };
template <class A>
constexpr bool takes_writes = requires(A a) { static_cast<A>(a).write(host); } ||
                              requires(A a) { static_cast<A>(a).write(host, {0, 1}); } ||
                              requires(A a) { static_cast<A>(a).write(); } ||
                              requires(A a) { static_cast<A>(a).read_write(host); } ||
                              requires(A a) { static_cast<A>(a).mirror(host); };
template <class A>
constexpr bool takes_no_intent = !takes_intents_of_views<A> && !takes_intents_of_ranges<A> &&
                                 !takes_intents_without_a_side<A> && !takes_writes<A>;
static_assert(takes_no_intent<Array<double>&&> && takes_no_intent<const Array<double>&&>);
static_assert(takes_intents_of_views<Array<double>&> && takes_intents_of_ranges<Array<double>&> &&
              takes_intents_without_a_side<Array<double>&> && takes_writes<Array<double>&>);
static_assert(takes_intents_of_views<const Array<double>&> && !takes_writes<const Array<double>&>);

template <class View>
struct RunningSum {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i, index_t& sum, bool is_final) const {
    sum += x(i);
    if (is_final) x(i) = sum;
  }
};

template <class Exec, class T>
void sides_alternate(index_t n) {
  Array<T> a("a", n);
  const auto squares = [&](double rest, double first) {
    return static_cast<double>(n - 1) * rest + first;
  };

  fill<Exec>(a, T{2});
  EXPECT_EQ(dot<HostTeams>(a), squares(4, 4));
  fill<HostTeams>(a, T{3});
  EXPECT_EQ(dot<Exec>(a), squares(9, 9));
  add_one<Exec>(a);
  a.read_write(host)(0) += 1;
  EXPECT_EQ(dot<Exec>(a), squares(16, 25));
  EXPECT_EQ(dot<HostTeams>(a), squares(16, 25));

  const bool apart = ArrayOn<Exec>::apart_from_host();
  expect_counts(a.transfers(), apart ? 2 : 0, apart ? 2 : 0, apart ? 2 : 6, apart ? 2 : 1,
                static_cast<std::uint64_t>(n) * sizeof(T));
}

TYPED_TEST(ArrayOn, ValuesFollowFromSideToSide) {  // 1
  for (const index_t n : {1, 2, 63, 1000, 4099}) {
    SCOPED_TRACE(n);
    sides_alternate<TypeParam, double>(n);
    sides_alternate<TypeParam, float>(n);
    sides_alternate<TypeParam, int>(n);
    sides_alternate<TypeParam, signed char>(n);
  }
}

TYPED_TEST(ArrayOn, FirstWrittenByKernelsIsReadOnTheHost) {  // 8, 9
  Array<double> a("a", 100);
  expect_counts(a.transfers(), 0, 0, 0, 0, 800);

  fill<TypeParam>(a, 5.0);
  expect_counts(a.transfers(), 0, 0, 0, 1, 800);
  const auto x = a.write(host);  // needs no old values
  expect_counts(a.transfers(), 0, 0, 0, this->apart ? 2 : 1, 800);
  for (std::size_t i = 0; i < 100; ++i) x(i) = static_cast<double>(i);
  EXPECT_TRUE(all_equal(a.read(TypeParam{}), [](std::size_t i) { return static_cast<double>(i); }));
}

TYPED_TEST(ArrayOn, OnlyStaleSidesAreCopiedTo) {
  Array<int> a("a", 10);
  fill<TypeParam>(a, 1);
  EXPECT_TRUE(a.valid(TypeParam{}));
  EXPECT_EQ(a.valid(host), !this->apart);
  for (int i = 0; i < 5; ++i) static_cast<void>(a.read(host));
  for (int i = 0; i < 3; ++i) static_cast<void>(a.read(TypeParam{}));

  EXPECT_TRUE(a.valid(host) && a.valid(TypeParam{}));
  expect_counts(a.transfers(), 0, this->apart ? 1 : 0, this->apart ? 7 : 8, this->apart ? 2 : 1,
                40);
}

TYPED_TEST(ArrayOn, ReadBeforeAnythingWasWrittenNamesTheArray) {
  Array<double> a("pressure", 10);

  EXPECT_THAT(error_of<AccessError>([&] { static_cast<void>(a.read(TypeParam{})); }),
              AllOf(HasSubstr("'pressure'"), HasSubstr("write()")));
  expect_counts(a.transfers(), 0, 0, 0, 0, 80);
  EXPECT_FALSE(a.valid(TypeParam{}));
  fill<TypeParam>(a, 1.0);
  EXPECT_EQ(dot<TypeParam>(a), 10);
}

TYPED_TEST(ArrayOn, ReadWriteMayComeFirst) {
  Array<double> a("a", 10);
  const auto x = a.read_write(TypeParam{});
  EXPECT_EQ(x.extent(0), 10U);
  EXPECT_TRUE(a.valid(TypeParam{}));
  expect_counts(a.transfers(), 0, 0, 0, 1, 80);
}

// Kokkos::parallel_scan works on the View that an intent returns.
TYPED_TEST(ArrayOn, IsScannedInPlace) {
  if constexpr (!can_scan<TypeParam>) {
    GTEST_SKIP() << "Kokkos scans on its own spaces only, and on HIP not with every device library";
  } else {
    const TypeParam exec;
    for (const index_t n : {0, 1, 31, 1000}) {
      Array<index_t> a("a", n);
      number<TypeParam>(a);
      const auto x = a.read_write(exec);
      Kokkos::parallel_scan("scan", Kokkos::RangePolicy<TypeParam>(exec, 0, n),
                            RunningSum<decltype(x)>{x});
      EXPECT_TRUE(all_equal(a.read(host), [](std::size_t i) { return i * (i + 1) / 2; }));
    }
  }
}

TYPED_TEST(ArrayOn, IntentsAreInTheTypes) {
  Array<float> a("a", 4);
  const auto written = a.write(TypeParam{});
  const auto read = a.read(TypeParam{});
  const auto changed = a.read_write(TypeParam{});
  using Space = typename TypeParam::memory_space;

  static_assert(std::is_same_v<typename decltype(read)::value_type, const float>);
  static_assert(std::is_same_v<typename decltype(written)::value_type, float>);
  static_assert(std::is_same_v<typename decltype(changed)::value_type, float>);
  static_assert(std::is_same_v<typename decltype(read)::memory_space, Space>);
  static_assert(std::is_same_v<typename decltype(written)::memory_space, Space>);
  EXPECT_EQ(read.data(), written.data());
  EXPECT_EQ(changed.data(), written.data());
}

TYPED_TEST(ArrayOn, MovesKeepPointersAndLeaveAnEmptySource) {  // 12
  Array<int> a("a", 6);
  fill<TypeParam>(a, 7);
  const auto* const values = a.read(TypeParam{}).data();

  Array<int> b(std::move(a));
  EXPECT_EQ(b.read(TypeParam{}).data(), values);
  EXPECT_EQ(b.label(), "a");
  EXPECT_EQ(a.size(), 0);  // NOLINT(bugprone-use-after-move): the source is an array of no values
  EXPECT_EQ(a.label(), "");
  EXPECT_EQ(a.read(TypeParam{}).extent(0), 0U);
  EXPECT_EQ(a.write(host).extent(0), 0U);

  Array<int> c("c", 3);
  fill<TypeParam>(c, 1);
  c = std::move(b);
  EXPECT_EQ(c.read(TypeParam{}).data(), values);
  EXPECT_EQ(c.size(), 6);
  EXPECT_EQ(b.size(), 0);  // NOLINT(bugprone-use-after-move)
  Array<int>& self = c;
  c = std::move(self);
  EXPECT_EQ(dot<TypeParam>(c), 6 * 49);
  a = Array<int>("again", 2);
  fill<TypeParam>(a, 2);
  EXPECT_EQ(dot<TypeParam>(a), 8);
}

TYPED_TEST(ArrayOn, OfNoValuesTakesNothing) {  // 17
  Array<double> none("none", 0);
  const Array<double> by_default;

  EXPECT_EQ(by_default.size(), 0);
  EXPECT_EQ(by_default.read(TypeParam{}).extent(0), 0U);
  EXPECT_EQ(dot<TypeParam>(none), 0);
  fill<TypeParam>(none, 1.0);
  add_one<TypeParam>(none);
  EXPECT_EQ(none.read(host).extent(0), 0U);
  expect_counts(none.transfers(), 0, 0, 3, 0, 0);
}

TYPED_TEST(ArrayOn, ThatDoesNotFitSaysSoAndStaysUsable) {
  for (const index_t bytes : {index_t{1} << 50, std::numeric_limits<index_t>::max()}) {
    Array<char> huge("huge", bytes);
    for (int i = 0; i < 2; ++i) {
      try {
        static_cast<void>(huge.write(TypeParam{}));
        ADD_FAILURE() << "nothing was thrown";
      } catch (const OutOfMemory& error) {
        EXPECT_EQ(error.requested(), static_cast<std::uint64_t>(bytes));
        EXPECT_GT(error.available(), 0U);
        EXPECT_THAT(error.what(), HasSubstr("array 'huge'"));
      }
    }
    EXPECT_EQ(huge.size(), bytes);
    EXPECT_FALSE(huge.valid(TypeParam{}) || huge.valid(host));
    EXPECT_EQ(huge.transfers().allocations, 0U);
    EXPECT_THROW(static_cast<void>(huge.read(TypeParam{})), AccessError);
    huge = Array<char>("small", 1);
    fill<TypeParam>(huge, char{3});
    EXPECT_EQ(dot<TypeParam>(huge), 9);
  }
}

TEST(Array, TagsNameItsSides) {
  Array<double> a("a", 2);
  a.write(host)(0) = 1;
  a.read_write(host)(1) = 2;
  static_cast<void>(a.read_write(device));
  EXPECT_EQ(a.valid(host), one_memory && !detail::emulating());
  EXPECT_TRUE(all_equal(a.read(host), [](std::size_t i) { return static_cast<double>(i + 1); }));
  const bool one = one_memory && !detail::emulating();
  expect_counts(a.transfers(), one ? 0 : 1, one ? 0 : 1, one ? 3 : 1, one ? 1 : 2, 16);
}

TEST(Array, KnowsSizesBeyond32BitsBeforeItTakesMemory) {  // 17
  constexpr index_t n = (index_t{1} << 31) + 1;
  EXPECT_EQ(Array<char>("long", n).size(), n);
  EXPECT_EQ(Array<double>("long", n).transfers().allocations, 0U);
}

TEST(Array, RefusesNegativeAndOverflowingSizesByLabel) {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  for (const index_t n : {index_t{-1}, most, most / 8 + 1, -most}) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { const Array<double> a("bad", n); }),
                AllOf(HasSubstr("array 'bad'"), HasSubstr(std::to_string(n))));
  }
  EXPECT_EQ(Array<double>("fits", most / 8).size(), most / 8);
}

}  // namespace kolam::array_test
