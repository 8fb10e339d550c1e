// SPDX-License-Identifier: Apache-2.0
// What commands say of a solver.
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

/// Writes and prints a solution in the first process: what write(attempt) writes, then `json()` to its
/// file, or it or `text()` to stdout, and why the solver did not converge. Returns the exit code.
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
