// SPDX-License-Identifier: Apache-2.0
// The Laplace problem of the multi-GPU bootcamp, solved by Jacobi iteration.
//
//   nx x ny grid points, x fastest; columns 0 and nx-1 fixed at sin(2 pi iy / (ny-1)), zero
//   elsewhere at the start; periodic in y over rows 1 .. ny-2; each step replaces columns 1 .. nx-2
//   of rows 1 .. ny-2 by the average of their four neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <kolam/grid/grid_run.hpp>

namespace kolam::grid {

/// What to solve, how, and when to stop.
struct JacobiOptions : GridOptions {};

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const JacobiOptions& options);

/// Device memory in bytes that solve_jacobi needs for a field of `element_size`-byte values, on all
/// devices together.
std::uint64_t jacobi_bytes(const JacobiOptions& options, std::size_t element_size);

/// Solves on `exec`, or on as many instances beside it as there are subdomains; T is float or
/// double, Exec any execution space of this build. Called by all processes of options.communicator
/// together. Throws InvalidArgument (see validate) and OutOfMemory, both before any step, and what
/// `runner` throws, which may run the steps in parts. T_eff counts D_u = nx ny sizeof(T); moves 2
/// D_u a step, or several if they are fused.
///
/// Reproducible as StencilSolver is, and the field is bitwise the same on every backend as well.
template <class T, class Exec>
GridSolution<T> solve_jacobi(const Exec& exec, const JacobiOptions& options,
                             const FieldRunner<T>& runner = {});

}  // namespace kolam::grid
