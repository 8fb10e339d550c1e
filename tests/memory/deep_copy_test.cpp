// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/testing/matchers.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

template <class Exec>
class DeepCopyOn : public ArrayOn<Exec> {};
TYPED_TEST_SUITE(DeepCopyOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(DeepCopyOn, CopiesWhereTheValuesAre) {
  Array<int> from("from", 20);
  Array<int> to("to", 20);
  number<TypeParam>(from);
  deep_copy(TypeParam{}, to, from);
  EXPECT_TRUE(to.valid(TypeParam{}));
  EXPECT_EQ(to.valid(host), !this->apart);
  EXPECT_EQ(to.transfers().copies() + from.transfers().copies(), 0U);
  EXPECT_EQ(to.transfers().allocations, 1U);
  EXPECT_TRUE(all_equal(values_of(to), [](std::size_t i) { return i; }));
  add_one<TypeParam>(to);
  EXPECT_EQ(values_of(from)[7], 7) << "two memories";
}

TYPED_TEST(DeepCopyOn, PrefersTheDeviceWhereBothAreValid) {
  const TwoSides two;
  Array<int> from("from", 5);
  Array<int> to("to", 5);
  number<HostTeams>(from);
  static_cast<void>(from.read(device));
  fill<HostTeams>(to, 9);
  const Transfers before = from.transfers();
  deep_copy(TypeParam{}, to, from);
  EXPECT_TRUE(to.valid(device));
  EXPECT_FALSE(to.valid(host, {0, 1}));
  EXPECT_EQ(from.transfers().copies(), before.copies());
  EXPECT_THAT(values_of(to), ElementsAre(0, 1, 2, 3, 4));
}

// Every fourth pair of values is valid on the device, the others on the host.
TYPED_TEST(DeepCopyOn, IslandsStayOnTheirSides) {
  const TwoSides two;
  constexpr index_t n = 40;
  Array<int> from("from", n);
  number<HostTeams>(from);
  for (index_t i = 1; i + 2 <= n; i += 4) {
    auto island = from.alias({i, i + 2});
    const auto x = island.write(Exec{});
    forall(Exec{}, "fill", 2, Set<decltype(x), int>{x, -1});
  }
  Array<int> to("to", n + 3);
  fill<HostTeams>(to, 7);
  auto part = to.alias({3, n + 3});
  deep_copy(TypeParam{}, part, from);
  EXPECT_EQ(from.transfers().copies() + to.transfers().copies(), 0U);
  EXPECT_TRUE(part.valid(device, {1, 3}) && part.valid(device, {5, 7}));
  EXPECT_FALSE(part.valid(host, {1, 2}) || part.valid(device, {3, 4}));
  EXPECT_TRUE(part.valid(host, {3, 5}) && to.valid(host, {0, 4}));
  EXPECT_TRUE(all_equal(values_of(to), [](std::size_t i) {
    if (i < 3) return 7;
    const std::size_t j = i - 3;
    return j % 4 == 1 || j % 4 == 2 ? -1 : static_cast<int>(j);
  }));
}

int copies_until_failure = 0;

// A copy that fails half-way leaves values that are neither the old nor the new ones, so no side
// may be read.
TYPED_TEST(DeepCopyOn, ThatFailsHalfWayLeavesNothingToRead) {
  namespace Tools = Kokkos::Tools::Experimental;
  const TwoSides two;
  Array<int> from("from", 12);
  fill<Exec>(from, 1);
  auto island = from.alias({4, 8});
  fill<HostTeams>(island, 2);
  Array<int> to("to", 12);
  fill<Exec>(to, 7);
  const auto before = Tools::get_callbacks().begin_deep_copy;
  Tools::set_begin_deep_copy_callback([](Kokkos::Tools::SpaceHandle, const char*, const void*,
                                         Kokkos::Tools::SpaceHandle, const char*, const void*,
                                         std::uint64_t) {
    if (copies_until_failure-- == 0) throw std::runtime_error("a tool's");
  });
  copies_until_failure = 1;
  EXPECT_THROW(deep_copy(TypeParam{}, to, from), std::runtime_error);
  Tools::set_begin_deep_copy_callback(before);
  EXPECT_FALSE(to.valid(device, {0, 1}));
  EXPECT_THROW(static_cast<void>(to.read(host)), AccessError);
  deep_copy(TypeParam{}, to, from);
  EXPECT_THAT(values_of(to), ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1));
}

TYPED_TEST(DeepCopyOn, TwoIslandsOfANewerHost) {
  const TwoSides two;
  Array<int> from("from", 10);
  Array<int> to("to", 10);
  fill<Exec>(from, 1);
  static_cast<void>(from.read(host));
  Kokkos::deep_copy(from.write(host, {0, 2}), 2);
  Kokkos::deep_copy(from.write(host, {5, 6}), 3);
  deep_copy(TypeParam{}, to, from);
  EXPECT_EQ(to.transfers().copies(), 0U);
  EXPECT_TRUE(to.valid(device, {2, 5}) && to.valid(device, {6, 10}) && to.valid(host, {5, 6}));
  EXPECT_FALSE(to.valid(host, {2, 3}));
  EXPECT_THAT(values_of(to), ElementsAre(2, 2, 1, 1, 1, 3, 1, 1, 1, 1));
}

TYPED_TEST(DeepCopyOn, WithinOneMemory) {
  Array<int> a("a", 10);
  number<TypeParam>(a);
  auto front = a.alias({0, 4});
  const auto back = a.alias({6, 10});
  deep_copy(TypeParam{}, front, back);
  EXPECT_THAT(values_of(a), ElementsAre(6, 7, 8, 9, 4, 5, 6, 7, 8, 9));
  deep_copy(TypeParam{}, front, a.alias({0, 4}));  // onto itself: no effect
  EXPECT_THAT(values_of(front), ElementsAre(6, 7, 8, 9));
  EXPECT_THAT(error_of<InvalidArgument>([&] { deep_copy(TypeParam{}, front, a.alias({3, 7})); }),
              AllOf(HasSubstr("array 'a'"), HasSubstr("overlap")));
}

TYPED_TEST(DeepCopyOn, ExtentsMustBeEqual) {
  Array<int> from("from", 10);
  Array<int> to("to", 9);
  fill<TypeParam>(from, 1);
  EXPECT_THAT(error_of<InvalidArgument>([&] { deep_copy(TypeParam{}, to, from); }),
              AllOf(HasSubstr("'from'"), HasSubstr("'to'"), HasSubstr("10 values to 9"),
                    HasSubstr("equal")));
  Array<int, 2> wide("wide", {5, 2});
  const Array<int, 2> tall("tall", {2, 5});
  EXPECT_THROW(deep_copy(TypeParam{}, wide, tall), InvalidArgument);
  EXPECT_EQ(to.transfers().allocations, 0U);
}

TYPED_TEST(DeepCopyOn, OfNothingDoesNothingAndOfUnwrittenValuesIsRefused) {
  Array<int> none("none", 0);
  const Array<int> by_default;
  deep_copy(TypeParam{}, none, by_default);
  Array<int> from("unwritten", 4);
  Array<int> to("to", 4);
  fill<TypeParam>(to, 5);
  Kokkos::deep_copy(from.write(TypeParam{}, {0, 3}), 1);
  EXPECT_THAT(error_of<AccessError>([&] { deep_copy(TypeParam{}, to, from); }),
              AllOf(HasSubstr("'unwritten'"), HasSubstr("value 3 of 4")));
  EXPECT_THAT(values_of(to), Each(5));
}

TYPED_TEST(DeepCopyOn, StridedToAdjacentAndBack) {
  Array<int, 2> a("a", {6, 5});
  number<TypeParam>(a);
  Array<int, 2> box("box", {2, 3});
  deep_copy(TypeParam{}, box, a.alias({{{1, 3}, {2, 5}}}));
  EXPECT_THAT(values_of(box), ElementsAre(13, 14, 19, 20, 25, 26));
  add_one<TypeParam>(box);
  auto corner = a.alias({{{4, 6}, {0, 3}}});
  deep_copy(TypeParam{}, corner, box);
  EXPECT_THAT(values_of(corner), ElementsAre(14, 15, 20, 21, 26, 27));
  EXPECT_EQ(values_of(a)[3], 3);

  Array<double> line("line", 30);
  number<TypeParam>(line);
  Array<double> third("third", 10);
  deep_copy(TypeParam{}, third, line.alias({1, 30}, 3));
  EXPECT_TRUE(
      all_equal(values_of(third), [](std::size_t i) { return 3.0 * static_cast<double>(i) + 1; }));
  auto every = line.alias({20, 30});
  deep_copy(TypeParam{}, every, third);
  EXPECT_EQ(values_of(line)[29], 28.0);
  auto strided = line.alias({0, 20}, 2);
  deep_copy(TypeParam{}, strided, third.alias({0, 10}, 1));
  EXPECT_EQ(values_of(line)[4], 7.0);
  EXPECT_EQ(values_of(line)[5], 5.0);
}

TYPED_TEST(DeepCopyOn, ResizeKeepsTheValuesThatFitWhereTheyAre) {
  Array<int> a("sized", 10);
  a.use_device(false);
  number<TypeParam>(a);
  auto old = a.alias({0, 10});
  resize(a, 4);
  EXPECT_EQ(a.size(), 4);
  EXPECT_EQ(a.label(), "sized");
  EXPECT_FALSE(a.use_device());
  EXPECT_EQ(a.transfers().copies(), 0U);
  EXPECT_THAT(values_of(a), ElementsAre(0, 1, 2, 3));
  resize(a, 6);
  EXPECT_THAT(values_of(a.alias({0, 4})), ElementsAre(0, 1, 2, 3));
  EXPECT_THROW(static_cast<void>(a.read(host)), AccessError);
  fill<TypeParam>(a, 9);
  EXPECT_EQ(values_of(old)[5], 5) << "aliases keep the old memory";
  resize(a, 0);
  EXPECT_EQ(a.size(), 0);
  resize(a, 2);
  EXPECT_FALSE(a.valid(host));
  EXPECT_THROW(resize(a, -1), InvalidArgument);
  EXPECT_EQ(a.size(), 2);
}

TYPED_TEST(DeepCopyOn, ResizeToTheSameSizeKeepsMemoryAndAliases) {
  Array<int> a("same", 6);
  number<TypeParam>(a);
  auto part = a.alias({2, 4});
  const int* const values = a.read(TypeParam{}).data();
  resize(a, 6);
  EXPECT_EQ(a.read(TypeParam{}).data(), values);
  fill<TypeParam>(part, 7);
  EXPECT_THAT(values_of(a), ElementsAre(0, 1, 7, 7, 4, 5));
  Array<int, 2> b("same", {2, 3});
  fill<TypeParam>(b, 1);
  auto row = b.alias({{{0, 2}, {1, 2}}});
  resize(b, {2, 3});
  fill<TypeParam>(row, 5);
  EXPECT_THAT(values_of(b), ElementsAre(1, 1, 5, 5, 1, 1));
}

// Each index (i, j, k) has a value of its own, so that a misplaced value shows.
template <class Exec, int N>
void resize_and_expect(const std::array<index_t, N>& from, const std::array<index_t, N>& to,
                       bool written_in_part) {
  SCOPED_TRACE(::testing::PrintToString(from) + " to " + ::testing::PrintToString(to));
  const TwoSides two;
  Array<int, N> a("sized", from);
  const index_t planes = from[N - 1];
  if (written_in_part && planes < 2) return;
  const index_t written = written_in_part ? planes - 1 : planes;
  index_t plane = 1;
  for (std::size_t d = 0; d + 1 < N; ++d) plane *= from[d];
  const index_t count = plane * written;
  auto flat = reshape(a, count);
  number<Exec>(flat);
  resize(a, to);
  EXPECT_EQ(a.transfers().copies(), 0U);
  typename Array<int, N>::Box kept;
  index_t kept_count = 1;
  for (std::size_t d = 0; d < N; ++d) {
    kept[d] = {0, std::min(to[d], d + 1 == N ? written : from[d])};
    kept_count *= kept[d].end;
    EXPECT_EQ(a.extent(static_cast<int>(d)), to[d]);
  }
  if (kept_count == 0) return;
  const std::vector<int> values = values_of(a.alias(kept));
  for (index_t n = 0; n < kept_count; ++n) {
    index_t rest = n;
    index_t expected = 0;
    index_t stride = 1;
    for (std::size_t d = 0; d < N; ++d) {
      expected += rest % kept[d].end * stride;
      rest /= kept[d].end;
      stride *= from[d];
    }
    ASSERT_EQ(values[static_cast<std::size_t>(n)], expected) << n;
  }
}

TYPED_TEST(DeepCopyOn, ResizeOfTwoAndThreeDimensionsKeepsIndices) {
  for (const bool part : {false, true}) {
    for (const auto& to : {std::array<index_t, 2>{4, 5}, {4, 2}, {2, 5}, {6, 7}, {6, 2}, {0, 5}}) {
      resize_and_expect<TypeParam, 2>({4, 5}, to, part);
    }
    for (const auto& to :
         {std::array<index_t, 3>{3, 4, 5}, {3, 4, 7}, {3, 2, 5}, {2, 6, 3}, {5, 4, 5}, {3, 4, 1}}) {
      resize_and_expect<TypeParam, 3>({3, 4, 5}, to, part);
    }
  }
  Array<int, 2> a("a", {2, 2});
  EXPECT_THROW(resize(a, {2, -1}), InvalidArgument);
  EXPECT_EQ(a.size(), 4);
}

TYPED_TEST(DeepCopyOn, ResizeKeepsIslandsAndAnAliasBecomesAnArray) {
  const TwoSides two;
  Array<int> a("a", 10);
  fill<Exec>(a, 1);
  Kokkos::deep_copy(a.write(host, {2, 4}), 2);
  auto part = a.alias({1, 8});
  resize(part, 9);
  EXPECT_EQ(part.transfers().copies(), 0U);
  EXPECT_TRUE(part.valid(host, {1, 3}) && part.valid(device, {3, 7}));
  EXPECT_THAT(values_of(part.alias({0, 7})), ElementsAre(1, 2, 2, 1, 1, 1, 1));
  EXPECT_EQ(a.size(), 10);
}

}  // namespace kolam::array_test
