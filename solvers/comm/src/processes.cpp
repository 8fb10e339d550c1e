// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <kolam/comm/processes.hpp>
#include <string_view>

#include "transport/start_mpi.hpp"

namespace kolam::comm {
namespace {

// Variables that the launchers of Open MPI, MPICH and its derivatives, and Slurm set per process.
constexpr std::array launched = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
                                 "MV2_COMM_WORLD_SIZE"};
constexpr std::array sizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};

bool set(const char* name) { return std::getenv(name) != nullptr; }

bool is_one(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && std::string_view(value) == "1";
}

// In a build without MPI, a launcher of one process is harmless.
bool wants_mpi() {
  if (std::none_of(launched.begin(), launched.end(), set)) return false;
  return mpi_library() || std::none_of(sizes.begin(), sizes.end(), is_one);
}

}  // namespace

Processes::Processes(int& argc, char**& argv) : exceptions_(std::uncaught_exceptions()) {
  if (!wants_mpi()) return;
  detail::start_mpi(argc, argv, ours_);
  all_ = Communicator(detail::all_processes());
}

Processes::~Processes() {
  if (std::uncaught_exceptions() > exceptions_ && all_.size() > 1) {
    detail::abort_for(all_, "ends because of an exception", 4);
  }
  all_ = Communicator();
  if (ours_) detail::end_mpi();
}

}  // namespace kolam::comm
