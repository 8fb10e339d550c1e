// SPDX-License-Identifier: Apache-2.0
// Ranges of an array and aliases of one dimension.
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

template <class Exec>
class AliasOn : public ArrayOn<Exec> {};
TYPED_TEST_SUITE(AliasOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(AliasOn, OnlyStaleRangesMove) {
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

TYPED_TEST(AliasOn, RangesNeverWrittenAreNamed) {
  Array<double> a("a", 10);
  Kokkos::deep_copy(a.write(host, {0, 3}), 1.0);
  Kokkos::deep_copy(a.write(TypeParam{}, {3, 5}), 2.0);

  EXPECT_TRUE(all_equal(a.read(host, {0, 5}), [](std::size_t i) { return i < 3 ? 1.0 : 2.0; }));
  EXPECT_THAT(error_of<AccessError>([&] { static_cast<void>(a.read(host, {2, 7})); }),
              AllOf(HasSubstr("'a'"), HasSubstr("values 5 to 6 of 10")));
  EXPECT_THROW(static_cast<void>(a.read(TypeParam{})), AccessError);
  EXPECT_EQ(a.read_write(TypeParam{}).extent(0), 10U);
  EXPECT_TRUE(all_equal(a.read(host, {0, 5}), [](std::size_t i) { return i < 3 ? 1.0 : 2.0; }));
}

TYPED_TEST(AliasOn, RangesBeyondItAreRefusedByLabelAndValues) {
  Array<int> a("short", 4);
  for (const Range range : {Range{-1, 2}, {3, 2}, {2, 5}, {5, 5}}) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(a.write(TypeParam{}, range)); }),
                AllOf(HasSubstr("array 'short'"), HasSubstr("[" + std::to_string(range.begin)),
                      HasSubstr("its 4 values")));
  }
  EXPECT_EQ(a.write(TypeParam{}, {4, 4}).extent(0), 0U);
  EXPECT_FALSE(a.valid(TypeParam{}));
}

TYPED_TEST(AliasOn, AliasesWrittenOnAlternatingSidesAgree) {  // 3, 4
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

TYPED_TEST(AliasOn, OverlappingAndNestedAliasesMoveOnlyWhatIsStale) {  // 13
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

TYPED_TEST(AliasOn, AliasesOutliveTheirBase) {  // 6, 7
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

TYPED_TEST(AliasOn, AliasesBeyondItAreRefused) {
  Array<int> a("a", 10);
  auto b = a.alias({2, 6});
  const auto none = b.alias({4, 4});
  EXPECT_EQ(none.read(TypeParam{}).extent(0), 0U);
  for (const Range range : {Range{-1, 2}, {3, 2}, {0, 5}, {5, 5}}) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(b.alias(range)); }),
                AllOf(HasSubstr("array 'a'"), HasSubstr("its 4 values")));
  }
}

TYPED_TEST(AliasOn, EveryThirdValueIsAnArray) {
  for (const index_t n : {1, 2, 3, 4, 60, 61, 62}) {
    SCOPED_TRACE(n);
    Array<int> a("a", n);
    number<HostTeams>(a);
    auto third = a.alias({0, n}, 3);
    static_assert(std::is_same_v<decltype(third), Array<int, 1, Kokkos::LayoutStride>>);
    ASSERT_EQ(third.size(), (n + 2) / 3);
    EXPECT_TRUE(all_equal(values_on<TypeParam>(third), [](std::size_t i) { return 3 * i; }));
    add_one<TypeParam>(third);
    EXPECT_TRUE(all_equal(values_of(a), [](std::size_t i) { return i + (i % 3 == 0 ? 1 : 0); }));
  }
}

TYPED_TEST(AliasOn, OnlyTheValuesOfAStridedOneMove) {
  Array<int> a("a", 40);
  number<HostTeams>(a);
  static_cast<void>(a.read(TypeParam{}));
  auto odd = a.alias({1, 12}, 2);  // 1, 3, .. 11
  fill<TypeParam>(odd, -1);
  EXPECT_TRUE(a.valid(host, {12, 40}));
  EXPECT_EQ(a.valid(host, {1, 2}), !this->apart);
  EXPECT_TRUE(a.valid(host, {2, 3}) && a.valid(TypeParam{}));
  EXPECT_EQ(odd.valid(host), !this->apart);
  const Transfers before = a.transfers();
  EXPECT_THAT(values_on<HostTeams>(odd), Each(-1));
  EXPECT_EQ(a.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 24U : 0U);
  EXPECT_TRUE(all_equal(
      values_of(a), [](std::size_t i) { return i % 2 == 1 && i < 12 ? -1 : static_cast<int>(i); }));
}

// More segments than are copied one by one, of every value size: copied packed, both ways.
template <class Exec, class T>
void many_segments_move() {
  for (const index_t stride : {2, 3, 7}) {
    SCOPED_TRACE(stride);
    Array<T> a("a", 100);
    number<HostTeams>(a);
    static_cast<void>(a.read(Exec{}));
    auto some = a.alias({1, 100}, stride);
    fill<Exec>(some, T{101});
    const auto expected = [=](std::size_t i) {
      const bool set = i % static_cast<std::size_t>(stride) == 1;
      return set ? T{101} : static_cast<T>(i);
    };
    EXPECT_TRUE(all_equal(values_on<HostTeams>(a), expected));
    fill<HostTeams>(some, T{102});
    add_one<Exec>(some);
    fill<HostTeams>(some, T{101});
    EXPECT_TRUE(all_equal(values_on<Exec>(a), expected));
    EXPECT_TRUE(all_equal(values_of(a), expected));
  }
}

TYPED_TEST(AliasOn, ManySegmentsMoveWhateverTheSizeOfAValue) {
  many_segments_move<TypeParam, double>();
  many_segments_move<TypeParam, float>();
  many_segments_move<TypeParam, short>();
  many_segments_move<TypeParam, signed char>();
}

TYPED_TEST(AliasOn, StridedOnesHaveStridedOnes) {
  Array<int> a("a", 30);
  number<HostTeams>(a);
  auto even = a.alias({2, 30}, 2);      // 2, 4, .. 28
  auto sixth = even.alias({1, 12}, 3);  // 4, 10, 16, 22
  EXPECT_THAT(values_of(sixth), ElementsAre(4, 10, 16, 22));
  EXPECT_THAT(values_of(even.alias({3, 6})), ElementsAre(8, 10, 12));
  fill<TypeParam>(sixth, 0);
  EXPECT_THAT(values_of(a.alias({3, 11})), ElementsAre(3, 0, 5, 6, 7, 8, 9, 0));
  EXPECT_EQ(sixth.read(TypeParam{}, {1, 2}).data(), a.read(TypeParam{}).data() + 10);
}

TYPED_TEST(AliasOn, StridesBelowOneAreRefusedAndLargeOnesTakeTheFirst) {
  Array<int> a("wide", 4);
  number<TypeParam>(a);
  for (const index_t stride : {index_t{0}, index_t{-2}}) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(a.alias({0, 4}, stride)); }),
                AllOf(HasSubstr("array 'wide'"), HasSubstr(std::to_string(stride))));
  }
  EXPECT_THROW(static_cast<void>(a.alias({0, 5}, 2)), InvalidArgument);
  EXPECT_EQ(a.alias({2, 2}, 2).size(), 0);
  for (const index_t stride : {index_t{3}, index_t{4}, std::numeric_limits<index_t>::max()}) {
    EXPECT_THAT(values_of(a.alias({1, 4}, stride)), ElementsAre(1));
  }
}

}  // namespace kolam::array_test
