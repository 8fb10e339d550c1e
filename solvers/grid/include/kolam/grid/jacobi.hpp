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

/// Options of solve_jacobi.
struct JacobiOptions : GridOptions {};

/// Throws InvalidArgument for a wrong option, naming the option, its value and the allowed values.
void validate(const JacobiOptions& options);

/// Returns the device memory in bytes that solve_jacobi needs for a field of `element_size`-byte
/// values, on all devices together.
std::uint64_t jacobi_bytes(const JacobiOptions& options, std::size_t element_size);

/// Solves the problem on `exec`, or on one instance for each of several subdomains. T is float or
/// double, Exec any execution space of this build. All processes of options.communicator call it
/// together. `runner` may run the steps in parts. Throws InvalidArgument (see validate) and
/// OutOfMemory, both before any step, and the exceptions of `runner`. A step, or several fused
/// steps together, move 2 D_u, with D_u = nx ny sizeof(T); T_eff counts 2 D_u for each step.
///
/// Reproducible like StencilSolver; the field is also bitwise the same on every backend.
template <class T, class Exec>
GridSolution<T> solve_jacobi(const Exec& exec, const JacobiOptions& options,
                             const FieldRunner<T>& runner = {});

}  // namespace kolam::grid
