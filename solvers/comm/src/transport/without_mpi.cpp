// SPDX-License-Identifier: Apache-2.0
// Replaces mpi.cpp in builds without MPI.
#include <kolam/comm/processes.hpp>
#include <kolam/core/error.hpp>

#include "start_mpi.hpp"

namespace kolam::comm {

std::optional<std::string> mpi_library() { return std::nullopt; }

void detail::start_mpi(int&, char**&, bool&) {
  throw InvalidArgument(
      "the program was started as one of several processes, and this kolam was built without MPI; "
      "start it by itself, or build it with -DKOLAM_MPI=on");
}

void detail::end_mpi() {}

std::shared_ptr<const detail::ProcessGroup> detail::all_processes() { return nullptr; }

}  // namespace kolam::comm
