// SPDX-License-Identifier: Apache-2.0
// A program started without mpiexec. Tests under mpiexec: tests/mpi.
#include <gmock/gmock.h>

#include <cstdlib>
#include <kolam/comm/processes.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::processes_test {

char program[] = "program";
char* arguments[] = {program, nullptr};

TEST(Processes, StaysAloneUnlessItWasLaunched) {
  int argc = 1;
  char** argv = arguments;
  const Processes processes(argc, argv);
  EXPECT_EQ(processes.all().size(), 1);
  EXPECT_FALSE(processes.all().group().has_messages()) << "MPI sleeps";
  EXPECT_EQ(argc, 1);
}

TEST(Processes, RefuseToBeSeveralWithoutMpi) {
  if (comm::mpi_library()) GTEST_SKIP() << "MPI is in this build: " << *comm::mpi_library();
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  int argc = 1;
  char** argv = arguments;
  EXPECT_THAT(testing::error_of<InvalidArgument>([&] { const Processes refused(argc, argv); }),
              ::testing::HasSubstr("-DKOLAM_MPI=on"));
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  EXPECT_EQ(Processes(argc, argv).all().size(), 1);
  unsetenv("OMPI_COMM_WORLD_SIZE");
}

TEST(Processes, NameTheLibrary) {
  if (!comm::mpi_library()) GTEST_SKIP() << "no MPI in this build";
  EXPECT_THAT(*comm::mpi_library(), ::testing::ContainsRegex("[0-9]+\\.[0-9]+"));
  EXPECT_THAT(*comm::mpi_library(), ::testing::Not(::testing::HasSubstr("\n")));
}

}  // namespace kolam::processes_test
