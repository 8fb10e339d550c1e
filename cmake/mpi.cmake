# SPDX-License-Identifier: Apache-2.0

# Sets kolam_mpi_target, the target that module comm links for MPI (empty without MPI), and kolam_mpi_left_out, a
# regex of the files to leave out: without MPI its transport and the header with <mpi.h>, with MPI the stub.
kolam_auto_on_off(MPI "Several processes through MPI")

set(kolam_mpi_target "")
set(kolam_mpi_left_out "transport/mpi\\.[ch]pp$")
set(kolam_mpi_words "off")
if(NOT kolam_mpi STREQUAL "off")
  set(MPI_CXX_SKIP_MPICXX ON)  # no C++ bindings: MPI has removed them
  if(kolam_mpi STREQUAL "on")
    kolam_find(MPI "libopenmpi-dev openmpi-bin" 3.0 MODULE COMPONENTS CXX)
  else()
    find_package(MPI 3.0 MODULE QUIET COMPONENTS CXX)
  endif()
  set(kolam_mpi_words "not found")
  if(MPI_CXX_FOUND)
    set(kolam_mpi_target MPI::MPI_CXX)
    set(kolam_mpi_left_out "transport/without_mpi\\.cpp$")
    set(kolam_mpi_words "${MPI_CXX_VERSION} (${MPIEXEC_EXECUTABLE})")
  endif()
endif()
message(STATUS "MPI: ${kolam_mpi_words}")
