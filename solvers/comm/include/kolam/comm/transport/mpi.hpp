// SPDX-License-Identifier: Apache-2.0
// kolam on the communicator of a program that already uses MPI. Only in builds with MPI.
#pragma once

#include <mpi.h>

#include <kolam/comm/communicator.hpp>

namespace kolam::comm {

/// Returns the group of `processes`, on a duplicate, so that messages of kolam and the caller never
/// mix. All of `processes` call it. MPI must already run, for example by the caller's
/// MPI_Init, and must end after the last exchange. Errors inside kolam become CommunicationError
/// whatever the caller's error handler is. Throws InvalidArgument if MPI does not run or
/// `processes` is MPI_COMM_NULL.
Communicator communicator(MPI_Comm processes);

/// Returns the MPI communicator of `processes`, for other libraries: a duplicate that lives as long
/// as `processes` and its copies, or MPI_COMM_SELF for a group made without MPI. Throws
/// InvalidArgument for groups without MPI (the threads of on_devices).
MPI_Comm mpi_communicator(const Communicator& processes);

}  // namespace kolam::comm
