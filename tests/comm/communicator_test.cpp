// SPDX-License-Identifier: Apache-2.0
// One process. The same tests with several processes: tests/mpi.
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <cmath>
#include <kolam/comm/communicator.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <stdexcept>

namespace kolam::communicator_test {

TEST(DevicesHere, AreAtLeastOne) {
  EXPECT_EQ(comm::devices_here<HostTeams>(Communicator()), 1);
  EXPECT_EQ(comm::devices_here<Kokkos::DefaultHostExecutionSpace>(Communicator()), 1);
  EXPECT_EQ(comm::devices_here<Kokkos::DefaultExecutionSpace>(Communicator()),
            devices<Kokkos::DefaultExecutionSpace>());
}

TEST(Communicator, IsThisProcessAloneByDefault) {
  const Communicator alone;
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.host_rank(), 0);
  EXPECT_EQ(alone.host_size(), 1);
  alone.barrier();
  EXPECT_EQ(alone.sum(-0.0), 0.0);
  EXPECT_TRUE(std::signbit(alone.sum(-0.0))) << "nothing is added";
  EXPECT_EQ(alone.sum(index_t{1} << 60), index_t{1} << 60);
  EXPECT_EQ(alone.max(3), 3);
  EXPECT_EQ(alone.min(-2.5F), -2.5F);
  EXPECT_TRUE(std::isnan(alone.max(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(alone.broadcast(7), 7);
  EXPECT_EQ(alone.broadcast(std::string("text")), "text");
  std::array values = {1.0, 2.0};
  alone.sum(values);
  alone.broadcast(std::span<double>(values));
  EXPECT_THAT(values, ::testing::ElementsAre(1.0, 2.0));
  alone.sum(std::span<double>());
}

TEST(Communicator, GathersWhatItHas) {
  const Communicator alone;
  const std::array bytes = {std::byte{1}, std::byte{2}};
  const auto all = alone.gather(bytes);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0], ::testing::ElementsAre(std::byte{1}, std::byte{2}));
  EXPECT_THAT(alone.all_gather(5), ::testing::ElementsAre(5));
}

TEST(Communicator, LetsExceptionsPassWhereNobodyElseWaits) {
  const Communicator alone;
  EXPECT_EQ(abort_on_exception(alone, [] { return 3; }), 3);
  EXPECT_THROW(abort_on_exception(alone, [] { throw std::runtime_error("mine"); }),
               std::runtime_error);
  EXPECT_THROW(abort_on_exception(alone, [] { throw 1; }), int);
}

TEST(Communicator, RefusesMessagesWhereThereIsNobody) {
  comm::detail::ProcessGroup::Request request;
  const Communicator alone;
  EXPECT_FALSE(alone.group().has_messages());
  EXPECT_THAT(
      testing::error_of<CommunicationError>([&] { alone.group().send(nullptr, 0, 0, 0, request); }),
      ::testing::HasSubstr("mpiexec"));
}

TEST(CommunicatorDeathTest, EndsTheProcessWithTheCode) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(Communicator().abort(7), ::testing::ExitedWithCode(7), "");
}

}  // namespace kolam::communicator_test
