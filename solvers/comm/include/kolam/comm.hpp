// SPDX-License-Identifier: Apache-2.0
/// \file
/// Processes and devices that work on one problem: which one owns which part, and how they exchange
/// values. (To use your own communicator, include <kolam/comm/transport/mpi.hpp>.)
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
/// Processes and devices that work on one problem, and the exchange of values between them.
