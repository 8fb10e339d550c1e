// SPDX-License-Identifier: Apache-2.0
#include "elasticity_options.hpp"

#include <algorithm>
#include <string_view>

#include "help.hpp"
#include "mesh_input.hpp"
#include "option_table.hpp"

namespace kolam::app {
namespace {

constexpr const char* material_form = "A=LAMBDA,MU";
constexpr const char* traction_form = "B=X,Y[,Z]";
constexpr const char* body_force_form = "X,Y[,Z]";

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
  add(command, "--mesh", texts.mesh, "FILE", "The body: a mesh of Gmsh, MFEM or VTK");
  add_list(command, "--material", texts.materials, material_form,
           "Lame parameters of the elements of attribute A");
  add_list(command, "--fix", texts.fixed, "B[:xyz]",
           "No displacement on the boundary B, or none along these axes");
  add_list(command, "--traction", texts.tractions, traction_form,
           "A force per unit area on the boundary B");
  add(command, "--body-force", texts.body_force, body_force_form, "A force per unit volume [none]");
  add(command, "--order", texts.order, "P",
      standard("Order of the polynomials, 1 to 40", defaults.order));
  add_mesh_options(command, texts);
  add(command, "--geometry", texts.geometry, "NAME",
      standard("Geometry data: stored, affine, trilinear, or automatic", name(defaults.geometry)));
  add_solver_options(command, texts, defaults.solve, defaults.preconditioner,
                     defaults.coarse_solver);
  add_result_options(command, texts, "Write the displacement for ParaView");
  command.footer(elasticity_footer());
}

ElasticityRequest elasticity_request(const Communicator& communicator, const Arguments& arguments,
                                     const ElasticityTexts& texts) {
  ElasticityRequest request;
  fem::ElasticityOptions& options = request.options;
  set_fem(options, arguments, texts);
  set_results(request, texts);
  partitioner_of_text(texts.partition);
  if (texts.mesh.empty())
    throw InvalidArgument("no mesh given; give --mesh FILE, see kolam elasticity --help");
  if (texts.materials.empty())
    throw InvalidArgument(fmt::format(
        "no material given; give --material {} for each attribute of elements", material_form));
  request.mesh = mesh_input(texts.mesh, texts.refine, "--geometry-order", texts.geometry_order,
                            texts.partition);
  request.subdomains = subdomains_of_mesh(texts.subdomains, communicator.size());
  options.communicator = communicator;
  for (const std::string& text : texts.materials) {
    const auto [where, numbers] = numbers_by_attribute("--material", text, 2, 2, material_form);
    options.materials.push_back({where, numbers[0], numbers[1]});
  }
  for (const std::string& text : texts.fixed) options.fixed.push_back(condition_of(text));
  for (const std::string& text : texts.tractions) {
    const auto [where, numbers] = numbers_by_attribute("--traction", text, 2, 3, traction_form);
    options.tractions.push_back({where, force_of(numbers)});
  }
  if (!texts.body_force.empty())
    options.body_force =
        force_of(numbers_of_text("--body-force", texts.body_force, 2, 3, body_force_form));
  return request;
}

}  // namespace kolam::app
