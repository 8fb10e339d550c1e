// SPDX-License-Identifier: Apache-2.0
#include "poisson_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <kolam/core/version.hpp>
#include <nlohmann/json.hpp>

namespace kolam::app {
namespace {

std::string_view precision_name(const PoissonRequest& request) {
  return request.precision == Precision::single_precision ? "float" : "double";
}

std::string mesh(const fem::PoissonOptions& options) {
  std::string text = fmt::format("{} x {}", options.elements[0], options.elements[1]);
  if (options.dimensions == 3) text += fmt::format(" x {}", options.elements[2]);
  return text;
}

double last_relative(const linear::SolveResult& result) {
  const double first = result.residual_history.front();
  return first > 0 ? result.residual_history.back() / first : 0;
}

}  // namespace

std::string poisson_json(const PoissonReport& report) {
  const fem::PoissonOptions& options = report.request.options;
  const fem::PoissonSolution& s = report.solution;
  nlohmann::ordered_json json;
  const auto number = [](std::optional<double> value) {
    return value && std::isfinite(*value) ? nlohmann::ordered_json(*value)
                                          : nlohmann::ordered_json(nullptr);
  };
  const auto numbers = [&](const std::vector<double>& values) {
    auto list = nlohmann::ordered_json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
  };
  json["program"] = "kolam poisson";
  json["version"] = build_info().version;
  json["backend"] = name(report.request.backend);
  json["device"] = report.device;
  json["precision"] = precision_name(report.request);
  json["operator"] = name(options.problem);
  json["dim"] = options.dimensions;
  json["order"] = options.order;
  json["nx"] = options.elements[0];
  json["ny"] = options.elements[1];
  if (options.dimensions == 3) json["nz"] = options.elements[2];
  json["map"] = name(options.map);
  json["geometry"] = name(s.geometry);
  json["rhs"] = name(options.source);
  json["precond"] = name(options.preconditioner);
  json["deterministic"] = options.deterministic;
  json["decomposition"] = s.decomposition;
  json["rtol"] = options.solve.rtol;
  json["max_iter"] = options.solve.max_iterations;
  json["dofs"] = s.dofs;
  json["elements"] = s.elements;
  json["iterations"] = s.result.iterations;
  json["converged"] = s.result.status == linear::SolveStatus::converged;
  json["status"] = name(s.result.status);
  json["reason"] = reason(s.result.status);
  json["residual_history"] = numbers(s.result.residual_history);
  json["preconditioned_residual_history"] = numbers(s.result.preconditioned_history);
  json["true_residual"] = number(s.result.true_residual);
  json["setup_seconds"] = s.setup_seconds;
  json["seconds"] = s.seconds;
  json["gdofs_per_second"] = s.gdofs_per_second();
  json["l2_error"] = number(s.l2_error);
  json["h1_error"] = number(s.h1_error);
  json["solution_l2"] = number(s.solution_l2);
  json["rhs_dot_solution"] = number(s.rhs_dot_solution);
  json["integral"] = number(s.integral);
  json["centre"] = number(s.centre);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string poisson_summary(const PoissonReport& report) {
  const fem::PoissonOptions& options = report.request.options;
  const fem::PoissonSolution& s = report.solution;
  std::string text;
  const auto row = [&text](std::string_view label, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{:<12}{}\n", label, value);
  };
  row("problem", fmt::format("{}, order {}, {} elements, {} unknowns, {}", name(options.problem),
                             options.order, mesh(options), s.dofs, precision_name(report.request)));
  const int parts = options.communicator.size();
  row("backend",
      fmt::format("{}: {}{}", name(report.request.backend), report.device,
                  parts > 1 ? fmt::format(", {} parts ({})", parts, s.decomposition) : ""));
  row("solver",
      fmt::format("conjugate gradients, preconditioner {}", name(options.preconditioner)));
  fmt::format_to(std::back_inserter(text), "\n{:>11}  {:>14}\n", "iteration", "residual");
  const std::vector<double>& history = s.result.residual_history;
  constexpr std::size_t most_lines = 11;
  const std::size_t lines = std::min(history.size(), most_lines);
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t index = lines == 1 ? 0 : line * (history.size() - 1) / (lines - 1);
    fmt::format_to(std::back_inserter(text), "{:>11}  {:>#14.8g}\n", index, history[index]);
  }
  text += '\n';
  row("result", s.result.status == linear::SolveStatus::converged
                    ? fmt::format("converged after {} iterations to {:.2g} of the first residual",
                                  s.result.iterations, last_relative(s.result))
                    : fmt::format("not converged in {} iterations: {}", s.result.iterations,
                                  reason(s.result.status)));
  row("time", fmt::format("{:#.4g} s, set-up {:#.4g} s", s.seconds, s.setup_seconds));
  row("rate", fmt::format("{:#.4g} Gdofs/s (unknowns x iterations / time)", s.gdofs_per_second()));
  if (s.l2_error) {
    row("error", fmt::format("{:.4g} in L2, {:.4g} in the H1 seminorm", *s.l2_error,
                             s.h1_error.value_or(0)));
  }
  row("solution", fmt::format("{:.10g} in the middle, integral {:.10g}", s.centre, s.integral));
  if (!report.request.image.empty()) row("picture", report.request.image);
  if (!report.request.output.empty()) row("output", report.request.output);
  return text;
}

std::string poisson_failure(const PoissonReport& report) {
  const linear::SolveResult& result = report.solution.result;
  const std::string what =
      fmt::format("not converged in {} iterations: {}; the residual is {:.3g} of the first",
                  result.iterations, reason(result.status), last_relative(result));
  switch (result.status) {
    case linear::SolveStatus::iteration_limit:
      return what + "; raise --max-iter or --rtol";
    case linear::SolveStatus::stagnated:
      return what + "; raise --rtol, or use --precision double";
    default:
      return what;
  }
}

}  // namespace kolam::app
