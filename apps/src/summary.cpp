// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace kolam::app {
namespace {

constexpr std::size_t most_lines = 11;

void append_norms(std::string& text, const std::vector<NormRecord>& history) {
  if (history.empty()) return;
  fmt::format_to(std::back_inserter(text), "\n{:>11}  {:>14}\n", "step", "norm");
  const std::size_t lines = std::min(history.size(), most_lines);
  for (std::size_t line = 0; line < lines; ++line) {
    // Evenly chosen, first and last among them.
    const std::size_t index = lines == 1 ? 0 : line * (history.size() - 1) / (lines - 1);
    fmt::format_to(std::back_inserter(text), "{:>11}  {:>#14.8g}\n", history[index].iteration,
                   history[index].norm);
  }
}

std::string outcome(const JacobiOptions& options, const JacobiReport& report) {
  switch (report.status) {
    case JacobiStatus::completed:
      return fmt::format("{} steps done", report.iterations);
    case JacobiStatus::converged:
      return fmt::format("converged after {} steps to norm <= {}", report.iterations,
                         options.tol.value_or(0));
    case JacobiStatus::iteration_limit:
      return fmt::format("not converged to norm <= {} in {} steps", options.tol.value_or(0),
                         report.iterations);
    case JacobiStatus::not_finite:
      break;
  }
  return fmt::format("stopped after {} steps: not finite", report.iterations);
}

}  // namespace

std::string summary(const JacobiOptions& options, const JacobiReport& report,
                    const std::string& image) {
  std::string text;
  const auto row = [&text](std::string_view label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{:<9}{}\n", label, value);
  };
  row("problem",
      fmt::format("Laplace, {} x {} points, {}", report.nx, report.ny, report.precision));
  row("backend", fmt::format("{}: {}", report.backend, report.device));
  append_norms(text, report.norm_history);
  text += '\n';
  row("result", outcome(options, report));
  if (report.iterations > 0) {
    row("time", fmt::format("{:#.4g} s, {:.4g} steps/s", report.seconds,
                            static_cast<double>(report.iterations) / report.seconds));
    row("T_eff", fmt::format("{:.5g} GB/s", report.t_eff_gbs));
  }
  if (report.t_peak_gbs) {
    const std::string ratio = report.iterations == 0
                                  ? ""
                                  : fmt::format(", of which T_eff is {:.1f} %",
                                                100 * report.t_eff_gbs / *report.t_peak_gbs);
    row("T_peak", fmt::format("{:.5g} GB/s{}", *report.t_peak_gbs, ratio));
  } else {
    row("T_peak", "not measured: memory is short");
  }
  if (!image.empty()) row("picture", image);
  return text;
}

std::string csv_line(const JacobiOptions& options, const JacobiReport& report) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return fmt::format("kolam_{}, {}, {}, {}, {}, {:.6f}, {}, {}, {}, {:.17g}, {:.6g}, {:.6g}\n",
                     report.backend, report.nx, report.ny, options.niter, options.nccheck,
                     report.seconds, report.precision, report.iterations, name(report.status),
                     report.norm_history.empty() ? unknown : report.norm_history.back().norm,
                     report.t_eff_gbs, report.t_peak_gbs.value_or(unknown));
}

std::string failure_text(const JacobiOptions& options, const JacobiReport& report) {
  const double norm = report.norm_history.empty() ? 0.0 : report.norm_history.back().norm;
  if (report.status == JacobiStatus::not_finite) {
    return fmt::format("{}: the norm of step {} is {}", outcome(options, report),
                       report.norm_history.empty() ? 0 : report.norm_history.back().iteration,
                       norm);
  }
  if (report.norm_history.empty()) return outcome(options, report) + "; raise -niter";
  return fmt::format("{}: the last norm is {:.6g}; raise -niter or -tol", outcome(options, report),
                     norm);
}

}  // namespace kolam::app
