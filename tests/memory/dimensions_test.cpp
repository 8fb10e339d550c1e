// SPDX-License-Identifier: Apache-2.0
// Arrays of two dimensions and more: layout, boxes and reshaped aliases.
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

template <class Exec>
class DimensionsOn : public ArrayOn<Exec> {};
TYPED_TEST_SUITE(DimensionsOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(DimensionsOn, AreInTheTypes) {
  using Space = typename TypeParam::memory_space;
  using Kokkos::LayoutLeft;
  using Kokkos::LayoutStride;
  Array<float, 2> a("a", {3, 4});
  const TypeParam exec;
  static_assert(std::is_same_v<decltype(a.write(exec)), Kokkos::View<float**, LayoutLeft, Space>>);
  static_assert(
      std::is_same_v<decltype(a.read(exec)), Kokkos::View<const float**, LayoutLeft, Space>>);
  static_assert(
      std::is_same_v<decltype(a.read_write(exec)), Kokkos::View<float**, LayoutLeft, Space>>);
  static_assert(std::is_same_v<decltype(a.read(exec, {{{0, 1}, {0, 1}}})),
                               Kokkos::View<const float**, LayoutStride, Space>>);
  static_assert(
      std::is_same_v<decltype(a.alias({{{0, 1}, {0, 1}}})), Array<float, 2, LayoutStride>>);
  static_assert(std::is_same_v<Array<int>::ReadView<TypeParam>, Kokkos::View<const int*, Space>>);
  static_assert(std::is_same_v<decltype(reshape(a, 2, 3, 2)), Array<float, 3>>);
  static_assert(std::is_same_v<Array<double, 8>::WriteView<HostSide>,
                               Kokkos::View<double********, LayoutLeft, Kokkos::HostSpace>>);
  EXPECT_EQ(a.size(), 12);
  EXPECT_EQ(a.extent(0), 3);
  EXPECT_EQ(a.extent(1), 4);
}

TYPED_TEST(DimensionsOn, TheFirstIndexIsTheFastest) {
  Array<int, 2> a("a", {3, 4});
  number<TypeParam>(a);
  const auto x = a.read(host);
  EXPECT_EQ(x.extent(0), 3U);
  EXPECT_EQ(x.extent(1), 4U);
  EXPECT_EQ(x(1, 0), 1);
  EXPECT_EQ(x(0, 1), 3);
  EXPECT_EQ(&x(1, 2) - x.data(), 7);

  Array<int, 3> b("b", {2, 3, 4});
  number<HostTeams>(b);
  add_one<TypeParam>(b);
  EXPECT_EQ(b.read(host)(1, 2, 3), 1 + 2 * 2 + 6 * 3 + 1);
  EXPECT_EQ(dot<TypeParam>(b), 24 * 25 * 49 / 6);
  expect_counts(b.transfers(), this->apart ? 1 : 0, this->apart ? 1 : 0, this->apart ? 1 : 3,
                this->apart ? 2 : 1, 96);
}

TYPED_TEST(DimensionsOn, AnEmptyOneMakesAnEmptyArray) {
  Array<int, 3> none("none", {4, 0, 2});
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.extent(2), 2);
  fill<TypeParam>(none, 1);
  EXPECT_EQ(none.read(TypeParam{}).extent(0), 4U);
  EXPECT_EQ(none.transfers().allocations, 0U);
  Array<int, 2> a("a", {3, 3});
  EXPECT_EQ(a.write(TypeParam{}, {{{1, 1}, {0, 3}}}).size(), 0U);
  EXPECT_FALSE(a.valid(TypeParam{}));
}

TYPED_TEST(DimensionsOn, BoxIntentsMoveTheirValuesAlone) {
  Array<int, 2> a("a", {5, 6});
  number<HostTeams>(a);
  static_cast<void>(a.read(TypeParam{}));
  const auto box = a.write(TypeParam{}, {{{1, 3}, {2, 5}}});
  EXPECT_EQ(box.extent(0), 2U);
  EXPECT_EQ(box.extent(1), 3U);
  forall(TypeParam{}, "fill", 6, Set<decltype(box), int>{box, -1});
  EXPECT_TRUE(a.valid(host, {{{0, 1}, {0, 6}}}));
  EXPECT_EQ(a.valid(host, {{{1, 2}, {2, 3}}}), !this->apart);
  EXPECT_TRUE(a.valid(TypeParam{}));

  const Transfers before = a.transfers();
  EXPECT_EQ(a.read(host, {{{0, 5}, {3, 4}}})(2, 0), -1);  // a column of the box
  EXPECT_EQ(a.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 8U : 0U);
  EXPECT_TRUE(all_equal(values_of(a), [](std::size_t i) {
    const std::size_t x = i % 5;
    const std::size_t y = i / 5;
    return x >= 1 && x < 3 && y >= 2 && y < 5 ? -1 : static_cast<int>(i);
  }));
  EXPECT_EQ(a.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 24U : 0U);
}

TYPED_TEST(DimensionsOn, BoxAliasesNestAndAgree) {
  Array<int, 3> a("a", {4, 3, 3});
  number<HostTeams>(a);
  auto inner = a.alias({{{1, 3}, {0, 3}, {1, 3}}});
  auto edge = inner.alias({{{0, 2}, {1, 2}, {1, 2}}});  // (1..2, 1, 2) of a
  EXPECT_THAT(values_of(edge), ElementsAre(1 + 4 + 24, 2 + 4 + 24));
  fill<TypeParam>(edge, 100);
  auto values = values_of(inner);
  ASSERT_EQ(values.size(), 12U);
  EXPECT_EQ(values[6 + 2], 100);
  EXPECT_EQ(values[6 + 1], 2 + 24);
  add_one<HostTeams>(inner);
  EXPECT_EQ(values_on<TypeParam>(a)[1 + 4 + 24], 101);
  EXPECT_EQ(values_on<TypeParam>(a)[0], 0);
}

TYPED_TEST(DimensionsOn, BoxesBeyondItAreRefusedByDimension) {
  Array<int, 2> a("plate", {4, 5});
  EXPECT_THAT(error_of<InvalidArgument>(
                  [&] { static_cast<void>(a.write(TypeParam{}, {{{0, 4}, {2, 6}}})); }),
              AllOf(HasSubstr("array 'plate'"), HasSubstr("[2, 6) of dimension 1"),
                    HasSubstr("its 5 values")));
  EXPECT_THROW(static_cast<void>(a.alias({{{-1, 4}, {0, 5}}})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(a.valid(host, {{{3, 2}, {0, 5}}})), InvalidArgument);
  EXPECT_FALSE(a.valid(host) || a.valid(TypeParam{}));
}

TYPED_TEST(DimensionsOn, ReshapedAliasesShareTheValues) {
  Array<int> flat("flat", 12);
  number<TypeParam>(flat);
  auto part = flat.alias({2, 10});
  auto table = reshape(part, 2, 4);
  EXPECT_EQ(table.label(), "flat");
  EXPECT_EQ(table.read(host)(1, 2), 2 + 1 + 2 * 2);
  EXPECT_EQ(table.read(TypeParam{}).data(), flat.read(TypeParam{}).data() + 2);
  fill<TypeParam>(table, 0);
  EXPECT_THAT(values_of(flat), ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11));

  auto line = reshape(table, 3);  // fewer values, other dimensions
  fill<HostTeams>(line, 7);
  EXPECT_THAT(values_on<TypeParam>(flat.alias({0, 6})), ElementsAre(0, 1, 7, 7, 7, 0));
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(reshape(part, 3, 3)); }),
              AllOf(HasSubstr("'flat'"), HasSubstr("9 values"), HasSubstr("there are 8")));
  EXPECT_THROW(static_cast<void>(reshape(part, -1, 2)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(reshape(part, std::numeric_limits<index_t>::max(), 4)),
               InvalidArgument);
}

TYPED_TEST(DimensionsOn, ABoxHasStridedAliasesWhereverItsValuesLie) {
  Array<double, 2> a("a", {30, 20});
  number<HostTeams>(a);
  static_cast<void>(a.read(TypeParam{}));
  auto row = a.alias({{{7, 8}, {0, 20}}});  // 20 segments of one value
  fill<TypeParam>(row, -1.0);
  const Transfers before = a.transfers();
  EXPECT_TRUE(all_equal(values_of(a),
                        [](std::size_t i) { return i % 30 == 7 ? -1.0 : static_cast<double>(i); }));
  EXPECT_EQ(a.transfers().bytes_to_host - before.bytes_to_host, this->apart ? 160U : 0U);
}

TEST(Dimensions, RefuseNegativeAndOverflowingExtentsByLabel) {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  EXPECT_THAT(error_of<InvalidArgument>([&] { const Array<double, 2> a("bad", {3, -1}); }),
              AllOf(HasSubstr("array 'bad'"), HasSubstr("-1")));
  EXPECT_THROW((Array<double, 2>("bad", {most / 8, 2})), InvalidArgument);
  EXPECT_EQ((Array<char, 3>("long", {(index_t{1} << 31) + 1, 2, 3}).size()),
            6 * ((index_t{1} << 31) + 1));
}

}  // namespace kolam::array_test
