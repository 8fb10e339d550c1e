// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/solvers/transport.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::transport_test {

using testing::error_of;
using ::testing::HasSubstr;

TEST(Transport, IsParsedFromWhatItIsCalled) {
  for (const Transport transport :
       {Transport::automatic, Transport::peer, Transport::staged, Transport::mpi}) {
    EXPECT_EQ(parse_transport(name(transport)), transport);
  }
  EXPECT_EQ(name(Transport::automatic), "auto");
  EXPECT_EQ(parse_gpu_aware_mpi("auto"), GpuAwareMpi::automatic);
  EXPECT_EQ(parse_gpu_aware_mpi("on"), GpuAwareMpi::on);
  EXPECT_EQ(parse_gpu_aware_mpi("off"), GpuAwareMpi::off);
  EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(parse_transport("pigeon")); }),
              HasSubstr("transport 'pigeon' is unknown; use one of auto, peer, staged, mpi"));
  EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(parse_gpu_aware_mpi("")); }),
              HasSubstr("use one of auto, on, off"));
}

constexpr Pair same_device{};
constexpr Pair connected{.one_process = true, .one_device = false};
constexpr Pair apart{.one_process = true, .one_device = false, .connected = false};
constexpr Pair aware{.one_process = false};
constexpr Pair unaware{.one_process = false, .gpu_aware = false};

TEST(Transport, TakesTheFastestPathThatWorks) {
  EXPECT_EQ(path_of(Transport::automatic, same_device), Path::direct);
  EXPECT_EQ(path_of(Transport::automatic, connected), Path::peer);
  EXPECT_EQ(path_of(Transport::automatic, apart), Path::staged);
  EXPECT_EQ(path_of(Transport::automatic, aware), Path::mpi);
  EXPECT_EQ(path_of(Transport::automatic, unaware), Path::mpi_staged);
}

TEST(Transport, TakesTheOneThatWasAskedFor) {
  EXPECT_EQ(path_of(Transport::staged, same_device), Path::staged);
  EXPECT_EQ(path_of(Transport::staged, connected), Path::staged);
  EXPECT_EQ(path_of(Transport::staged, aware), Path::mpi_staged);
  EXPECT_EQ(path_of(Transport::mpi, same_device), Path::mpi);
  Pair only_host = same_device;
  only_host.gpu_aware = false;
  EXPECT_EQ(path_of(Transport::mpi, only_host), Path::mpi_staged);
  EXPECT_EQ(path_of(Transport::peer, same_device), Path::direct);
  EXPECT_EQ(path_of(Transport::peer, connected), Path::peer);
  EXPECT_EQ(path_of(Transport::peer, unaware), Path::mpi_staged) << "peers are of one process";
}

TEST(Transport, RefusesPeersThatTheDriverKeepsApart) {
  EXPECT_THAT(
      error_of<DeviceUnavailable>([] { static_cast<void>(path_of(Transport::peer, apart)); }),
      HasSubstr("use 'auto' or 'staged'"));
}

}  // namespace kolam::transport_test
