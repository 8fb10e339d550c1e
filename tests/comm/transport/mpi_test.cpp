// SPDX-License-Identifier: Apache-2.0
// Builds with MPI, before MPI is initialised. Tests with MPI running: tests/mpi.
#include <gmock/gmock.h>

#include <kolam/comm/transport/mpi.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::mpi_test {

TEST(Mpi, MustRunBeforeItsCommunicatorsAreTaken) {
  EXPECT_THAT(testing::error_of<InvalidArgument>(
                  [] { static_cast<void>(comm::communicator(MPI_COMM_WORLD)); }),
              ::testing::HasSubstr("MPI_Init"));
}

TEST(Mpi, KnowsAProcessAloneAsSelf) {
  EXPECT_EQ(comm::mpi_communicator(Communicator{}), MPI_COMM_SELF);
}

}  // namespace kolam::mpi_test
