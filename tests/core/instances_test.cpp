// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <kolam/core/any_instance.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <set>

namespace kolam::instances_test {

template <class Exec>
class MakeInstances : public ::testing::Test {};
TYPED_TEST_SUITE(MakeInstances, testing::KokkosSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(MakeInstances, TakesTheDevicesInTurn) {
  const int total = devices<TypeParam>();
  ASSERT_GE(total, 1);
  const int first = device_number(TypeParam{});
  EXPECT_TRUE(make_instances<TypeParam>(0).empty());
  const auto instances = make_instances<TypeParam>(2 * total + 1);
  ASSERT_EQ(instances.size(), static_cast<std::size_t>(2 * total + 1));
  for (std::size_t i = 0; i < instances.size(); ++i) {
    EXPECT_EQ(device_number(instances[i]), (first + static_cast<int>(i)) % total);
  }
  EXPECT_EQ(device_number(TypeParam{}), first);
}

TYPED_TEST(MakeInstances, TakesEverySoManiethDevice) {
  const int total = devices<TypeParam>();
  const int first = device_number(TypeParam{});
  for (const int every : {2, 3, total}) {
    const auto instances = make_instances<TypeParam>(total, every);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      EXPECT_EQ(device_number(instances[i]), (first + static_cast<int>(i) * every) % total);
    }
  }
  EXPECT_THROW(static_cast<void>(make_instances<TypeParam>(1, 0)), InvalidArgument);
}

TYPED_TEST(MakeInstances, AreConnectedWhereTheyShareADevice) {
  const auto instances = make_instances<TypeParam>(devices<TypeParam>() + 1);
  EXPECT_TRUE(connect(instances.front(), instances.front()));
  EXPECT_TRUE(connect(instances.front(), instances.back()));
}

TYPED_TEST(MakeInstances, GivesEachAStreamOfItsOwnOnADevice) {
  std::set<const void*> keys;
  const auto instances = make_instances<TypeParam>(5);
  for (const TypeParam& exec : instances) keys.insert(AnyInstance(exec).key());
  EXPECT_EQ(keys.size(), testing::is_gpu<TypeParam> ? 5U : 1U);
  EXPECT_THROW(static_cast<void>(make_instances<TypeParam>(-1)), InvalidArgument);
}

template <class Exec>
const void* stream_of(const Exec& exec) {
  if constexpr (requires { exec.cuda_stream(); }) {
    return exec.cuda_stream();
  } else {
    return AnyInstance(exec).key();
  }
}

// Creating instances again and again does not use up the streams of a device.
TYPED_TEST(MakeInstances, ShareAFewStreamsInTheEnd) {
  std::set<const void*> streams;
  for (int i = 0; i < 100; ++i) {
    for (const TypeParam& exec : make_instances<TypeParam>(devices<TypeParam>()))
      streams.insert(stream_of(exec));
    streams.insert(stream_of(instance_beside(TypeParam{})));
  }
  const auto total = static_cast<std::size_t>(devices<TypeParam>());
  EXPECT_EQ(streams.size(), testing::is_gpu<TypeParam> ? 32 * (total + 1) : 1U);
}

TYPED_TEST(MakeInstances, HaveOneBesideThemOnTheirDevice) {
  const TypeParam exec{};
  const TypeParam beside = instance_beside(exec);
  EXPECT_EQ(device_number(beside), device_number(exec));
  EXPECT_EQ(AnyInstance(beside) == AnyInstance(exec), !testing::is_gpu<TypeParam>);
}

template <class View>
struct Store {
  View x;
  KOKKOS_FUNCTION void operator()(index_t i) const { x(i) = static_cast<int>(i); }
};

// Memory of one device, written there and copied by another device.
TYPED_TEST(MakeInstances, WorkAndCopyFromEachOther) {
  const auto instances = make_instances<TypeParam>(2);
  using View = Kokkos::View<int*, typename TypeParam::memory_space>;
  const View here(Kokkos::view_alloc(instances[0], Kokkos::WithoutInitializing, "here"), 1000);
  const View there(Kokkos::view_alloc(instances[1], Kokkos::WithoutInitializing, "there"), 1000);
  forall(instances[0], "store", 1000, Store<View>{here});
  static_cast<void>(AnyInstance(instances[1]).wait_for(AnyInstance(instances[0]), "copy"));
  Kokkos::deep_copy(instances[1], there, here);
  instances[1].fence();
  EXPECT_TRUE(testing::all_equal(there, [](std::size_t i) { return static_cast<int>(i); }));
}

}  // namespace kolam::instances_test
