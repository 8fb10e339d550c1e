// SPDX-License-Identifier: Apache-2.0
/// \file
/// Processes and devices that work on one problem: who owns which part, and how values travel
/// between them. (For a communicator of your own include <kolam/comm/transport/mpi.hpp>.)
#pragma once

#include <kolam/comm/communicator.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/device_threads.hpp>
#include <kolam/comm/field_blocks.hpp>
#include <kolam/comm/partition.hpp>
#include <kolam/comm/processes.hpp>
#include <kolam/comm/shared_dofs.hpp>
#include <kolam/comm/transport.hpp>

/// \namespace kolam::comm
/// Processes and devices that work on one problem, and the values that travel between them.
