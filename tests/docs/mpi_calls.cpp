// SPDX-License-Identifier: Apache-2.0
// The code of the guides that calls MPI itself: only in builds with MPI.
#include <mpi.h>

#include <kolam/comm/transport/mpi.hpp>
#include <kolam/kolam.hpp>

namespace mpi_calls {

using Exec = Kokkos::DefaultExecutionSpace;

// docs/guides/memory.md
void pointers(const Exec& exec, const kolam::Array<double>& u, kolam::Array<double>& v, int n,
              int next, MPI_Comm communicator) {
  MPI_Send(u.read(kolam::host).data(), n, MPI_DOUBLE, next, 0, communicator);
  double* const to = v.write(exec).data();
  exec.fence("v is free");
  MPI_Request request;
  MPI_Irecv(to, n, MPI_DOUBLE, MPI_ANY_SOURCE, 0, communicator, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// docs/guides/many-devices.md
kolam::Communicator of_a_program(MPI_Comm comm) { return kolam::comm::communicator(comm); }

}  // namespace mpi_calls
