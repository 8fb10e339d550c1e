// SPDX-License-Identifier: Apache-2.0
#include "elasticity_options.hpp"

#include <algorithm>
#include <string_view>

#include "help.hpp"
#include "mesh_input.hpp"
#include "option_table.hpp"

namespace kolam::app {
namespace {

void add_list(CLI::App& command, const char* name, std::vector<std::string>& target,
              const char* value, const char* description) {
  command.add_option(name, target, description)->allow_extra_args(false)->option_text(value);
}

// Parses "NAME" or "NAME:xy"; any other text after a colon belongs to the name.
fem::DirichletCondition condition_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.find_first_not_of("xyz", colon + 1) != std::string::npos ||
      colon + 1 == text.size())
    return {attribute_of(text)};
  return {attribute_of(text.substr(0, colon)), text.substr(colon + 1)};
}

std::array<double, 3> force_of(const std::vector<double>& numbers) {
  std::array<double, 3> force{};
  std::copy(numbers.begin(), numbers.end(), force.begin());
  return force;
}

}  // namespace

void add_elasticity(CLI::App& app, ElasticityTexts& texts) {
  CLI::App& command =
      *app.add_subcommand("elasticity", "Solve linear elasticity on a mesh without a matrix");
  const fem::ElasticityOptions defaults;
  const auto standard = [](const char* text, const auto& value) {
    return fmt::format("{} [{}]", text, value);
  };
  add(command, "--mesh", texts.mesh, "FILE", "The body: a mesh of Gmsh, MFEM or VTK");
  add_list(command, "--material", texts.materials, "A=LAMBDA,MU",
           "Lame parameters of the elements of attribute A");
  add_list(command, "--fix", texts.fixed, "B[:xyz]",
           "No displacement on the boundary B, or none along these axes");
  add_list(command, "--traction", texts.tractions, "B=X,Y[,Z]",
           "A force on the boundary B, by its area");
  add(command, "--body-force", texts.body_force, "X,Y[,Z]", "A force by volume [none]");
  add(command, "--order", texts.order, "P",
      standard("Order of the polynomials, 1 to 40", defaults.order));
  add(command, "--refine", texts.refine, "N", "Halve the mesh's elements N times [0]");
  add(command, "--geometry-order", texts.geometry_order, "Q",
      "Order of the mesh's geometry [its own]");
  add(command, "--subdomains", texts.subdomains, "N",
      "Parts of a process that is alone [one for each device]");
  add(command, "--partition", texts.partition, "NAME",
      "How a mesh is cut into parts: hilbert, rcb, metis, scotch [hilbert]");
  add(command, "--geometry", texts.geometry, "NAME",
      standard("Of elements: stored, affine, trilinear, or automatic", name(defaults.geometry)));
  add(command, "--rtol", texts.rtol, "X",
      standard("End at a residual of X times the first", defaults.solve.rtol));
  add(command, "--max-iter", texts.max_iter, "N",
      standard("Iterations at most", defaults.solve.max_iterations));
  add(command, "--precond", texts.precond, "NAME",
      standard("none, jacobi, chebyshev or pmg (p-multigrid)", name(defaults.preconditioner)));
  add(command, "--coarse-solver", texts.coarse_solver, "NAME",
      standard("Of pmg's coarsest level: cg, or boomeramg (hypre)", name(defaults.coarse_solver)));
  command.add_flag("--deterministic", texts.deterministic,
                   "The same bits in every run, also on GPUs (hosts always do)");
  add_backend(command, texts.backend);
  add(command, "--precision", texts.precision, "NAME", "float or double [double]");
  add(command, "--json", texts.json, "FILE",
      "Write the result as JSON to FILE, or alone to stdout (-)");
  add(command, "--output", texts.output, "FILE.vtkhdf", "Write the displacement for ParaView");
  command.add_flag("--quiet", texts.quiet, "Print nothing on success but what --json - asks");
  command.footer(elasticity_footer());
}

ElasticityRequest elasticity_request(const Communicator& communicator, const Arguments& arguments,
                                     const ElasticityTexts& texts) {
  ElasticityRequest request;
  fem::ElasticityOptions& options = request.options;
  const auto word = [](const char* option, const std::string& text, auto& field,
                       const auto& parse) {
    if (!text.empty()) field = naming(option, text, [&] { return parse(text); });
  };
  word("--geometry", texts.geometry, options.geometry, fem::parse_geometry);
  word("--precond", texts.precond, options.preconditioner, fem::parse_preconditioner);
  options.coarse_solver = coarse_solver_of_text(texts.coarse_solver, options.preconditioner);
  request.backend = backend_of_text(texts.backend);
  request.precision = choose<Precision>(
      "--precision", texts.precision,
      {{"float", Precision::single_precision}, {"double", Precision::double_precision}});
  partitioner_of_text(texts.partition);
  if (texts.mesh.empty())
    throw InvalidArgument("no mesh given; give --mesh FILE, see kolam elasticity --help");
  request.mesh = mesh_input(texts.mesh, texts.refine, "--geometry-order", texts.geometry_order,
                            texts.partition);
  request.subdomains = subdomains_of_mesh(texts.subdomains, communicator.size());
  options.communicator = communicator;
  for (const std::string& text : texts.materials) {
    const auto [where, numbers] = numbers_by_attribute("--material", text, 2, 2);
    options.materials.push_back({where, numbers[0], numbers[1]});
  }
  for (const std::string& text : texts.fixed) options.fixed.push_back(condition_of(text));
  for (const std::string& text : texts.tractions) {
    const auto [where, numbers] = numbers_by_attribute("--traction", text, 2, 3);
    options.tractions.push_back({where, force_of(numbers)});
  }
  if (!texts.body_force.empty())
    options.body_force = force_of(numbers_of_text("--body-force", texts.body_force, 2, 3));
  if (!texts.order.empty()) {
    const std::string spelled = arguments.spelled("--order");
    const std::int64_t order = parse_integer(spelled, texts.order);
    if (order < 1 || order > 40)
      throw InvalidArgument(fmt::format("{} {}: it must be 1 to 40", spelled, texts.order));
    options.order = static_cast<int>(order);
  }
  if (!texts.rtol.empty()) {
    options.solve.rtol = parse_real("--rtol", texts.rtol);
    naming("--rtol", texts.rtol, [&] { linear::validate(options.solve); });
  }
  if (!texts.max_iter.empty()) {
    options.solve.max_iterations = parse_integer("--max-iter", texts.max_iter);
    naming("--max-iter", texts.max_iter, [&] { linear::validate(options.solve); });
  }
  options.deterministic = texts.deterministic;
  request.quiet = texts.quiet;
  request.json = texts.json;
  request.output = texts.output;
  if (!request.json.empty()) check_output("--json", request.json);
  if (!request.output.empty()) check_output("--output", request.output);
  require_hdf5("--output", request.output);
  check_all_distinct({{"--json", request.json}, {"--output", request.output}});
  return request;
}

}  // namespace kolam::app
