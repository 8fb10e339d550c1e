// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <kolam/core/event.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <utility>

namespace kolam::event_test {

using testing::Fences;
using testing::two_instances;

template <class Exec>
class Events : public ::testing::Test {};
TYPED_TEST_SUITE(Events, testing::KokkosSpaces, testing::ExecutionSpaceNames);

template <class View>
struct Add {
  View x;
  double value;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) = 2 * x(i) + value; }
};

// Like Instances.WaitForTheWorkOfEachOther, but two events serve all rounds.
TYPED_TEST(Events, OrderTheRoundsOfALoop) {
  const auto parts = two_instances<TypeParam>();
  const index_t n = testing::is_gpu<TypeParam> ? index_t{1} << 20 : 1000;
  const Kokkos::View<double*, typename TypeParam::memory_space> x("x", static_cast<std::size_t>(n));
  Kokkos::deep_copy(x, 1.0);
  std::array<Event<TypeParam>, 2> events;
  Fences fences;
  double expected = 1;
  int waited = 0;
  for (int round = 0; round < 20; ++round) {
    const auto mine = static_cast<std::size_t>(round % 2);
    waited += static_cast<int>(events[1 - mine].order_before(parts[mine], "in turn"));
    forall(parts[mine], "add", n, Add<decltype(x)>{x, static_cast<double>(round)});
    events[mine].record(parts[mine]);
    expected = 2 * expected + round;
  }
  EXPECT_EQ(fences.named("in turn"), waited);
  EXPECT_EQ(waited, testing::is_gpu<TypeParam> ? 0 : 19) << "nothing was recorded before the first";
  events[1].wait("at the end");
  EXPECT_EQ(fences.named("at the end"), 1);
  EXPECT_TRUE(testing::all_equal(x, [=](std::size_t) { return expected; }));
}

TYPED_TEST(Events, NeverRecordedStandForNothing) {
  const Event<TypeParam> event;
  Fences fences;
  EXPECT_FALSE(event.order_before(TypeParam{}, "for nothing"));
  event.wait("for nothing");
  EXPECT_EQ(fences.named("for nothing"), 0);
}

TYPED_TEST(Events, LetTheHostWaitOnceForSeveralWhereItMust) {
  const auto parts = two_instances<TypeParam>();
  Event<TypeParam> event;
  event.record(parts[0]);
  Event<TypeParam> moved = std::move(event);
  Fences fences;
  static_cast<void>(moved.order_before(parts[1], "for several"));
  static_cast<void>(moved.order_before(TypeParam{}, "for several"));
  EXPECT_EQ(fences.named("for several"), testing::is_gpu<TypeParam> ? 0 : 1);
}

}  // namespace kolam::event_test
