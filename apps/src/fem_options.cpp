// SPDX-License-Identifier: Apache-2.0
#include "fem_options.hpp"

namespace kolam::app {

void add_mesh_options(CLI::App& command, FemTexts& texts) {
  add(command, "--refine", texts.refine, "N", "Halve the mesh's elements N times [0]");
  add(command, "--geometry-order", texts.geometry_order, "Q",
      "Order of the mesh's geometry [its own]");
  add(command, "--partition", texts.partition, "NAME",
      "How a mesh is cut into parts: hilbert, rcb, metis, scotch [hilbert]");
  add(command, "--subdomains", texts.subdomains, "N",
      "Parts, if there is only one process [one for each device]");
}

void add_solver_options(CLI::App& command, FemTexts& texts, const linear::SolveOptions& solve,
                        fem::Preconditioner preconditioner, fem::CoarseSolver coarse_solver) {
  add(command, "--rtol", texts.rtol, "X",
      standard("Stop at a residual of X times the first", solve.rtol));
  add(command, "--max-iter", texts.max_iter, "N",
      standard("Maximum number of iterations", solve.max_iterations));
  add(command, "--precond", texts.precond, "NAME",
      standard("none, jacobi, chebyshev or pmg (p-multigrid)", name(preconditioner)));
  add(command, "--coarse-solver", texts.coarse_solver, "NAME",
      standard("Solver of pmg's coarsest level: cg, or boomeramg (hypre)", name(coarse_solver)));
  command.add_flag("--deterministic", texts.deterministic,
                   "Give the same bits in every run, also on GPUs (hosts always do)");
}

void add_result_options(CLI::App& command, FemTexts& texts, const char* output,
                        std::string* image) {
  add_backend(command, texts.backend);
  add(command, "--precision", texts.precision, "NAME", "float or double [double]");
  add(command, "--json", texts.json, "FILE",
      "Write the result as JSON to FILE, or (-) to stdout and nothing else");
  if (image != nullptr)
    add(command, "--image", *image, "FILE.png", "Write a picture of the solution");
  add(command, "--output", texts.output, "FILE.vtkhdf", output);
  command.add_flag("--quiet", texts.quiet, "Print nothing on success except for --json -");
}

int order_of_text(const Arguments& arguments, const std::string& text) {
  const std::string spelled = arguments.spelled("--order");
  const std::int64_t order = parse_integer(spelled, text);
  if (order < 1 || order > 40)
    throw InvalidArgument(fmt::format("{} {}: it must be 1 to 40", spelled, text));
  return static_cast<int>(order);
}

fem::CoarseSolver coarse_solver_of_text(const std::string& text,
                                        fem::Preconditioner preconditioner) {
  if (text.empty()) return fem::CoarseSolver::cg;
  const auto solver =
      naming("--coarse-solver", text, [&] { return fem::parse_coarse_solver(text); });
  if (preconditioner == fem::Preconditioner::pmg) return solver;
  throw InvalidArgument(
      fmt::format("--coarse-solver {}: --precond {} has no coarse level; leave it out, or take "
                  "--precond pmg",
                  text, name(preconditioner)));
}

void set_solve(linear::SolveOptions& solve, const Arguments& arguments, const FemTexts& texts) {
  const auto set = [&](const char* option, const std::string& text, auto& value,
                       const auto& parse) {
    if (text.empty()) return;
    const std::string spelled = arguments.spelled(option);
    value = parse(spelled, text);
    naming(spelled, text, [&] { linear::validate(solve); });
  };
  set("--rtol", texts.rtol, solve.rtol, parse_real);
  set("--max-iter", texts.max_iter, solve.max_iterations, parse_integer);
}

void set_results(FemRequest& request, const FemTexts& texts, const std::string& image) {
  request.backend = backend_of_text(texts.backend);
  request.precision = choose<Precision>(
      "--precision", texts.precision,
      {{"float", Precision::single_precision}, {"double", Precision::double_precision}});
  request.quiet = texts.quiet;
  request.json = texts.json;
  request.output = texts.output;
  if (!request.json.empty()) check_output("--json", request.json);
  if (!image.empty()) check_picture("--image", image);
  if (!request.output.empty()) check_fields("--output", request.output);
  require_hdf5("--output", request.output);
  check_all_distinct({{"--json", request.json}, {"--image", image}, {"--output", request.output}});
}

}  // namespace kolam::app
