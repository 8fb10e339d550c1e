// SPDX-License-Identifier: Apache-2.0
// Heat diffusion with a heat capacity that varies in space, by explicit steps.
//
//   Cp dT/dt = lambda laplace(T) on a box of 10 x 10 (x 10), lambda = 1; nx x ny (x nz) grid
//   points, x fastest. T starts as two Gaussians over zero, Cp has two Gaussians over 1; T is fixed
//   at the points of the boundary. The time step min(dx, dy, dz)^2 / (2 N + 0.1) is stable
//   everywhere.
#pragma once

#include <cstdint>
#include <kolam/grid/grid_run.hpp>

namespace kolam::grid {

/// Options of solve_diffusion.
struct DiffusionOptions : GridOptions {
  std::int64_t nz = 0;  ///< grid points along z, at least 3; 0: two dimensions
};

/// Throws InvalidArgument for a wrong option, naming the option, its value and the allowed values.
void validate(const DiffusionOptions& options);

/// Returns the device memory in bytes that solve_diffusion needs for values of `element_size`
/// bytes, on all devices together.
std::uint64_t diffusion_bytes(const DiffusionOptions& options, std::size_t element_size);

/// Solves the problem on `exec`, or on one instance for each of several subdomains. T is float or
/// double, Exec any execution space of this build. `runner` may run the steps in parts. Throws
/// InvalidArgument (see validate) and OutOfMemory, both before any step, and the exceptions of
/// `runner`. A step moves 3 D: it reads T and 1 / Cp, and writes T.
///
/// Reproducible like solve_jacobi. The problem is from S. Omlin, L. Raess, I. Utkin,
/// ParallelStencil.jl (diffusion3D_multigpucpu_novis), with other constants.
template <class T, class Exec>
GridSolution<T> solve_diffusion(const Exec& exec, const DiffusionOptions& options,
                                const FieldRunner<T>& runner = {});

}  // namespace kolam::grid
