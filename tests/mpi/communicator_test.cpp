// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <kolam/comm/transport/mpi.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "all_processes.hpp"

namespace kolam::mpi_tests {

class AllProcesses : public ::testing::Test {
 protected:
  const Communicator& all = all_processes();
  const int rank = all.rank();
  const int size = all.size();
};

TEST_F(AllProcesses, AreCountedAndShareAHost) {
  int world_rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  EXPECT_EQ(rank, world_rank);
  EXPECT_EQ(all.host_size(), size) << "mpiexec of the tests starts them here";
  EXPECT_EQ(all.host_rank(), rank);
  EXPECT_EQ(all.sum(1), size);
}

TEST_F(AllProcesses, AreThoseOfTheirMpiCommunicator) {
  int comparison = MPI_UNEQUAL;
  MPI_Comm_compare(comm::mpi_communicator(all), MPI_COMM_WORLD, &comparison);
  EXPECT_EQ(comparison, MPI_CONGRUENT);  // the same ranks, separate messages
}

// The sum 1e16 + 1 + 1 ... depends on the order.
TEST_F(AllProcesses, SumInTheOrderOfRanks) {
  const auto part = [](int r) { return r == 0 ? 1e16 : r % 2 == 1 ? 1.0 : -3.3e15 / r; };
  double expected = part(0);
  for (int r = 1; r < size; ++r) expected += part(r);
  EXPECT_EQ(all.sum(part(rank)), expected);
  std::array values = {part(rank), 2.0};
  all.sum(values);
  EXPECT_EQ(values[0], expected);
  EXPECT_EQ(values[1], 2.0 * size);
  const index_t large = index_t{1} << 53;
  EXPECT_EQ(all.sum(large + 1), size * (large + 1)) << "integers are not rounded";
}

TEST_F(AllProcesses, FindTheLeastAndTheMost) {
  EXPECT_EQ(all.max(rank), size - 1);
  EXPECT_EQ(all.min(-2.5 * rank), -2.5 * (size - 1));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(all.max(rank == size / 2 ? nan : 1.0)));
  EXPECT_TRUE(std::isnan(all.min(rank == size - 1 ? nan : 1.0)));
}

TEST_F(AllProcesses, HearWhatOneSays) {
  for (int root = 0; root < size; ++root) {
    EXPECT_EQ(all.broadcast(10 * rank, root), 10 * root);
    const std::string text(static_cast<std::size_t>(3 * rank), static_cast<char>('a' + rank));
    EXPECT_EQ(all.broadcast(text, root),
              std::string(static_cast<std::size_t>(3 * root), static_cast<char>('a' + root)));
  }
  std::array values = {rank, rank + 1};
  all.broadcast(std::span<int>(values));
  EXPECT_THAT(values, ::testing::ElementsAre(0, 1));
}

TEST_F(AllProcesses, GatherBytesOfDifferentNumber) {
  std::vector<std::byte> mine(static_cast<std::size_t>(1000 * (size - rank - 1)),
                              static_cast<std::byte>(rank));
  const auto parts = all.gather(mine);
  if (rank > 0) {
    EXPECT_TRUE(parts.empty());
    return;
  }
  ASSERT_EQ(parts.size(), static_cast<std::size_t>(size));
  for (int r = 0; r < size; ++r) {
    const auto& part = parts[static_cast<std::size_t>(r)];
    EXPECT_EQ(part.size(), static_cast<std::size_t>(1000 * (size - r - 1)));
    for (const std::byte value : part) ASSERT_EQ(value, static_cast<std::byte>(r));
  }
}

TEST_F(AllProcesses, MayBePartsOfTheUsersOwn) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  {
    const Communicator mine = comm::communicator(half);
    EXPECT_EQ(mine.size(), (size + 1 - rank % 2) / 2);
    EXPECT_EQ(mine.sum(1), mine.size());
    EXPECT_EQ(mine.max(rank), mine.all_gather(rank).front()) << "ranks were turned round";
  }
  MPI_Comm_free(&half);
  EXPECT_THROW(static_cast<void>(comm::communicator(MPI_COMM_NULL)), InvalidArgument);
}

TEST_F(AllProcesses, ThrowWhatMpiReports) {
  comm::detail::ProcessGroup::Request request;
  char byte = 0;
  EXPECT_THROW(all.group().send(&byte, 1, size + 5, 0, request), CommunicationError);
}

TEST_F(AllProcesses, RefuseToForgetAMessage) {
  comm::detail::ProcessGroup::Request coming;
  comm::detail::ProcessGroup::Request going;
  char to = 0;
  const char from = 1;
  all.group().receive(&to, 1, rank, 0, coming);
  all.group().send(&from, 1, rank, 0, going);
  EXPECT_THROW(all.group().send(&from, 1, rank, 0, going), CommunicationError);
  all.group().wait(coming);
  all.group().wait(going);
  all.group().wait(going);  // no effect
  EXPECT_EQ(to, 1);
  all.group().receive(&to, 1, rank, 0, coming);
  all.group().abandon(coming);
}

TEST_F(AllProcesses, ThrowTogether) {
  EXPECT_NO_THROW(comm::throw_together(all, [] {}));
  for (int thrower = 0; thrower < size; ++thrower) {
    const auto text = [&](auto throws) -> std::string {
      try {
        comm::throw_together(all, [&] {
          if (rank >= thrower) throws("process " + std::to_string(rank));
        });
      } catch (const FileError& error) {
        return std::string("file: ") + error.what();
      } catch (const InvalidArgument& error) {
        return std::string("argument: ") + error.what();
      } catch (const Error& error) {
        return std::string("error: ") + error.what();
      } catch (const std::exception& error) {
        return std::string("foreign: ") + error.what();
      }
      return "nothing";
    };
    const std::string who = "process " + std::to_string(std::max(rank, thrower));
    EXPECT_EQ(text([](const std::string& t) { throw FileError(t); }), "file: " + who);
    EXPECT_EQ(text([](const std::string& t) { throw InvalidArgument(t); }), "argument: " + who);
    EXPECT_EQ(text([](const std::string& t) { throw std::runtime_error(t); }),
              (rank >= thrower ? "foreign: " : "error: ") + who);
  }
}

}  // namespace kolam::mpi_tests
