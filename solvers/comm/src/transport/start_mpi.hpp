// SPDX-License-Identifier: Apache-2.0
// Start and end of MPI, without <mpi.h>: defined in mpi.cpp or in without_mpi.cpp.
#pragma once

#include <kolam/comm/detail/process_group.hpp>
#include <memory>

namespace kolam::comm::detail {

/// Starts MPI unless it runs; sets `ours` if it did.
void start_mpi(int& argc, char**& argv, bool& ours);
void end_mpi();
/// Returns all processes of the program. The only use of MPI_COMM_WORLD.
std::shared_ptr<const ProcessGroup> all_processes();

}  // namespace kolam::comm::detail
