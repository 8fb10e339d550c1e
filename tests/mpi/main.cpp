// SPDX-License-Identifier: Apache-2.0
// Runs GoogleTest in several processes: mpiexec -np N kolam_mpi_tests. All run the same tests.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <kolam/comm/processes.hpp>
#include <kolam/core/runtime.hpp>
#include <stdexcept>
#include <string_view>

#include "all_processes.hpp"

namespace kolam::mpi_tests {
namespace {

const Communicator* all = nullptr;

// Ends all processes after a failure, because the others may wait in the test that one has left.
class EndAll : public ::testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "process %d of %d failed: %s:%d\n%s\n", all->rank(), all->size(),
                 result.file_name(), result.line_number(), result.message());
    if (all->size() > 1) all->abort(1);
  }
};

// All processes must end if the last one throws (`--break=throw`) or is killed (`--break=kill`)
// while the others wait for it.
int break_off(const Communicator& processes, std::string_view how) {
  return abort_on_exception(processes, [&]() -> int {
    if (processes.rank() == processes.size() - 1) {
      if (how == "throw") throw std::runtime_error("thrown by one process");
      if (how == "kill") std::raise(SIGKILL);
    }
    static_cast<void>(processes.sum(1));
    processes.barrier();
    return 0;
  });
}

}  // namespace

const Communicator& all_processes() { return *all; }

}  // namespace kolam::mpi_tests

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const kolam::Processes processes(argc, argv);
  kolam::mpi_tests::all = &processes.all();
  const std::string_view option(argc > 1 ? argv[1] : "");
  if (option.starts_with("--break=")) {
    return kolam::mpi_tests::break_off(processes.all(), option.substr(8));
  }
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (processes.all().rank() > 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new kolam::mpi_tests::EndAll);
  const kolam::Runtime runtime(argc, argv);
  return kolam::comm::abort_on_exception(processes.all(), [] { return RUN_ALL_TESTS(); });
}
