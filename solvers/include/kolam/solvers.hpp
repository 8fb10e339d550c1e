// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything of solvers: processes, decompositions, halos, steps of stencils, Jacobi, diffusion;
/// spaces and operators of finite elements, conjugate gradients, multigrid, model problems.
/// (For a communicator of your own include <kolam/solvers/transport/mpi.hpp>; for assembled
/// matrices, where there is Kokkos Kernels, <kolam/solvers/assembled_matrix.hpp>.)
#pragma once

#include <kolam/solvers/any_operator.hpp>
#include <kolam/solvers/boundary_flux.hpp>
#include <kolam/solvers/box_mesh.hpp>
#include <kolam/solvers/communicator.hpp>
#include <kolam/solvers/conjugate_gradient.hpp>
#include <kolam/solvers/decomposition.hpp>
#include <kolam/solvers/device_threads.hpp>
#include <kolam/solvers/diffusion.hpp>
#include <kolam/solvers/field_blocks.hpp>
#include <kolam/solvers/function_space.hpp>
#include <kolam/solvers/grid_run.hpp>
#include <kolam/solvers/halo_exchange.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <kolam/solvers/lattice_function.hpp>
#include <kolam/solvers/merged_conjugate_gradient.hpp>
#include <kolam/solvers/multigrid.hpp>
#include <kolam/solvers/nodal_function.hpp>
#include <kolam/solvers/norm_log.hpp>
#include <kolam/solvers/operator.hpp>
#include <kolam/solvers/partition.hpp>
#include <kolam/solvers/poisson.hpp>
#include <kolam/solvers/preconditioners.hpp>
#include <kolam/solvers/processes.hpp>
#include <kolam/solvers/shared_unknowns.hpp>
#include <kolam/solvers/solve_result.hpp>
#include <kolam/solvers/space_transfer.hpp>
#include <kolam/solvers/stencil_run.hpp>
#include <kolam/solvers/stencil_solver.hpp>
#include <kolam/solvers/stepped_field.hpp>
#include <kolam/solvers/transport.hpp>
