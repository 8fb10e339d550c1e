// SPDX-License-Identifier: Apache-2.0
// The Laplace problem of the multi-GPU bootcamp, solved by Jacobi iteration.
//
//   nx x ny grid points, x fastest; columns 0 and nx-1 fixed at sin(2 pi iy / (ny-1)), zero
//   elsewhere at the start; periodic in y over rows 1 .. ny-2; each step replaces columns 1 .. nx-2
//   of rows 1 .. ny-2 by the average of their four neighbours.
#pragma once

#include <cstdint>
#include <functional>
#include <kolam/kernels/grid.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/solvers/norm_log.hpp>
#include <optional>
#include <vector>

namespace kolam {

/// What to solve and when to stop.
struct JacobiOptions {
  std::int64_t nx = 4096;     ///< grid points along x, at least 3
  std::int64_t ny = 4096;     ///< grid points along y, at least 3
  std::int64_t niter = 1000;  ///< steps at most, at least 0
  std::int64_t nccheck = 1;   ///< the norm is computed every nccheck steps, from step 0; at least 1
  std::optional<double> tol;  ///< stop after the first computed norm <= tol (finite, >= 0)
  /// Called on the calling thread now and then with the latest norm that has arrived.
  std::function<void(const NormRecord&)> progress;
};

enum class JacobiStatus {
  completed,        ///< niter steps done, no tolerance asked for
  converged,        ///< a norm <= tol was met
  iteration_limit,  ///< niter steps done, tolerance not met
  not_finite        ///< a norm was NaN or Inf: norm_history ends with it
};

/// The solution and how it was reached.
template <class T>
struct JacobiResult {
  JacobiStatus status;
  std::int64_t iterations;  ///< steps that the field has seen
  double seconds;           ///< from the first step to the last norm; set-up excluded
  double t_eff_gbs;         ///< T_eff with D_u = nx ny sizeof(T)
  std::vector<NormRecord> norm_history;
  double final_l2;   ///< sqrt(sum u^2) over interior points
  double final_max;  ///< max |u| over interior points
  Array<T> field;    ///< [pitch, ny], x fastest; columns nx .. pitch-1 are padding
  std::int64_t pitch;
};

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const JacobiOptions& options);

/// Device memory in bytes that solve_jacobi needs for a field of `element_size`-byte values.
[[nodiscard]] std::uint64_t jacobi_bytes(const JacobiOptions& options, std::size_t element_size);

/// Solves on `exec`; T is float or double, Exec any execution space of this build.
/// Throws InvalidArgument (see validate) and OutOfMemory, both before any step.
/// Moves at least 2 nx ny sizeof(T) bytes a step; the host never waits for a step in between.
///
/// Reproducible: the field is bitwise the same on every backend and any number of threads; norms
/// are bitwise the same for any number of threads of one backend, and agree to about 1e-13
/// (relative) between backends.
template <class T, class Exec>
[[nodiscard]] JacobiResult<T> solve_jacobi(const Exec& exec, const JacobiOptions& options);

}  // namespace kolam
