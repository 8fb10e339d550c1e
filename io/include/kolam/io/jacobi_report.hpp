// SPDX-License-Identifier: Apache-2.0
// A Jacobi run as a record that machines read.
#pragma once

#include <cstdint>
#include <kolam/core/backend.hpp>
#include <kolam/core/device.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kolam {

/// What was solved, on what, and how it went: everything of a run but the field.
struct JacobiReport {
  std::string backend;    ///< as `--backend` takes it
  std::string device;     ///< its name
  std::string precision;  ///< "float" or "double"
  std::int64_t nx;
  std::int64_t ny;
  JacobiStatus status;
  std::int64_t iterations;
  double seconds;
  double t_eff_gbs;
  std::optional<double> t_peak_gbs;  ///< absent where it was not measured
  std::vector<NormRecord> norm_history;
  double final_l2;
  double final_max;
};

/// Collects the report of a run of `options` on `place` that gave `result`, without T_peak.
template <class T>
[[nodiscard]] JacobiReport make_report(const JacobiOptions& options, const JacobiResult<T>& result,
                                       const Device& place) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  return {.backend = std::string(name(place.backend)),
          .device = place.name,
          .precision = std::is_same_v<T, float> ? "float" : "double",
          .nx = options.nx,
          .ny = options.ny,
          .status = result.status,
          .iterations = result.iterations,
          .seconds = result.seconds,
          .t_eff_gbs = result.t_eff_gbs,
          .t_peak_gbs = std::nullopt,
          .norm_history = result.norm_history,
          .final_l2 = result.final_l2,
          .final_max = result.final_max};
}

/// "completed", "converged", "iteration_limit" or "not_finite".
[[nodiscard]] std::string_view name(JacobiStatus status);

/// Whether the run did what was asked: the tolerance was met, or none was given and all steps done.
[[nodiscard]] constexpr bool succeeded(JacobiStatus status) {
  return status == JacobiStatus::completed || status == JacobiStatus::converged;
}

/// One JSON object with a line break at its end: program, version, backend, device, precision, nx,
/// ny, iterations, converged (see succeeded), status, seconds, t_eff_gbs, t_peak_gbs, norm_history
/// (array of {"iteration", "norm"}), final_l2, final_max. Real numbers have 17 significant digits,
/// so that reading gives the very double back; NaN, Inf and what was not measured are null.
[[nodiscard]] std::string jacobi_json(const JacobiReport& report);

}  // namespace kolam
