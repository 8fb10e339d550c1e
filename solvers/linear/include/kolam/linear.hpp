// SPDX-License-Identifier: Apache-2.0
/// \file
/// Operators as solvers see them, Krylov methods, preconditioners, multigrid and explicit steps. (Sparse matrices,
/// where the build has Kokkos Kernels: <kolam/linear/assembled_matrix.hpp>.)
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
/// Operators as solvers see them, and methods for linear systems.
