// SPDX-License-Identifier: Apache-2.0
// Channels within one process, one message at a time. (Channels between processes: tests/mpi.)
#include <gtest/gtest.h>

#include <kolam/comm/detail/bytes.hpp>
#include <kolam/comm/detail/channel.hpp>
#include <kolam/core/any_instance.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <vector>

namespace kolam::channel_test {

template <class Exec>
class Channels : public ::testing::Test {};
TYPED_TEST_SUITE(Channels, testing::KokkosSpaces, testing::ExecutionSpaceNames);

// On two devices if there are several.
template <class Exec>
std::vector<Exec> two_ends() {
  return testing::is_gpu<Exec> ? make_instances<Exec>(2) : testing::two_instances<Exec>();
}

template <class Exec>
void expect_bytes_carried(comm::Path path) {
  using View = Kokkos::View<char*, typename Exec::memory_space>;
  const auto ends = two_ends<Exec>();
  const auto channel =
      comm::detail::make_channel(path, comm::detail::Ends<Exec>{ends[0], ends[1], 0, 0, 0}, {});
  for (const std::size_t bytes : {8, 8, 8, 4000, 16, 100000}) {
    const View from(Kokkos::view_alloc(ends[0], Kokkos::WithoutInitializing, "from"), bytes);
    const View to(Kokkos::view_alloc(ends[1], "to"), bytes);
    const char value = static_cast<char>(bytes % 100 + 1);
    Kokkos::deep_copy(ends[0], from, value);
    channel->expect(to.data(), bytes);
    channel->send(from.data(), bytes);
    static_cast<void>(AnyInstance(ends[1]).wait_for(AnyInstance(ends[0]), "the neighbours meet"));
    channel->arrive();
    channel->settle();
    ends[1].fence();
    EXPECT_TRUE(testing::all_equal(to, [=](std::size_t) { return value; }));
  }
}

TYPED_TEST(Channels, CarryBytesFromPeerToPeer) {
  expect_bytes_carried<TypeParam>(comm::Path::peer);
}

TYPED_TEST(Channels, CarryBytesThroughPinnedMemory) {
  expect_bytes_carried<TypeParam>(comm::Path::staged);
}

TYPED_TEST(Channels, AreNotNeededOnTheDirectPath) {
  const TypeParam exec;
  EXPECT_EQ(comm::detail::make_channel(comm::Path::direct,
                                       comm::detail::Ends<TypeParam>{exec, exec, 0, 0, 0}, {}),
            nullptr);
}

TYPED_TEST(Channels, AreAwareOfGpusOnHostsOnly) {
  const TypeParam exec;
  EXPECT_EQ(comm::detail::is_gpu_aware(Communicator(), exec, comm::GpuAwareMpi::automatic),
            !testing::is_gpu<TypeParam>);
}

}  // namespace kolam::channel_test
