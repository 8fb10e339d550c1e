// SPDX-License-Identifier: Apache-2.0
// Heat conduction through a body of several materials, by implicit steps.
//
//   du/dt = div(k grad u) on a box of nx x ny (x nz) cells, without flux through its sides. u is
//   density times specific energy, k is 1 / density or density; at a face k is the mean over both
//   cells.
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

/// The solver of the linear system of a step.
enum class HeatSolver {
  cg,         ///< conjugate gradients
  chebyshev,  ///< Chebyshev iteration, see chebyshev_iteration
  ppcg,       ///< conjugate gradients with polynomial_preconditioner
  multigrid   ///< conjugate gradients with grid::multigrid
};

/// Returns "cg", "chebyshev", "ppcg" or "mg".
std::string_view name(HeatSolver solver);
/// Returns the solver of that name. Throws InvalidArgument, with the known names.
HeatSolver parse_heat_solver(std::string_view text);

/// A region of cells with its own density and energy.
struct HeatRegion {
  /// The cells of a region.
  enum class Shape {
    all,   ///< every cell
    box,   ///< cells that the box covers by more than a hundredth in every dimension
    ball,  ///< cells whose centre is at most `radius` from `from`
    point  ///< the cell that contains `from`
  };
  Shape shape = Shape::all;         ///< shape of the region
  std::array<double, 3> from = {};  ///< lower corner of a box, the centre of a ball, or the point
  std::array<double, 3> to = {};    ///< upper corner of a box
  double radius = 0;                ///< radius of a ball; at least 0
  double density = 1;               ///< density of the cells; above 0
  double energy = 0;                ///< specific energy at the start
};

/// The conductivity k of a cell of density rho.
enum class Conductivity {
  inverse_density,  ///< 1 / rho
  density           ///< rho
};

/// Options of solve_heat. nx, ny and nz count cells, at least 1; a process has one subdomain; norms
/// are those of the change of u in a step.
struct HeatOptions : DiffusionOptions {
  /// Sets 512 x 512 cells, 20 steps, and a winding bar of hot light material in a heavy
  /// one.
  HeatOptions();

  std::array<double, 3> from = {0, 0, 0};   ///< lower corner of the box
  std::array<double, 3> to = {10, 10, 10};  ///< upper corner of the box
  std::vector<HeatRegion> regions;          ///< regions, later over earlier; every cell is in one
  Conductivity conductivity = Conductivity::inverse_density;  ///< definition of k
  double dt = 0.004;                                          ///< length of a time step
  TimeScheme scheme = TimeScheme::backward_euler;             ///< scheme of a step
  HeatSolver solver = HeatSolver::multigrid;                  ///< solver of its linear system
  /// Stopping criteria of the solver. The first guess is u at the old time.
  linear::SolveOptions tolerance = {.rtol = 1e-10, .max_iterations = 10000};
  int inner_steps = 10;  ///< degree of the polynomial of ppcg; at least 1
};

/// The solution of solve_heat, and data on its run; norms and field are of u.
struct [[nodiscard]] HeatSolution : GridSolution<double> {
  std::int64_t solver_iterations = 0;  ///< iterations in all steps
  double set_up_seconds = 0;           ///< set-up time of the solver: eigenvalues, coarser grids
  ///@{
  /// Sums over all cells of the cell's volume times 1, density, u, or density u.
  double volume = 0;
  double mass = 0;
  double energy = 0;
  double temperature = 0;
  ///@}
  /// The status of the last linear system. If it was not solved, the run's status is
  /// StencilStatus::unsolved or not_finite, and the field is that of the last solved step.
  linear::SolveStatus solve_status = linear::SolveStatus::converged;
};

/// Throws InvalidArgument for a wrong option, naming the option, its value and the allowed values.
void validate(const HeatOptions& options);

/// Returns the device memory in bytes that solve_heat needs, on all devices together.
std::uint64_t heat_bytes(const HeatOptions& options);

/// Solves the problem on `exec`, of any execution space of this build, each process its part.
/// `runner` may run the steps in parts. Throws InvalidArgument (see validate; also if a solver's
/// estimate of the spectrum is not valid) and OutOfMemory, both before any step, and the exceptions
/// of `runner`. T_eff counts, for each application of the operator by the solver, reading u and k
/// and writing the product: a lower bound on the traffic of a step.
///
/// The field is the same up to rounding for any number of processes and threads. (Boxes, solvers
/// and the definitions of k are those of TeaLeaf: M. Martineau, S. McIntosh-Smith, The
/// productivity, portability and performance of OpenMP 4.5 for scientific applications targeting
/// Intel CPUs, IBM CPUs, and NVIDIA GPUs, 2017.)
template <class Exec>
HeatSolution solve_heat(const Exec& exec, const HeatOptions& options,
                        const FieldRunner<double>& runner = {});

}  // namespace kolam::grid
