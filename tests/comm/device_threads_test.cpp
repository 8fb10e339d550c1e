// SPDX-License-Identifier: Apache-2.0
// Parts of a problem in threads of one process. The same for processes: tests/mpi.
#include <gmock/gmock.h>

#include <atomic>
#include <kolam/comm/device_threads.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;
#ifdef KOKKOS_ENABLE_THREADS  // only one thread may use it
using Exec = Kokkos::Serial;
#else
using Exec = Kokkos::DefaultExecutionSpace;
#endif

TEST(DeviceThreads, AreRanksThatTalk) {
  for (const int count : {1, 2, 5}) {
    std::atomic<int> calls = 0;
    comm::on_devices<Exec>(count, [&](const Exec&, const Communicator& all) {
      ++calls;
      EXPECT_EQ(all.size(), count);
      EXPECT_EQ(all.host_size(), count);
      for (int again = 0; again < 50; ++again) {
        const std::vector<int> ranks = all.all_gather(all.rank());
        for (int i = 0; i < count; ++i) EXPECT_EQ(ranks[static_cast<std::size_t>(i)], i);
        EXPECT_EQ(all.sum(0.5 * all.rank()), 0.25 * count * (count - 1));
        EXPECT_EQ(all.broadcast(std::to_string(all.rank()), count - 1), std::to_string(count - 1));
        const std::vector<char> mine(static_cast<std::size_t>(all.rank() * 3), 'x');
        const auto gathered = all.gather(std::as_bytes(std::span(mine)));
        EXPECT_EQ(gathered.size(), all.rank() == 0 ? static_cast<std::size_t>(count) : 0U);
        for (std::size_t i = 0; i < gathered.size(); ++i) EXPECT_EQ(gathered[i].size(), 3 * i);
      }
    });
    EXPECT_EQ(calls, count);
  }
}

// Two messages with one tag do not overtake each other, whether the receiver is late or early.
TEST(DeviceThreads, DeliverMessagesInOrder) {
  using Request = kolam::comm::detail::ProcessGroup::Request;
  comm::on_devices<Exec>(2, [](const Exec&, const Communicator& all) {
    for (int again = 0; again < 100; ++again) {
      const int other = 1 - all.rank();
      const std::vector<int> mine{10 * again + all.rank(), 10 * again + all.rank() + 5};
      std::vector<int> theirs(2);
      Request coming[2], going[2];
      if (again % 2 == all.rank()) std::this_thread::yield();
      for (std::size_t i = 0; i < 2; ++i)
        all.group().send(&mine[i], sizeof(int), other, 3, going[i]);
      for (std::size_t i = 0; i < 2; ++i)
        all.group().receive(&theirs[i], sizeof(int), other, 3, coming[i]);
      all.group().wait(coming[1]);
      all.group().wait(coming[0]);
      for (Request& request : going) all.group().wait(request);
      EXPECT_THAT(theirs, ::testing::ElementsAre(10 * again + other, 10 * again + other + 5));
    }
  });
}

TEST(DeviceThreads, EndWithTheErrorOfOne) {
  const auto fail = [](int who) {
    return error_of<std::runtime_error>([&] {
      comm::on_devices<Exec>(3, [&](const Exec&, const Communicator& all) {
        if (all.rank() == who) throw std::runtime_error("part " + std::to_string(who));
        all.barrier();
        all.barrier();
      });
    });
  };
  for (const int who : {0, 1, 2}) EXPECT_EQ(fail(who), "part " + std::to_string(who));
  EXPECT_THAT(error_of<InvalidArgument>(
                  [] { comm::on_devices<Exec>(0, [](const Exec&, const Communicator&) {}); }),
              HasSubstr("on_devices: 0 parts"));
  EXPECT_THAT(error_of<CommunicationError>([] {
                comm::on_devices<Exec>(2, [](const Exec&, const Communicator& all) {
                  kolam::comm::detail::ProcessGroup::Request request;
                  const char bytes[4] = {};
                  char few[2] = {};
                  if (all.rank() == 0) {
                    all.group().send(bytes, 4, 1, 0, request);
                  } else {
                    all.group().receive(few, 2, 0, 0, request);
                  }
                  all.group().wait(request);
                });
              }),
              HasSubstr("a message of 4 bytes where 2 are expected"));
}

#ifdef KOKKOS_ENABLE_THREADS
TEST(DeviceThreads, RefuseABackendThatOneThreadAloneMayUse) {
  EXPECT_THAT([] { comm::on_devices<Kokkos::Threads>(2, [](const auto&, const Communicator&) {}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("2 parts on the backend threads")));
}
#endif

}  // namespace
}  // namespace kolam::testing
