// SPDX-License-Identifier: Apache-2.0
// Arrays in memory that was allocated by others.
#include <gmock/gmock.h>

#include <cstdlib>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/wrap.hpp>
#include <kolam/testing/matchers.hpp>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "array_operations.hpp"

namespace kolam::array_test {

template <class Exec>
class WrapOn : public ArrayOn<Exec> {};
TYPED_TEST_SUITE(WrapOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(WrapOn, BorrowsValuesAndLeavesThemToTheirOwner) {  // 5
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

TYPED_TEST(WrapOn, SharesViewsAndKeepsThemAlive) {
  using View = Kokkos::View<double*, typename TypeParam::memory_space>;
  auto view = std::make_unique<View>("shared", 6);
  auto a = share(*view);
  EXPECT_EQ(a.label(), "shared");
  EXPECT_EQ(view->use_count(), 2);
  EXPECT_EQ(a.transfers().allocations, 0U);
  if (!detail::emulating()) {
    EXPECT_EQ(a.read(TypeParam{}).data(), view->data());
  }
  view.reset();
  fill<HostTeams>(a, 2.0);
  add_one<TypeParam>(a);
  EXPECT_EQ(dot<HostTeams>(a), 54);
}

template <class A>
concept Writable = requires(A a) { a.write(host); } || requires(A a) { a.read_write(device); } ||
                   requires(A a) { a.modified(host); } || requires(A a) { a.mirror(host); } ||
                   requires(A a) { a.discard(host); };

TYPED_TEST(WrapOn, BorrowsConstValuesToRead) {
  const std::vector<double> mine{1.0, 2.0, 3.0};
  const auto a = borrow("const", host, mine.data(), 3);
  static_assert(std::is_same_v<decltype(a), const Array<const double>>);
  static_assert(!Writable<Array<const double>> && Writable<Array<double>>);
  static_assert(!std::is_constructible_v<Array<const double>, std::string, index_t>);
  EXPECT_EQ(a.read(host).data(), mine.data());
  EXPECT_EQ(dot<TypeParam>(a), 14);
  EXPECT_EQ(dot<TypeParam>(a.alias({1, 3})), 13);
  EXPECT_EQ(dot<TypeParam>(reshape(a, 1, 2)), 5);
  const auto again = borrow("again", std::span(mine));  // neither changes the other's values
  EXPECT_EQ(dot<TypeParam>(again), 14);
  Array<double> copy("copy", 3);
  deep_copy(Exec{}, copy, a);
  EXPECT_EQ(dot<TypeParam>(copy), 14);
}

TYPED_TEST(WrapOn, AliasesOfConstArraysCanOnlyBeRead) {
  Array<double> whole("whole", 6);
  number<TypeParam>(whole);
  const Array<double>& a = whole;
  const Array<const double> part = a.alias({2, 4});
  static_assert(!Writable<std::decay_t<decltype(a.alias({0, 6}, 2))>>);
  static_assert(Writable<std::decay_t<decltype(whole.alias({0, 6}, 2))>>);
  EXPECT_EQ(dot<TypeParam>(part), 13);
  EXPECT_EQ(dot<TypeParam>(a.alias({0, 6}, 2)), 20);
  fill<TypeParam>(whole, 1.0);
  EXPECT_EQ(dot<HostTeams>(part), 2) << "it sees what the array becomes";
}

TEST(Wrap, RefusesASecondArrayOnTheSameMemory) {
  std::vector<double> mine(8, 1.0);
  const std::span<const double> to_read(mine);
  {
    const auto a = borrow("first", std::span(mine));
    const auto again = [&](auto values) { static_cast<void>(borrow("second", values)); };
    for (const auto part : {std::span(mine), std::span(mine).subspan(3, 2)}) {
      EXPECT_THAT(
          error_of<InvalidArgument>([&] { again(part); }),
          AllOf(HasSubstr("array 'second'"), HasSubstr("array 'first'"), HasSubstr("alias")));
    }
    EXPECT_THAT(error_of<InvalidArgument>([&] { again(to_read); }), HasSubstr("array 'first'"));
    again(std::span(mine).subspan(0, 0));
  }
  {
    const auto low = borrow("low", std::span(mine).subspan(0, 4));
    auto high = borrow("high", std::span(mine).subspan(4));
    EXPECT_THROW(static_cast<void>(borrow("all", std::span(mine))), InvalidArgument);
    high = Array<double>();
    EXPECT_EQ(borrow("high", std::span(mine).subspan(4)).size(), 4);
  }
  const auto reader = borrow("reader", to_read.subspan(0, 6));
  const auto inner = borrow("inner", to_read.subspan(1, 2));
  EXPECT_THROW(static_cast<void>(borrow("writer", std::span(mine).subspan(5))), InvalidArgument);
  EXPECT_EQ(borrow("writer", std::span(mine).subspan(6)).size(), 2);
  const Kokkos::View<int*, Kokkos::HostSpace> view("view", 3);
  const auto one = share(view);
  EXPECT_THROW(static_cast<void>(share(view)), InvalidArgument);
}

// Sets KOLAM_NOTES while it exists.
class Notes {
 public:
  explicit Notes(const char* choice) {
    const char* const before = std::getenv("KOLAM_NOTES");
    if (before != nullptr) before_ = before;
    ::setenv("KOLAM_NOTES", choice, 1);
  }
  ~Notes() { ::setenv("KOLAM_NOTES", before_.c_str(), 1); }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;
  Notes(Notes&&) = delete;
  Notes& operator=(Notes&&) = delete;

 private:
  std::string before_;
};

TEST(Wrap, SaysWhichBorrowedValuesAreLost) {
  const TwoSides two;
  const auto said = [](const char* notes, auto use) {
    const Notes choice(notes);
    std::vector<double> mine(8, 1.0);
    ::testing::internal::CaptureStderr();
    {
      auto a = borrow("lost", std::span(mine));
      use(a);
    }
    Exec{}.fence("all is said");
    return ::testing::internal::GetCapturedStderr();
  };
  const auto part = [](auto& a) { Kokkos::deep_copy(a.write(device, {2, 5}), 2.0); };
  EXPECT_THAT(said("", part), AllOf(HasSubstr("array 'lost'"), HasSubstr("values 2 to 4 of 8"),
                                    HasSubstr("sync(host)")));
  EXPECT_EQ(said("off", part), "");
  EXPECT_EQ(said("", [](auto& a) { static_cast<void>(a.read(device)); }), "");
  EXPECT_EQ(said("",
                 [&](auto& a) {
                   part(a);
                   a.sync(host);
                 }),
            "");
  EXPECT_EQ(said("",
                 [&](auto& a) {
                   part(a);
                   a.discard(device);
                 }),
            "");
}

TEST(Wrap, BorrowsAndSharesOnlyWhatItCanUse) {
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

TYPED_TEST(WrapOn, AdoptedMemoryIsFreedOnceWhenTheLastAliasGoes) {
  const Kokkos::View<int*, typename TypeParam::memory_space> memory("memory", 6);
  int freed = 0;
  const auto free = [&](int* values) {
    EXPECT_EQ(values, memory.data());
    ++freed;
  };
  {
    Array<int> part;
    {
      auto a = adopt("adopted", TypeParam{}, memory.data(), 6, free);
      EXPECT_EQ(a.read(TypeParam{}).data(), memory.data());
      fill<HostTeams>(a, 3);
      part = a.alias({2, 4});
      EXPECT_EQ(freed, 0);
    }
    EXPECT_EQ(dot<TypeParam>(part), 18);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  EXPECT_THROW(static_cast<void>(adopt("bad", TypeParam{}, memory.data(), -1, free)),
               InvalidArgument);
  EXPECT_EQ(freed, 2) << "at once if the array cannot be made";
}

TYPED_TEST(WrapOn, BorrowsBothSides) {
  std::vector<double> mine(4, 1.0);
  const Kokkos::View<double*, typename Exec::memory_space> there("there", 4);
  Kokkos::deep_copy(there, 2.0);
  const auto sum_of_first = [&](ValidSide valid) {
    auto a = borrow("both", mine.data(), there.data(), 4, valid);
    return dot<HostTeams>(a) + dot<Exec>(a);
  };
  EXPECT_EQ(sum_of_first(ValidSide::both), 4 + 16);
  EXPECT_EQ(sum_of_first(ValidSide::device_side), 16 + 16);
  EXPECT_THAT(mine, ::testing::Each(2.0));
  mine.assign(4, 3.0);
  EXPECT_EQ(sum_of_first(ValidSide::host_side), 36 + 36);
  EXPECT_TRUE(all_equal(there, [](std::size_t) { return 3.0; }));
  EXPECT_THROW(static_cast<void>(sum_of_first(ValidSide::none)), AccessError);
  double* const nothing = nullptr;
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                static_cast<void>(borrow("half", mine.data(), nothing, 4, ValidSide::both));
              }),
              AllOf(HasSubstr("'half'"), HasSubstr("null")));
}

TEST(Wrap, LentSidesRefuseToGo) {
  const TwoSides two;
  std::vector<int> mine(3, 5);
  auto a = borrow("lent", std::span(mine));
  add_one<Kokkos::DefaultExecutionSpace>(a);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(
        error_of<AccessError>([&] { round == 0 ? a.release(host) : a.discard(host); }),
        AllOf(HasSubstr("'lent'"), HasSubstr("host side"), HasSubstr("belongs to other code")));
  }
  a.release(device);  // the array's own memory
  EXPECT_FALSE(a.valid(device));
  EXPECT_THAT(mine, ::testing::Each(6));
}

using Dual = Kokkos::DualView<int*>;
using DeviceExec = typename Dual::execution_space;

TEST(Wrap, FollowsADualViewAndTellsIt) {
  Dual dual("dual", 5);
  Kokkos::deep_copy(dual.view_host(), 1);
  dual.modify_host();
  auto a = share(dual);
  EXPECT_EQ(a.label(), "dual");
  EXPECT_TRUE(a.valid(host));
  EXPECT_EQ(a.valid(device), one_memory);
  EXPECT_EQ(a.transfers().allocations, 0U);

  add_one<DeviceExec>(a);
  give_flags(a, dual);
  EXPECT_EQ(dual.need_sync_host(), !one_memory);
  EXPECT_FALSE(dual.need_sync_device());
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(4), 2);

  Kokkos::deep_copy(dual.view_host(), 7);
  dual.modify_host();
  take_flags(a, dual);
  EXPECT_EQ(dot<DeviceExec>(a), 5 * 49);
  dual.clear_sync_state();
  Kokkos::deep_copy(dual.view_device(), 8);
  dual.modify_device();
  take_flags(a, dual);
  EXPECT_EQ(dot<HostTeams>(a), 5 * 64);
}

TEST(Wrap, KeepsADualViewAlive) {
  auto dual = std::make_unique<Dual>("dual", 5);
  auto a = share(*dual);
  dual.reset();
  fill<HostTeams>(a, 2);
  add_one<DeviceExec>(a);
  EXPECT_EQ(dot<HostTeams>(a), 45);
}

TEST(Wrap, ASideOfADualViewThatHoldsSomeOfTheNewestHoldsThemAll) {
  Dual dual("dual", 4);
  auto a = share(dual);
  Kokkos::deep_copy(a.write(host, {0, 2}), 1);
  Kokkos::deep_copy(a.write(device, {2, 4}), 2);
  give_flags(a, dual);
  EXPECT_EQ(dual.need_sync_host(), !one_memory);
  EXPECT_TRUE(a.valid(device));
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(1), 1);
  EXPECT_EQ(dual.view_host()(3), 2);
}

TEST(Wrap, GivesADualViewOfItself) {
  if (one_memory && detail::emulating()) GTEST_SKIP() << "Kokkos wants one memory here";
  Array<int> a("own", 3);
  fill<DeviceExec>(a, 4);
  auto dual = dual_view(a);
  EXPECT_EQ(dual.need_sync_host(), !one_memory);
  EXPECT_EQ(dual.view_device().data(), a.read(device).data());
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(2), 4);
  dual.view_host()(2) = 5;
  dual.modify_host();
  take_flags(a, dual);
  EXPECT_EQ(dot<DeviceExec>(a), 16 + 16 + 25);
}

TEST(Wrap, RefusesADualViewOfTwoSidesWhereKokkosHasOneMemory) {
  if (!one_memory) GTEST_SKIP() << "needs a build without a device";
  const TwoSides two;
  Array<int> a("emulated", 3);
  fill<HostTeams>(a, 1);
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(dual_view(a)); }),
              HasSubstr("array 'emulated'"));
}

}  // namespace kolam::array_test
