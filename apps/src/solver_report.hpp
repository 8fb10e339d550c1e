// SPDX-License-Identifier: Apache-2.0
// What commands say of a solver.
#pragma once

#include <kolam/linear/solve_result.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace kolam::app {

/// A number, or null for one that is not known or not finite.
nlohmann::ordered_json json_number(std::optional<double> value);

/// Adds what it did to the document: iterations, converged, residuals.
void add_solver(nlohmann::ordered_json& json, const linear::SolveResult& result);

/// "LABEL       VALUE" as a line.
void add_row(std::string& text, const std::string& label, const std::string& value);

/// Up to eleven lines of its residuals, in a table.
std::string residual_table(const linear::SolveResult& result);

/// How it ended, in a line.
std::string outcome(const linear::SolveResult& result);

/// One line on why it did not converge, and what to do.
std::string solver_failure(const linear::SolveResult& result);

}  // namespace kolam::app
