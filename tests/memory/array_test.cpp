// SPDX-License-Identifier: Apache-2.0
// The numbers are those of the cases in the design of memory.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <kolam/core/forall.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::array_test {

using testing::all_equal;
using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::Not;

template <class View, class T>
struct Set {
  View x;
  T value;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) = value; }
};
template <class View>
struct Increment {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) += 1; }
};
template <class View>
struct Square {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const {
    sum += static_cast<double>(x(i)) * static_cast<double>(x(i));
  }
};

// As the rest of kolam uses arrays: intent -> view -> loop.
template <class Exec, class T>
void fill(Array<T>& a, T value) {
  const auto x = a.write(Exec{});
  forall(Exec{}, "fill", a.size(), Set<decltype(x), T>{x, value});
}
template <class Exec, class T>
void add_one(Array<T>& a) {
  const auto x = a.read_write(Exec{});
  forall(Exec{}, "add_one", a.size(), Increment<decltype(x)>{x});
}
template <class Exec, class T>
double dot(const Array<T>& a) {
  const auto x = a.read(Exec{});
  return reduce<Kokkos::Sum<double>>(Exec{}, "dot", a.size(), 0.0, Square<decltype(x)>{x});
}

// Copies, bytes and so on, to compare at once.
void expect_counts(const Transfers& t, std::uint64_t to_device, std::uint64_t to_host,
                   std::uint64_t avoided, std::uint64_t allocations, std::uint64_t bytes) {
  EXPECT_EQ(t.copies_to_device, to_device);
  EXPECT_EQ(t.bytes_to_device, to_device * bytes);
  EXPECT_EQ(t.copies_to_host, to_host);
  EXPECT_EQ(t.bytes_to_host, to_host * bytes);
  EXPECT_EQ(t.copies_avoided, avoided);
  EXPECT_EQ(t.allocations, allocations);
  EXPECT_EQ(t.allocated_bytes, allocations * bytes);
}

template <class Exec>
class ArrayOn : public ::testing::Test {
 public:
  // Whether Exec's memory is another than the host's.
  static constexpr bool apart = detail::side_of<Exec> == detail::Side::device;
};
TYPED_TEST_SUITE(ArrayOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

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

  const bool apart = ArrayOn<Exec>::apart;
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
  expect_counts(none.transfers(), 0, 0, 0, 0, 0);
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

TYPED_TEST(ArrayOn, OnlyStaleRangesMove) {
  Array<double> a("a", 60);
  Kokkos::deep_copy(a.write(host), 1.0);
  static_cast<void>(a.read(TypeParam{}));
  for (const Range range : {Range{5, 10}, {8, 19}, {50, 55}}) {  // 13
    const auto part = a.write(TypeParam{}, range);
    ASSERT_EQ(part.extent(0), static_cast<std::size_t>(range.end - range.begin));
    Kokkos::deep_copy(part, 2.0);
  }
  EXPECT_TRUE(a.valid(TypeParam{}));
  EXPECT_EQ(a.valid(host, {0, 6}), !this->apart);
  EXPECT_TRUE(a.valid(host, {19, 50}));
  const Transfers before = a.transfers();

  EXPECT_EQ(a.read(host, {4, 6})(1), 2.0);  // the sixth value alone
  EXPECT_EQ(a.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 8U : 0U);
  EXPECT_TRUE(all_equal(a.read(host), [](std::size_t i) {
    return (i >= 5 && i < 19) || (i >= 50 && i < 55) ? 2.0 : 1.0;
  }));
  EXPECT_EQ(a.transfers().copies_to_host - before.copies_to_host, this->apart ? 3U : 0U);
  EXPECT_EQ(a.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 19U * 8U : 0U);
  EXPECT_EQ(a.transfers().copies_to_device, before.copies_to_device);
}

TYPED_TEST(ArrayOn, RangesNeverWrittenAreNamed) {
  Array<double> a("a", 10);
  Kokkos::deep_copy(a.write(host, {0, 3}), 1.0);
  Kokkos::deep_copy(a.write(TypeParam{}, {3, 5}), 2.0);

  EXPECT_TRUE(all_equal(a.read(host, {0, 5}), [](std::size_t i) { return i < 3 ? 1.0 : 2.0; }));
  EXPECT_THAT(error_of<AccessError>([&] {
                static_cast<void>(a.read(host, {2, 7}));
              }),
              AllOf(HasSubstr("'a'"), HasSubstr("bytes 40 to 56 of 80")));
  EXPECT_THROW(static_cast<void>(a.read(TypeParam{})), AccessError);
  EXPECT_EQ(a.read_write(TypeParam{}).extent(0), 10U);
  EXPECT_TRUE(all_equal(a.read(host, {0, 5}), [](std::size_t i) { return i < 3 ? 1.0 : 2.0; }));
}

TYPED_TEST(ArrayOn, RangesBeyondItAreRefusedByLabelAndValues) {
  Array<int> a("short", 4);
  for (const Range range : {Range{-1, 2}, {3, 2}, {2, 5}, {5, 5}}) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(a.write(TypeParam{}, range)); }),
                AllOf(HasSubstr("array 'short'"), HasSubstr("[" + std::to_string(range.begin)),
                      HasSubstr("its 4 values")));
  }
  EXPECT_EQ(a.write(TypeParam{}, {4, 4}).extent(0), 0U);
  EXPECT_FALSE(a.valid(TypeParam{}));
}

TYPED_TEST(ArrayOn, AliasesWrittenOnAlternatingSidesAgree) {  // 3, 4
  for (const index_t n : {1, 2, 63, 1024}) {
    SCOPED_TRACE(n);
    Array<double> base("base", 7 * n);
    auto first = base.alias({0, 3 * n});
    auto second = base.alias({3 * n, 6 * n});
    auto third = base.alias({6 * n, 7 * n});
    const auto squares = [&](double a, double b, double c) {
      return static_cast<double>(n) * (3 * a * a + 3 * b * b + c * c);
    };

    fill<TypeParam>(first, 1.0);
    fill<HostTeams>(second, 1.0);
    fill<TypeParam>(third, 1.0);
    EXPECT_EQ(dot<HostTeams>(base), squares(1, 1, 1));
    EXPECT_EQ(dot<TypeParam>(base), squares(1, 1, 1));
    fill<HostTeams>(first, 2.0);
    add_one<TypeParam>(second);
    EXPECT_EQ(dot<TypeParam>(base), squares(2, 2, 1));
    add_one<HostTeams>(third);
    EXPECT_EQ(dot<HostTeams>(base), squares(2, 2, 2));
    fill<TypeParam>(base, 3.0);
    EXPECT_EQ(dot<HostTeams>(second), static_cast<double>(n) * 27);
    EXPECT_EQ(base.transfers().allocations, this->apart ? 2U : 1U);
  }
}

TYPED_TEST(ArrayOn, OverlappingAndNestedAliasesMoveOnlyWhatIsStale) {  // 13
  Array<double> base("base", 60);
  Kokkos::deep_copy(base.write(host), 1.0);
  static_cast<void>(base.read(TypeParam{}));
  auto middle = base.alias({5, 55});
  for (const Range range : {Range{0, 5}, {3, 14}, {45, 50}}) {  // of base: 5-10, 8-19, 50-55
    auto nested = middle.alias(range);
    fill<TypeParam>(nested, 2.0);
  }
  const Transfers before = base.transfers();
  EXPECT_TRUE(all_equal(base.read(host), [](std::size_t i) {
    return (i >= 5 && i < 19) || (i >= 50 && i < 55) ? 2.0 : 1.0;
  }));
  EXPECT_EQ(base.transfers().copies_to_host - before.copies_to_host, this->apart ? 2U : 0U);
  EXPECT_EQ(base.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 19U * 8U : 0U);
}

TYPED_TEST(ArrayOn, AliasesOutliveTheirBase) {  // 6, 7
  auto base = std::make_unique<Array<int>>("base", 10);
  fill<TypeParam>(*base, 4);
  const auto* const values = base->read(host).data();
  auto whole = base->alias({0, 10});
  auto part = base->alias({7, 9});
  EXPECT_EQ(whole.read(host).data(), values);
  base.reset();
  Array<int> other("other", 10);
  fill<TypeParam>(other, 5);

  EXPECT_EQ(part.read(host).data(), values + 7);
  EXPECT_EQ(dot<TypeParam>(part), 32);
  EXPECT_EQ(whole.label(), "base");
  Array<int> moved = std::move(part);
  add_one<TypeParam>(moved);
  EXPECT_EQ(dot<HostTeams>(whole), 8 * 16 + 2 * 25);
}

TYPED_TEST(ArrayOn, AliasesBeyondItAreRefused) {
  Array<int> a("a", 10);
  auto b = a.alias({2, 6});
  EXPECT_EQ(b.alias({4, 4}).read(TypeParam{}).extent(0), 0U);
  for (const Range range : {Range{-1, 2}, {3, 2}, {0, 5}, {5, 5}}) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(b.alias(range)); }),
                AllOf(HasSubstr("array 'a'"), HasSubstr("its 4 values")));
  }
}

TYPED_TEST(ArrayOn, BorrowsValuesAndLeavesThemToTheirOwner) {  // 5
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

TYPED_TEST(ArrayOn, SharesViewsAndKeepsThemAlive) {
  using View = Kokkos::View<double*, typename TypeParam::memory_space>;
  auto view = std::make_unique<View>("shared", 6);
  auto a = share(*view);
  EXPECT_EQ(a.label(), "shared");
  EXPECT_EQ(view->use_count(), 2);
  EXPECT_EQ(a.read(TypeParam{}).data(), view->data());
  view.reset();
  fill<HostTeams>(a, 2.0);
  add_one<TypeParam>(a);
  EXPECT_EQ(dot<HostTeams>(a), 54);
}

TEST(Array, BorrowsAndSharesOnlyWhatItCanUse) {
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

// 20: any intents on any ranges of any aliases against one plain vector.
template <class Exec>
void random_intents_agree(std::mt19937& random) {
  const auto n = static_cast<index_t>(1 + random() % 20);
  const auto range_within = [&](index_t size) -> Range {
    if (random() % 4 == 0) return {0, size};
    const auto [low, high] = std::minmax({random() % (size + 1), random() % (size + 1)});
    return {static_cast<index_t>(low), static_cast<index_t>(high)};
  };
  Array<int> base("a", n);
  Array<int> a = base.alias({0, n});
  index_t begin = 0;  // of a, in base
  const auto any_alias = [&] {
    const Range range = range_within(n);
    a = base.alias(range);
    begin = range.begin;
  };
  std::vector<int> values(static_cast<std::size_t>(n));
  const auto change = [&](const auto& where, int value) {
    const Range range = range_within(a.size());
    const auto expected = values.begin() + begin;
    if (random() % 2 == 0) {
      Kokkos::deep_copy(a.write(where, range), value);
    } else {
      Kokkos::deep_copy(a.read_write(where, range), value);
    }
    std::fill(expected + range.begin, expected + range.end, value);
  };
  const auto check = [&](const auto& where) {
    const Range range = range_within(a.size());
    EXPECT_TRUE(all_equal(a.read(where, range), [&](std::size_t i) {
      return values[static_cast<std::size_t>(begin + range.begin) + i];
    }));
  };
  Kokkos::deep_copy(base.write(host), 0);
  for (int step = 1; step <= 50; ++step) {
    if (random() % 3 == 0) any_alias();
    const bool at_host = random() % 2 == 0;
    if (random() % 2 == 0) {
      at_host ? change(host, step) : change(Exec{}, step);
    } else {
      at_host ? check(host) : check(Exec{});
    }
  }
}

TYPED_TEST(ArrayOn, RandomIntentsAgreeWithAVector) {
  std::mt19937 random(11);  // NOLINT(bugprone-random-generator-seed): the same every time
  for (int sequence = 0; sequence < 200; ++sequence) {
    SCOPED_TRACE(sequence);
    random_intents_agree<TypeParam>(random);
    ASSERT_FALSE(this->HasFailure());
  }
}

TEST(Array, TagsNameItsSides) {
  Array<double> a("a", 2);
  a.write(host)(0) = 1;
  a.read_write(host)(1) = 2;
  static_cast<void>(a.read_write(device));
  EXPECT_EQ(a.valid(host), one_side);
  EXPECT_TRUE(all_equal(a.read(host), [](std::size_t i) { return static_cast<double>(i + 1); }));
  expect_counts(a.transfers(), one_side ? 0 : 1, one_side ? 0 : 1, one_side ? 3 : 1,
                one_side ? 1 : 2, 16);
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

// This array is asked for memory before main and lives until after it.
Array<double> global("global", 5);
const std::string before_main = [] {
  try {
    static_cast<void>(global.write(host));
    return std::string("nothing was thrown");
  } catch (const NotRunning& error) {
    return std::string(error.what());
  }
}();

TEST(Array, BeforeKokkosRunsSaysSo) {
  EXPECT_THAT(before_main, AllOf(HasSubstr("array 'global'"), HasSubstr("before Kokkos runs")));
  global.write(host)(0) = 1;
  EXPECT_EQ(global.read(device).extent(0), 5U);
}

// In a process of its own: dies with 0 only if all went as it should.
void outlive_kokkos() {
  auto late = std::make_unique<Array<double>>("late", 8);
  fill<Kokkos::DefaultExecutionSpace>(*late, 1.0);
  static_cast<void>(late->read(host));
  Array<double> never("never", 8);
  Kokkos::finalize();
  bool refused = false;
  try {
    static_cast<void>(never.write(host));
  } catch (const NotRunning& error) {
    refused = std::string(error.what()).find("array 'never' is used after") == 0;
  }
  late.reset();
  std::_Exit(refused ? 0 : 1);
}

TEST(ArrayDeathTest, OutlivesKokkosQuietly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(outlive_kokkos(), ::testing::ExitedWithCode(0), Not(HasSubstr("rror")));
}

}  // namespace kolam::array_test
