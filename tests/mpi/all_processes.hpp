// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/comm/communicator.hpp>

namespace kolam::mpi_tests {

/// Returns the processes that mpiexec started.
const Communicator& all_processes();

}  // namespace kolam::mpi_tests
