// SPDX-License-Identifier: Apache-2.0
// Everything of solvers: processes, decompositions, halos, steps of stencils, Jacobi, diffusion.
// (For a communicator of your own include <kolam/solvers/transport/mpi.hpp>.)
#pragma once

#include <kolam/solvers/communicator.hpp>
#include <kolam/solvers/decomposition.hpp>
#include <kolam/solvers/diffusion.hpp>
#include <kolam/solvers/field_blocks.hpp>
#include <kolam/solvers/grid_run.hpp>
#include <kolam/solvers/halo_exchange.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <kolam/solvers/norm_log.hpp>
#include <kolam/solvers/partition.hpp>
#include <kolam/solvers/processes.hpp>
#include <kolam/solvers/stencil_run.hpp>
#include <kolam/solvers/stencil_solver.hpp>
#include <kolam/solvers/stepped_field.hpp>
#include <kolam/solvers/transport.hpp>
