// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace kolam::app {
namespace {

constexpr std::size_t most_lines = 11;

void append_norms(std::string& text, const std::vector<grid::NormRecord>& history) {
  if (history.empty()) return;
  fmt::format_to(std::back_inserter(text), "\n{:>11}  {:>14}\n", "step", "norm");
  const std::size_t lines = std::min(history.size(), most_lines);
  for (std::size_t line = 0; line < lines; ++line) {
    // Evenly spaced, including first and last.
    const std::size_t index = lines == 1 ? 0 : line * (history.size() - 1) / (lines - 1);
    fmt::format_to(std::back_inserter(text), "{:>11}  {:>#14.8g}\n", history[index].iteration,
                   history[index].norm);
  }
}

std::string grid(const RunReport& report) {
  std::string text = fmt::format("{} x {}", report.nx, report.ny);
  if (report.nz > 0) text += fmt::format(" x {}", report.nz);
  return text;
}

std::string outcome(const grid::GridOptions& options, const RunReport& report) {
  switch (report.status) {
    case grid::StencilStatus::completed:
      return fmt::format("{} steps done", report.iterations);
    case grid::StencilStatus::converged:
      return fmt::format("converged after {} steps to norm <= {}", report.iterations,
                         options.tol.value_or(0));
    case grid::StencilStatus::iteration_limit:
      return fmt::format("not converged to norm <= {} in {} steps", options.tol.value_or(0),
                         report.iterations);
    case grid::StencilStatus::interrupted:
      return fmt::format("stopped after {} of {} steps, as a signal asked", report.iterations,
                         options.niter);
    case grid::StencilStatus::unsolved:
      return fmt::format("stopped after {} of {} steps: the next was not solved, {}",
                         report.iterations, options.niter,
                         report.heat ? reason(report.heat->solve_status) : "");
    case grid::StencilStatus::not_finite:
      break;
  }
  return fmt::format("stopped after {} steps: not finite", report.iterations);
}

}  // namespace

std::string summary(const grid::GridOptions& options, const RunReport& report, const Files& files) {
  std::string text;
  const auto row = [&text](std::string_view label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{:<12}{}\n", label, value);
  };
  row("problem",
      fmt::format("{}, {} points, {}", report.program.substr(6), grid(report), report.precision));
  if (!files.deck.empty()) row("deck", files.deck);
  row("backend", fmt::format("{}: {}", report.backend, report.device));
  if (report.processes > 1) row("processes", std::to_string(report.processes));
  if (report.decomposition != "1x1" && report.decomposition != "1x1x1") {
    row("cut", fmt::format("{} subdomains; halos: {}", report.decomposition, report.transport));
  }
  if (report.steps_per_pass > 1)
    row("blocking", fmt::format("{} fused steps", report.steps_per_pass));
  append_norms(text, report.norm_history);
  text += '\n';
  row("result", outcome(options, report));
  const std::int64_t steps = report.iterations - report.first_step;
  if (report.heat) {
    row("solver", fmt::format("{}: {} iterations, set-up {:.3g} s", report.heat->solver,
                              report.heat->solver_iterations, report.heat->set_up_seconds));
    row("temperature",
        fmt::format("{:.12g} at time {:.6g}", report.heat->temperature, report.heat->time));
  }
  if (report.first_step > 0) row("restart", fmt::format("from step {}", report.first_step));
  if (steps > 0) {
    row("time", fmt::format("{:#.4g} s, {:.4g} steps/s", report.seconds,
                            static_cast<double>(steps) / report.seconds));
    row("T_eff", fmt::format("{:.5g} GB/s", report.t_eff_gbs));
  }
  if (report.t_peak_gbs) {
    const std::string ratio = steps == 0 ? ""
                                         : fmt::format(", of which T_eff is {:.1f} %",
                                                       100 * report.t_eff_gbs / *report.t_peak_gbs);
    row("T_peak", fmt::format("{:.5g} GB/s{}", *report.t_peak_gbs, ratio));
  } else {
    row("T_peak", "not measured: memory is short");
  }
  if (!files.image.empty()) row("picture", files.image);
  if (!files.output.empty()) row("output", files.output);
  if (!files.checkpoint.empty()) row("checkpoint", files.checkpoint);
  return text;
}

std::string csv_line(const grid::GridOptions& options, const RunReport& report) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return fmt::format("kolam_{}, {}, {}, {}, {}, {:.6f}, {}, {}, {}, {:.17g}, {:.6g}, {:.6g}, {}\n",
                     report.backend, report.nx, report.ny, options.niter, options.nccheck,
                     report.seconds, report.precision, report.iterations, name(report.status),
                     report.norm_history.empty() ? unknown : report.norm_history.back().norm,
                     report.t_eff_gbs, report.t_peak_gbs.value_or(unknown), report.nz);
}

std::string failure_text(const grid::GridOptions& options, const RunReport& report) {
  const double norm = report.norm_history.empty() ? 0.0 : report.norm_history.back().norm;
  if (report.status == grid::StencilStatus::not_finite) {
    if (std::isfinite(norm)) return outcome(options, report);  // found in the field itself
    return fmt::format("{}: the norm of step {} is {}", outcome(options, report),
                       report.norm_history.back().iteration, norm);
  }
  if (report.status == grid::StencilStatus::interrupted) {
    return fmt::format("{}; --restart goes on from the checkpoint", outcome(options, report));
  }
  if (report.status == grid::StencilStatus::unsolved)
    return outcome(options, report) + "; raise --max-iter or --rtol, or take another --solver";
  if (report.norm_history.empty()) return outcome(options, report) + "; raise -niter";
  return fmt::format("{}: the last norm is {:.6g}; raise -niter or -tol", outcome(options, report),
                     norm);
}

}  // namespace kolam::app
