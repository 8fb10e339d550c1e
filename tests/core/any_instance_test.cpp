// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/any_instance.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/fences.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <optional>
#include <type_traits>

namespace kolam::instance_test {

using testing::Fences;
using testing::two_instances;

template <class View>
struct Add {
  View x;
  double value;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) = 2 * x(i) + value; }
};

template <class Exec>
class Instances : public ::testing::Test {};
TYPED_TEST_SUITE(Instances, testing::KokkosSpaces, testing::ExecutionSpaceNames);

static_assert(!std::is_convertible_v<Kokkos::DefaultExecutionSpace, AnyInstance>);

TYPED_TEST(Instances, AreToldApartByTheirKeys) {
  const auto parts = two_instances<TypeParam>();
  if (parts[0] == parts[1]) GTEST_SKIP() << testing::one_instance;
  const AnyInstance whole(TypeParam{});
  const AnyInstance first(parts[0]);
  const AnyInstance second(parts[1]);

  EXPECT_EQ(whole, AnyInstance(TypeParam{}));
  EXPECT_EQ(first, AnyInstance(TypeParam(parts[0])));
  EXPECT_FALSE(first == second || first == whole || second == whole);
  EXPECT_EQ(first.key(), detail::instance_key(parts[0]));
  AnyInstance copy = second;
  EXPECT_EQ(copy, second);
  copy = first;
  EXPECT_EQ(copy, first);
}

TYPED_TEST(Instances, OfDifferentSpacesDiffer) {
  const AnyInstance instance(TypeParam{});
  for (const AnyInstance& other : {AnyInstance(Kokkos::DefaultExecutionSpace{}),
                                   AnyInstance(Kokkos::DefaultHostExecutionSpace{})}) {
    const bool same = other.visit(
        [](const auto& exec) { return std::is_same_v<std::decay_t<decltype(exec)>, TypeParam>; });
    EXPECT_EQ(instance == other, same);
  }
}

TYPED_TEST(Instances, GiveTheirSpaceBackInItsOwnType) {
  const auto parts = two_instances<TypeParam>();
  const AnyInstance instance(parts[1]);
  const void* const key = instance.visit([](const auto& exec) -> const void* {
    if constexpr (std::is_same_v<std::decay_t<decltype(exec)>, TypeParam>) {
      return detail::instance_key(exec);
    } else {
      return nullptr;
    }
  });
  EXPECT_EQ(key, instance.key());
}

TYPED_TEST(Instances, FenceUnderTheNameThatToolsSee) {
  const AnyInstance instance(TypeParam{});
  Fences fences;
  instance.fence("why it waits");
  EXPECT_EQ(fences.named("why it waits"), 1);
}

TYPED_TEST(Instances, KeepThePartsOfASpaceAlive) {
  std::optional<AnyInstance> kept;
  {
    const auto parts = two_instances<TypeParam>();
    kept.emplace(parts[0]);
  }
  Fences fences;
  kept->fence("still there");
  EXPECT_EQ(fences.named("still there"), 1);
}

// Long chains: without the wait, the second stream of a device would overtake the first.
TYPED_TEST(Instances, WaitForTheWorkOfEachOther) {
  const auto parts = two_instances<TypeParam>();
  const index_t n = testing::is_gpu<TypeParam> ? index_t{1} << 20 : 1000;
  const Kokkos::View<double*, typename TypeParam::memory_space> x("x", static_cast<std::size_t>(n));
  Kokkos::deep_copy(x, 1.0);
  Fences fences;
  double expected = 1;
  int waited = 0;
  for (int round = 0; round < 20; ++round) {
    const TypeParam& exec = parts[static_cast<std::size_t>(round % 2)];
    const AnyInstance later(exec);
    const AnyInstance earlier(parts[static_cast<std::size_t>(1 - round % 2)]);
    waited += static_cast<int>(later.wait_for(earlier, "in turn"));
    forall(exec, "add", n, Add<decltype(x)>{x, static_cast<double>(round)});
    expected = 2 * expected + round;
  }
  for (const auto& exec : parts) exec.fence();
  EXPECT_TRUE(testing::all_equal(x, [=](std::size_t) { return expected; }));
  EXPECT_EQ(waited, testing::is_gpu<TypeParam> ? 0 : 20) << "streams are ordered on the device";
  EXPECT_EQ(fences.named("in turn"), waited);
}

TYPED_TEST(Instances, WaitOnTheHostForASpaceOfAnotherKind) {
  const AnyInstance instance(TypeParam{});
  const AnyInstance at_host(Kokkos::DefaultHostExecutionSpace{});
  if (std::is_same_v<TypeParam, Kokkos::DefaultHostExecutionSpace>) {
    GTEST_SKIP() << "the host's default space is of its own kind";
  }
  Fences fences;
  EXPECT_TRUE(instance.wait_for(at_host, "another kind"));
  EXPECT_TRUE(at_host.wait_for(instance, "another kind"));
  EXPECT_EQ(fences.named("another kind"), 2);
}

}  // namespace kolam::instance_test
