// SPDX-License-Identifier: Apache-2.0
/// \file
/// The operator interface of solvers, Krylov methods, preconditioners, multigrid and explicit time
/// steps. (Sparse matrices, in builds with Kokkos Kernels: <kolam/linear/assembled_matrix.hpp>.)
#pragma once

#include <kolam/linear/any_operator.hpp>
#include <kolam/linear/chebyshev_iteration.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/linear/merged_conjugate_gradient.hpp>
#include <kolam/linear/multigrid.hpp>
#include <kolam/linear/operator.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <kolam/linear/runge_kutta.hpp>
#include <kolam/linear/solve_result.hpp>
#include <kolam/linear/vector.hpp>

/// \namespace kolam::linear
/// The operator interface of solvers, and methods for linear systems.
