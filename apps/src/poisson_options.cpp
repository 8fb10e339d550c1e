// SPDX-License-Identifier: Apache-2.0
#include "poisson_options.hpp"

#include <algorithm>
#include <optional>

#include "help.hpp"
#include "mesh_input.hpp"
#include "option_table.hpp"

namespace kolam::app {

void add_poisson(CLI::App& app, PoissonTexts& texts) {
  CLI::App& command = *app.add_subcommand(
      "poisson", "Solve a finite-element problem on a box or a mesh without a matrix");
  const fem::PoissonOptions defaults;
  add(command, "--order", texts.order, "P",
      standard("Order of the polynomials, 1 to 40", defaults.order));
  add(command, "--n", texts.n, "N", standard("Elements in each direction", defaults.elements[0]));
  add(command, "--nx", texts.nx, "N", "Elements along x [-n]");
  add(command, "--ny", texts.ny, "N", "Elements along y [-n]");
  add(command, "--nz", texts.nz, "N", "Elements along z [-n]");
  add(command, "--dim", texts.dim, "N", standard("Dimensions, 2 or 3", defaults.dimensions));
  add(command, "--mesh", texts.mesh, "FILE", "Solve on a mesh of Gmsh, MFEM or VTK [a box]");
  add_mesh_options(command, texts);
  add(command, "--dirichlet", texts.dirichlet, "LIST",
      "Boundaries of the mesh where u is known, by number or name [all others]");
  add(command, "--robin", texts.robin, "LIST",
      "BOUNDARY=A,...: c du/dn = -A u there, such as heat loss to air");
  add(command, "--coefficient", texts.coefficient, "LIST",
      "ATTRIBUTE=VALUE,...: c of -div(c grad u) in the mesh [1]");
  add(command, "--operator", texts.problem, "NAME",
      standard("bp1 to bp6, poisson or helmholtz, see below", name(defaults.problem)));
  add(command, "--map", texts.map, "NAME",
      standard("Shape of the box: none, or sine for curved elements", name(defaults.map)));
  add(command, "--geometry", texts.geometry, "NAME",
      standard("Geometry data: stored, affine, trilinear, or automatic", name(defaults.geometry)));
  add(command, "--rhs", texts.rhs, "NAME",
      fmt::format("one, expxyz or manufactured, see below [{}; of a mesh one]",
                  name(defaults.source)));
  add_solver_options(command, texts, defaults.solve, defaults.preconditioner,
                     defaults.coarse_solver);
  add(command, "--decomposition", texts.decomposition, "HOW",
      "How parts share the elements: auto, slabs, 1x2x2, ..., see below [auto]");
  add_result_options(command, texts, "Write the solution for ParaView", &texts.image);
  command.footer(poisson_footer());
}

namespace {

void set_subdomains(PoissonRequest& request, const PoissonTexts& texts) {
  fem::PoissonOptions& options = request.options;
  const int processes = options.communicator.size();
  if (!texts.subdomains.empty()) {
    request.subdomains = parse_count("--subdomains", texts.subdomains);
    if (processes > 1 && request.subdomains > 1) {
      throw InvalidArgument(
          fmt::format("--subdomains {}: each of {} processes has one part of the elements",
                      texts.subdomains, processes));
    }
  }
  if (processes > 1) request.subdomains = 1;
  if (!texts.decomposition.empty()) options.decomposition = texts.decomposition;
  const bool by_numbers = options.decomposition.find('x') != std::string::npos;
  const auto cut = [&] {
    const int count = fem::cut_elements(
        options, request.subdomains == 0 ? std::optional<int>() : request.subdomains * processes);
    if (request.subdomains == 0) request.subdomains = count;
  };
  if (by_numbers || (request.subdomains > 0 && !texts.decomposition.empty())) {
    naming("--decomposition", texts.decomposition, cut);
  } else if (!texts.subdomains.empty()) {
    naming("--subdomains", texts.subdomains, cut);
  } else if (!texts.decomposition.empty()) {
    // The number of parts follows from the devices and is unknown here, so check only the name.
    naming("--decomposition", texts.decomposition, [&] { fem::cut_elements(options, 1); });
  } else if (processes > 1) {
    cut();
  }
}

// Sets the options for a mesh, and refuses options that do not apply.
void set_mesh(PoissonRequest& request, const Arguments& arguments, const PoissonTexts& texts) {
  const auto refuse = [&](const char* option, const std::string& text, const char* why) {
    if (!text.empty())
      throw InvalidArgument(fmt::format("{} {}: {}", arguments.spelled(option), text, why));
  };
  partitioner_of_text(texts.partition);  // (checked even without a mesh)
  if (texts.mesh.empty()) {
    constexpr const char* why = "there is no --mesh";
    refuse("--refine", texts.refine, why);
    refuse("--geometry-order", texts.geometry_order, why);
    refuse("--partition", texts.partition, why);
    refuse("--dirichlet", texts.dirichlet, why);
    refuse("--robin", texts.robin, why);
    refuse("--coefficient", texts.coefficient, why);
    return;
  }
  constexpr const char* why = "it is for a box, and there is --mesh";
  refuse("--n", texts.n, why);
  refuse("--nx", texts.nx, why);
  refuse("--ny", texts.ny, why);
  refuse("--nz", texts.nz, why);
  refuse("--dim", texts.dim, why);
  refuse("--map", texts.map, why);
  refuse("--decomposition", texts.decomposition, "it cuts boxes; --partition cuts a mesh");
  refuse("--image", texts.image, "pictures are of boxes; --output is for ParaView");
  request.mesh = mesh_input(texts.mesh, texts.refine, "--geometry-order", texts.geometry_order,
                            texts.partition);
  request.subdomains = subdomains_of_mesh(texts.subdomains, request.options.communicator.size());
  if (texts.rhs.empty()) request.options.source = fem::PoissonSource::one;
  if (!texts.dirichlet.empty()) {
    for (const std::string& part : parts_of("--dirichlet", texts.dirichlet))
      request.on_mesh.dirichlet.emplace_back(attribute_of(part));
  }
  const auto by_attribute = [](const char* option, const std::string& text, const char* form,
                               auto& values) {
    if (text.empty()) return;
    for (const std::string& part : parts_of(option, text)) {
      const auto [attribute, value] = numbers_by_attribute(option, part, 1, 1, form);
      if (!(value[0] > 0))
        throw InvalidArgument(fmt::format("{} {}: it must be above 0", option, part));
      values.emplace_back(attribute, value[0]);
    }
  };
  by_attribute("--robin", texts.robin, "BOUNDARY=A", request.on_mesh.robin);
  by_attribute("--coefficient", texts.coefficient, "ATTRIBUTE=VALUE", request.on_mesh.coefficients);
}

}  // namespace

PoissonRequest poisson_request(const Communicator& communicator, const Arguments& arguments,
                               const PoissonTexts& texts) {
  PoissonRequest request;
  fem::PoissonOptions& options = request.options;
  options.communicator = communicator;
  set_fem(options, arguments, texts);
  if (!texts.dim.empty()) {
    const std::string spelled = arguments.spelled("--dim");
    options.dimensions =
        static_cast<int>(std::clamp<std::int64_t>(parse_integer(spelled, texts.dim), -1, 1000));
    fem::PoissonOptions alone;
    alone.dimensions = options.dimensions;
    naming(spelled, texts.dim, [&] { validate(alone); });
  }
  const auto elements = [&](const char* option, const std::string& text, std::size_t first,
                            std::size_t last) {
    if (text.empty()) return;
    const std::string spelled = arguments.spelled(option);
    const std::int64_t value = parse_integer(spelled, text);
    fem::PoissonOptions alone;
    alone.order = 1;
    alone.elements = {1, 1, 1};
    alone.elements[0] = value;
    naming(spelled, text, [&] { validate(alone); });
    for (std::size_t k = first; k < last; ++k) options.elements[k] = value;
  };
  elements("--n", texts.n, 0, 3);
  elements("--nx", texts.nx, 0, 1);
  elements("--ny", texts.ny, 1, 2);
  elements("--nz", texts.nz, 2, 3);
  if (options.dimensions == 2 && !texts.nz.empty()) {
    throw InvalidArgument(
        fmt::format("{} {}: there is no z with --dim 2", arguments.spelled("--nz"), texts.nz));
  }
  set_word("--operator", texts.problem, options.problem, fem::parse_poisson_problem);
  set_word("--map", texts.map, options.map, fem::parse_poisson_map);
  set_word("--rhs", texts.rhs, options.source, fem::parse_poisson_source);
  set_mesh(request, arguments, texts);
  validate(options);
  if (!request.mesh) set_subdomains(request, texts);

  request.image = texts.image;
  set_results(request, texts, texts.image);
  request.size = fmt::format(
      "{} elements of order {} ({})",
      fmt::join(options.elements.begin(), options.elements.begin() + options.dimensions, " x "),
      options.order, texts.precision);
  return request;
}

}  // namespace kolam::app
