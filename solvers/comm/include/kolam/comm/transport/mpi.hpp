// SPDX-License-Identifier: Apache-2.0
// kolam on the communicator of a program that has MPI already. Only in builds with MPI.
#pragma once

#include <mpi.h>

#include <kolam/comm/communicator.hpp>

namespace kolam::comm {

/// The processes of `processes`, on a duplicate of it, so that messages of kolam and of the caller
/// never meet; all of them call this. MPI must run, be it by the caller's MPI_Init, and end after
/// the last exchange; errors inside kolam become CommunicationError whatever the caller's error
/// handler is. Throws InvalidArgument if MPI does not run or `processes` is MPI_COMM_NULL.
Communicator communicator(MPI_Comm processes);

/// What MPI knows these processes by, for other libraries: a duplicate that lives as long as
/// `processes` and its copies. Of one process alone MPI_COMM_SELF. Throws InvalidArgument for processes
/// that are not MPI's (threads of DeviceThreads).
MPI_Comm mpi_communicator(const Communicator& processes);

}  // namespace kolam::comm
