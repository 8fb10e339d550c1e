// SPDX-License-Identifier: Apache-2.0
// The reports of commands about a solver.
#pragma once

#include <kolam/io/file.hpp>
#include <kolam/linear/solve_result.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "failure.hpp"
#include "first_error.hpp"
#include "standard_streams.hpp"

namespace kolam::app {

/// Returns a number, or null if it is unknown or not finite.
nlohmann::ordered_json json_number(std::optional<double> value);

/// Adds the solver's results to the document: iterations, converged, residuals.
void add_solver(nlohmann::ordered_json& json, const linear::SolveResult& result);

/// Adds the line "LABEL       VALUE".
void add_row(std::string& text, const std::string& label, const std::string& value);

/// Returns a table of residuals, up to eleven lines.
std::string residual_table(const linear::SolveResult& result);

/// Returns one line about how the solver ended.
std::string outcome(const linear::SolveResult& result);

/// Returns one line about why the solver did not converge, with the remedy.
std::string solver_failure(const linear::SolveResult& result);

/// Writes and prints a solution in the first process: calls write(attempt), writes `json()` to its
/// file or `json()` or `text()` to stdout, and reports failed convergence. Returns the exit code.
/// Throws the first error.
template <class Request, class Write, class Json, class Text>
int finish(const Request& request, const linear::SolveResult& result, const Write& write,
           const Json& json, const Text& text) {
  const bool converged = result.status == linear::SolveStatus::converged;
  const int code = converged ? done : not_converged;
  if (request.options.communicator.rank() != 0) return code;
  FirstError attempt;
  write(attempt);
  if (!request.json.empty() && request.json != "-")
    attempt([&] { write_file(request.json, json()); });
  attempt([&] {
    if (request.json == "-") {
      print(json());
    } else if (!request.quiet) {
      print(text());
    }
  });
  if (!converged) complain(solver_failure(result));
  attempt.rethrow();
  return code;
}

}  // namespace kolam::app
