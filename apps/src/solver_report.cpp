// SPDX-License-Identifier: Apache-2.0
#include "solver_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace kolam::app {
namespace {

double last_relative(const linear::SolveResult& result) {
  const double first = result.residual_history.front();
  return first > 0 ? result.residual_history.back() / first : 0;
}

}  // namespace

nlohmann::ordered_json json_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value)
                                        : nlohmann::ordered_json(nullptr);
}

void add_solver(nlohmann::ordered_json& json, const linear::SolveResult& result) {
  const auto numbers = [](const std::vector<double>& values) {
    auto list = nlohmann::ordered_json::array();
    for (const double value : values) list.push_back(json_number(value));
    return list;
  };
  json["iterations"] = result.iterations;
  json["converged"] = result.status == linear::SolveStatus::converged;
  json["status"] = name(result.status);
  json["reason"] = reason(result.status);
  json["residual_history"] = numbers(result.residual_history);
  json["preconditioned_residual_history"] = numbers(result.preconditioned_history);
  json["true_residual"] = json_number(result.true_residual);
}

void add_row(std::string& text, const std::string& label, const std::string& value) {
  fmt::format_to(std::back_inserter(text), "{:<12}{}\n", label, value);
}

std::string residual_table(const linear::SolveResult& result) {
  std::string text = fmt::format("\n{:>11}  {:>14}\n", "iteration", "residual");
  const std::vector<double>& history = result.residual_history;
  constexpr std::size_t most_lines = 11;
  const std::size_t lines = std::min(history.size(), most_lines);
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t index = lines == 1 ? 0 : line * (history.size() - 1) / (lines - 1);
    fmt::format_to(std::back_inserter(text), "{:>11}  {:>#14.8g}\n", index, history[index]);
  }
  return text + '\n';
}

std::string outcome(const linear::SolveResult& result) {
  return result.status == linear::SolveStatus::converged
             ? fmt::format("converged after {} iterations to {:.2g} of the first residual",
                           result.iterations, last_relative(result))
             : fmt::format("not converged in {} iterations: {}", result.iterations,
                           reason(result.status));
}

std::string solver_failure(const linear::SolveResult& result) {
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
