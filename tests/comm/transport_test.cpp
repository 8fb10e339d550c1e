// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/comm/transport.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::transport_test {

using testing::error_of;
using ::testing::HasSubstr;

TEST(Transport, IsParsedFromWhatItIsCalled) {
  for (const comm::Transport transport : {comm::Transport::automatic, comm::Transport::peer,
                                          comm::Transport::staged, comm::Transport::mpi}) {
    EXPECT_EQ(comm::parse_transport(name(transport)), transport);
  }
  EXPECT_EQ(name(comm::Transport::automatic), "auto");
  EXPECT_EQ(comm::parse_gpu_aware_mpi("auto"), comm::GpuAwareMpi::automatic);
  EXPECT_EQ(comm::parse_gpu_aware_mpi("on"), comm::GpuAwareMpi::on);
  EXPECT_EQ(comm::parse_gpu_aware_mpi("off"), comm::GpuAwareMpi::off);
  EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(comm::parse_transport("pigeon")); }),
              HasSubstr("transport 'pigeon' is unknown; use one of auto, peer, staged, mpi"));
  EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(comm::parse_gpu_aware_mpi("")); }),
              HasSubstr("use one of auto, on, off"));
}

constexpr comm::Pair same_device{};
constexpr comm::Pair connected{.one_process = true, .one_device = false};
constexpr comm::Pair apart{.one_process = true, .one_device = false, .connected = false};
constexpr comm::Pair aware{.one_process = false};
constexpr comm::Pair unaware{.one_process = false, .gpu_aware = false};

TEST(Transport, TakesTheFastestPathThatWorks) {
  EXPECT_EQ(comm::path_of(comm::Transport::automatic, same_device), comm::Path::direct);
  EXPECT_EQ(comm::path_of(comm::Transport::automatic, connected), comm::Path::peer);
  EXPECT_EQ(comm::path_of(comm::Transport::automatic, apart), comm::Path::staged);
  EXPECT_EQ(comm::path_of(comm::Transport::automatic, aware), comm::Path::mpi);
  EXPECT_EQ(comm::path_of(comm::Transport::automatic, unaware), comm::Path::mpi_staged);
}

TEST(Transport, TakesTheOneThatWasAskedFor) {
  EXPECT_EQ(comm::path_of(comm::Transport::staged, same_device), comm::Path::staged);
  EXPECT_EQ(comm::path_of(comm::Transport::staged, connected), comm::Path::staged);
  EXPECT_EQ(comm::path_of(comm::Transport::staged, aware), comm::Path::mpi_staged);
  EXPECT_EQ(comm::path_of(comm::Transport::mpi, same_device), comm::Path::mpi);
  comm::Pair only_host = same_device;
  only_host.gpu_aware = false;
  EXPECT_EQ(comm::path_of(comm::Transport::mpi, only_host), comm::Path::mpi_staged);
  EXPECT_EQ(comm::path_of(comm::Transport::peer, same_device), comm::Path::direct);
  EXPECT_EQ(comm::path_of(comm::Transport::peer, connected), comm::Path::peer);
  EXPECT_EQ(comm::path_of(comm::Transport::peer, unaware), comm::Path::mpi_staged)
      << "peers are of one process";
}

TEST(Transport, RefusesPeersThatTheDriverKeepsApart) {
  EXPECT_THAT(error_of<DeviceUnavailable>(
                  [] { static_cast<void>(comm::path_of(comm::Transport::peer, apart)); }),
              HasSubstr("use 'auto' or 'staged'"));
}

}  // namespace kolam::transport_test
