// SPDX-License-Identifier: Apache-2.0
// Options that `kolam poisson` and `kolam elasticity` share.
#pragma once

#include <CLI/CLI.hpp>
#include <kolam/fem/geometry.hpp>
#include <kolam/fem/preconditioner.hpp>
#include <kolam/linear/solve_result.hpp>
#include <string>

#include "arguments.hpp"
#include "option_table.hpp"
#include "options.hpp"

namespace kolam::app {

/// Option values as typed.
struct FemTexts {
  std::string mesh, refine, geometry_order, partition, subdomains;
  std::string order, geometry, rtol, max_iter, precond, coarse_solver;
  std::string backend, precision = "double", json, output;
  bool deterministic = false;
  bool quiet = false;
};

/// Returns "TEXT [DEFAULT]".
template <class Value>
std::string standard(const char* text, const Value& value) {
  return fmt::format("{} [{}]", text, value);
}

///@{
/// Add options: those of a mesh; those of the solver; and the backend, the precision and the files
/// of results, --image too if `image` is not null.
void add_mesh_options(CLI::App& command, FemTexts& texts);
void add_solver_options(CLI::App& command, FemTexts& texts, const linear::SolveOptions& solve,
                        fem::Preconditioner preconditioner, fem::CoarseSolver coarse_solver);
void add_result_options(CLI::App& command, FemTexts& texts, const char* output,
                        std::string* image = nullptr);
///@}

/// Returns the order that `--order` names. Throws InvalidArgument, naming the option as typed.
int order_of_text(const Arguments& arguments, const std::string& text);

/// Returns the solver that `--coarse-solver` names. Throws InvalidArgument, naming the option, if
/// the preconditioner has no coarse level.
fem::CoarseSolver coarse_solver_of_text(const std::string& text,
                                        fem::Preconditioner preconditioner);

/// Sets the options of the solver. Throws InvalidArgument, naming the option.
void set_solve(linear::SolveOptions& solve, const Arguments& arguments, const FemTexts& texts);

/// Sets the order, the geometry and the solver of PoissonOptions or ElasticityOptions, where given.
/// Throws InvalidArgument, naming the option.
template <class Options>
void set_fem(Options& options, const Arguments& arguments, const FemTexts& texts) {
  if (!texts.order.empty()) options.order = order_of_text(arguments, texts.order);
  set_word("--geometry", texts.geometry, options.geometry, fem::parse_geometry);
  set_word("--precond", texts.precond, options.preconditioner, fem::parse_preconditioner);
  options.coarse_solver = coarse_solver_of_text(texts.coarse_solver, options.preconditioner);
  set_solve(options.solve, arguments, texts);
  options.deterministic = texts.deterministic;
}

/// Sets the backend, the precision and the files of results; `image`: that of --image, if any.
/// Throws InvalidArgument, naming the option.
void set_results(FemRequest& request, const FemTexts& texts, const std::string& image = {});

}  // namespace kolam::app
