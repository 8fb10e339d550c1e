// SPDX-License-Identifier: Apache-2.0
// Machine-readable reports of runs on a grid.
#pragma once

#include <cstdint>
#include <kolam/core/backend.hpp>
#include <kolam/core/device.hpp>
#include <kolam/grid/grid_run.hpp>
#include <kolam/linear/solve_result.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam {

/// The results that only solve_heat reports.
struct HeatReport {
  double dt;                         ///< time step
  double time;                       ///< time of the field
  std::string time_scheme;           ///< "backward-euler"
  std::string solver;                ///< "mg"
  std::int64_t solver_iterations;    ///< iterations of all steps
  double set_up_seconds;             ///< set-up time of the solver
  linear::SolveStatus solve_status;  ///< status of the last step
  ///@{
  /// See HeatSolution.
  double volume;
  double mass;
  double energy;
  double temperature;
  ///@}
};

/// The report of a run: its problem, hardware and results, without the field.
struct RunReport {
  std::string program;                         ///< "kolam jacobi"
  std::string backend;                         ///< as `--backend` takes it
  std::string device;                          ///< device name
  std::string precision;                       ///< "float" or "double"
  std::int64_t nx;                             ///< grid points along x
  std::int64_t ny;                             ///< grid points along y
  std::int64_t nz;                             ///< grid points along z; 0 in two dimensions
  int processes;                               ///< number of processes
  std::string decomposition;                   ///< subdomains along x and y (and z): "1x4"
  std::string transport;                       ///< transport of halos, in words
  int steps_per_pass;                          ///< steps of a temporal block
  grid::StencilStatus status;                  ///< reason why the run ended
  std::int64_t iterations;                     ///< steps done, including those before a restart
  std::int64_t first_step;                     ///< steps done before a restart
  double seconds;                              ///< time of the steps of this run
  double t_eff_gbs;                            ///< T_eff in GB/s, see GridSolution
  std::optional<double> t_peak_gbs;            ///< T_peak in GB/s; absent if not measured
  std::vector<grid::NormRecord> norm_history;  ///< norms in the order of steps
  double final_l2;                             ///< sqrt(sum u^2) over interior points
  double final_max;                            ///< max |u| over interior points
  std::optional<HeatReport> heat = {};         ///< only from solve_heat
};

/// Returns the report, without T_peak, of a run of `program` with `options` on device `place` that
/// gave `result`. `nz` is 0 in two dimensions.
template <class T>
RunReport make_report(const std::string& program, const grid::GridOptions& options, std::int64_t nz,
                      const grid::GridSolution<T>& result, const Device& place) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  return {.program = program,
          .backend = std::string(name(place.backend)),
          .device = place.name,
          .precision = std::is_same_v<T, float> ? "float" : "double",
          .nx = options.nx,
          .ny = options.ny,
          .nz = nz,
          .processes = options.communicator.size(),
          .decomposition = result.decomposition,
          .transport = result.transport,
          .steps_per_pass = result.steps_per_pass,
          .status = result.status,
          .iterations = result.iterations,
          .first_step = result.first_step,
          .seconds = result.seconds,
          .t_eff_gbs = result.t_eff_gbs,
          .t_peak_gbs = std::nullopt,
          .norm_history = result.norm_history,
          .final_l2 = result.final_l2,
          .final_max = result.final_max,
          .heat = {}};
}

/// Returns whether the run met its tolerance or, without a tolerance, did all steps.
constexpr bool succeeded(grid::StencilStatus status) {
  return status == grid::StencilStatus::completed || status == grid::StencilStatus::converged;
}

/// Returns one JSON object that ends with a line break: program, version, backend, device,
/// precision, nx, ny, nz (in 3D), processes, decomposition, transport, steps_per_pass, iterations,
/// first_step, converged (see succeeded), status, seconds, t_eff_gbs, t_peak_gbs, norm_history
/// (array of {"iteration", "norm"}), for heat dt, time, time_scheme, solver, solver_iterations,
/// set_up_seconds, solve_status, volume, mass, energy and temperature, and final_l2, final_max.
/// Real numbers have 17 significant digits, so that reading restores each double exactly; NaN, Inf
/// and values not measured are null.
std::string run_json(const RunReport& report);

}  // namespace kolam
