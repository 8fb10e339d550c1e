// SPDX-License-Identifier: Apache-2.0
// Heat conduction through a body of several materials, by implicit steps.
//
//   du/dt = div(k grad u) on a box of nx x ny (x nz) cells; nothing flows through its sides. u is density times specific
//   energy, k 1 / density or density; at a face k is the mean of that of both cells.
#pragma once

#include <array>
#include <cstdint>
#include <kolam/grid/diffusion.hpp>
#include <kolam/grid/implicit_step.hpp>
#include <kolam/linear/solve_result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kolam::grid {

/// What solves the linear system of a step.
enum class HeatSolver {
  cg,         ///< conjugate gradients
  chebyshev,  ///< Chebyshev iteration, see chebyshev_iteration
  ppcg,       ///< conjugate gradients with a polynomial, see polynomial_preconditioner
  multigrid   ///< conjugate gradients with multigrid, see grid::multigrid
};

/// "cg", "chebyshev", "ppcg" or "mg".
std::string_view name(HeatSolver solver);
/// The solver of that name. Throws InvalidArgument with the names that there are.
HeatSolver parse_heat_solver(std::string_view text);

/// Cells with values of their own.
struct HeatRegion {
  /// Which cells.
  enum class Shape {
    all,  ///< every cell
    box,  ///< those that the box from `from` to `to` covers more than a hundredth of, in every dimension
    ball,  ///< those whose centre is at most `radius` from `from`
    point  ///< the one that has `from` in it
  };
  Shape shape = Shape::all;         ///< which
  std::array<double, 3> from = {};  ///< the lower corner of a box, or the centre
  std::array<double, 3> to = {};    ///< the upper corner of a box
  double radius = 0;                ///< of a ball; at least 0
  double density = 1;               ///< above 0
  double energy = 0;                ///< specific energy at the start
};

/// What k is, of a cell of density rho.
enum class Conductivity {
  inverse_density,  ///< 1 / rho
  density           ///< rho
};

/// What to solve, how, and when to stop. Of a grid's options: nx, ny and nz count cells, at least 1; a process has one
/// subdomain; norms are those of u at the new time minus u at the old one.
struct HeatOptions : DiffusionOptions {
  /// 512 x 512 cells, 20 steps, a bar of heated light material that winds through a heavy one.
  HeatOptions();

  std::array<double, 3> from = {0, 0, 0};   ///< the lower corner of the box
  std::array<double, 3> to = {10, 10, 10};  ///< the upper one
  std::vector<HeatRegion> regions;          ///< later ones cover earlier ones; every cell is in one
  Conductivity conductivity = Conductivity::inverse_density;  ///< what k is
  double dt = 0.004;                                          ///< time of a step
  TimeScheme scheme = TimeScheme::backward_euler;             ///< of a step
  HeatSolver solver = HeatSolver::multigrid;                  ///< of its linear system
  /// When it is solved. The first guess is u at the old time.
  linear::SolveOptions tolerance = {.rtol = 1e-10, .max_iterations = 10000};
  int inner_steps = 10;  ///< degree of the polynomial of ppcg; at least 1
};

/// The solution and how it was reached; norms and field are of u.
struct [[nodiscard]] HeatSolution : GridSolution<double> {
  std::int64_t solver_iterations = 0;  ///< of all steps
  double set_up_seconds = 0;           ///< of the solver: eigenvalues, coarser grids
  ///@{
  /// Sums over all cells of their volume times: 1, density, u, density u.
  double volume = 0;
  double mass = 0;
  double energy = 0;
  double temperature = 0;
  ///@}
  /// Why the last linear system was left, if it was not solved: the status is then StencilStatus::unsolved, and the field
  /// that of the last step that was.
  linear::SolveStatus solve_status = linear::SolveStatus::converged;
};

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const HeatOptions& options);

/// Device memory in bytes that solve_heat needs, on all devices together.
std::uint64_t heat_bytes(const HeatOptions& options);

/// Solves on `exec`, Exec any execution space of this build, each process its part. Throws InvalidArgument (see validate;
/// also for a solver whose estimate of the spectrum is none) and OutOfMemory, both before any step, and what `runner`
/// throws, which may run the steps in parts. T_eff counts, for each application of the operator that the solver makes, u
/// and k in and their product out: a lower bound on what a step moves.
///
/// The field is the same to rounding for any number of processes and threads. (Boxes, solvers and what k is are those of
/// TeaLeaf: M. Martineau, S. McIntosh-Smith, The productivity, portability and performance of OpenMP 4.5 for scientific
/// applications targeting Intel CPUs, IBM CPUs, and NVIDIA GPUs, 2017.)
template <class Exec>
HeatSolution solve_heat(const Exec& exec, const HeatOptions& options,
                        const FieldRunner<double>& runner = {});

}  // namespace kolam::grid
