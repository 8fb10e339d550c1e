// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/error.hpp>
#include <kolam/fem/poisson.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "../names.hpp"
#include "require.hpp"

namespace kolam::fem {
namespace {

constexpr std::pair<PoissonProblem, std::string_view> problems[] = {
    {PoissonProblem::bp1, "bp1"},         {PoissonProblem::bp2, "bp2"},
    {PoissonProblem::bp3, "bp3"},         {PoissonProblem::bp4, "bp4"},
    {PoissonProblem::bp5, "bp5"},         {PoissonProblem::bp6, "bp6"},
    {PoissonProblem::poisson, "poisson"}, {PoissonProblem::helmholtz, "helmholtz"}};
constexpr std::pair<PoissonMap, std::string_view> maps[] = {{PoissonMap::none, "none"},
                                                            {PoissonMap::sine, "sine"}};
constexpr std::pair<PoissonSource, std::string_view> sources[] = {
    {PoissonSource::one, "one"},
    {PoissonSource::expxyz, "expxyz"},
    {PoissonSource::manufactured, "manufactured"}};

bool is_of_vectors(PoissonProblem problem) {
  return problem == PoissonProblem::bp2 || problem == PoissonProblem::bp4 ||
         problem == PoissonProblem::bp6;
}

}  // namespace

std::string_view name(PoissonProblem v) { return detail::name_of<PoissonProblem>(problems, v); }
std::string_view name(PoissonMap v) { return detail::name_of<PoissonMap>(maps, v); }
std::string_view name(PoissonSource v) { return detail::name_of<PoissonSource>(sources, v); }
PoissonProblem parse_poisson_problem(std::string_view text) {
  return detail::parse<PoissonProblem>(problems, text);
}
PoissonMap parse_poisson_map(std::string_view text) {
  return detail::parse<PoissonMap>(maps, text);
}
PoissonSource parse_poisson_source(std::string_view text) {
  return detail::parse<PoissonSource>(sources, text);
}

void validate(const PoissonOptions& options) {
  const auto require = [](const char* option, index_t value, index_t least, index_t most) {
    if (value < least || value > most) {
      throw InvalidArgument(
          fmt::format("{} is {}; it must be {} to {}", option, value, least, most));
    }
  };
  require("dim", options.dimensions, 2, 3);
  require("order", options.order, 1, 40);
  double nodes = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(options.dimensions); ++k) {
    require(k == 0 ? "nx" : k == 1 ? "ny" : "nz", options.elements[k], 1, 1'000'000'000);
    nodes *= static_cast<double>(options.elements[k]) * options.order + 1;
  }
  nodes /= options.communicator.size();
  if (nodes > 2147483647.0) {
    throw InvalidArgument(fmt::format(
        "{:.4g} nodes in one process; there may be 2147483647: fewer elements, or a lower order",
        nodes));
  }
  if (options.map != PoissonMap::none &&
      (options.geometry == Geometry::affine ||
       (options.geometry == Geometry::trilinear && options.order > 1))) {
    throw InvalidArgument(fmt::format(
        "geometry {} does not hold the elements of map {} and order {}: choose geometry stored",
        name(options.geometry), name(options.map), options.order));
  }
  validate(options.solve);
}

void detail::require_problem_on_mesh(const PoissonMeshOptions& on_mesh,
                                     const PoissonOptions& options, bool has_gradients,
                                     bool is_known, bool all_have_attributes) {
  const auto refuse = [](const std::string& text) { throw InvalidArgument(text); };
  if (options.map != PoissonMap::none)
    refuse(fmt::format("map {} on a mesh: maps are of boxes; move its nodes", name(options.map)));
  if (!has_gradients && !on_mesh.dirichlet.empty())
    refuse(fmt::format("Dirichlet conditions for {}, which has none", name(options.problem)));
  if (has_gradients && !is_known && options.problem != PoissonProblem::helmholtz) {
    refuse(
        "a mesh without boundary attributes: nothing says where the solution is known, and it is "
        "not "
        "unique; give its sides attributes");
  }
  const auto of_diffusion = [&](const char* what, bool any) {
    if (any && options.problem != PoissonProblem::poisson &&
        options.problem != PoissonProblem::bp3 && options.problem != PoissonProblem::bp5)
      refuse(
          fmt::format("{} for {}: they are for poisson, bp3 and bp5", what, name(options.problem)));
  };
  of_diffusion("coefficients", !on_mesh.coefficients.empty());
  of_diffusion("Robin conditions", !on_mesh.robin.empty());
  for (const auto& [where, a] : on_mesh.robin)
    if (!(a > 0)) refuse(fmt::format("a Robin condition with a = {}; it must be above 0", a));
  if (options.source == PoissonSource::manufactured) {
    if (!on_mesh.robin.empty())
      refuse("Robin conditions with a manufactured solution; choose another source");
    if (!on_mesh.coefficients.empty())
      refuse(
          "coefficients with a manufactured solution, which is that of 1; choose another source");
    if (has_gradients && (!on_mesh.dirichlet.empty() || !all_have_attributes)) {
      refuse(
          "a manufactured solution is known on all of the boundary: give all sides attributes and "
          "no "
          "Dirichlet conditions, or choose another source");
    }
  }
}

int cut_elements(const PoissonOptions& options, std::optional<int> count) {
  const auto cut = [&]<int Dim>(std::integral_constant<int, Dim>) {
    Extents<Dim> extents;
    for (std::size_t k = 0; k < Dim; ++k) extents[k] = options.elements[k];
    int parts = 1;
    for (const int n : comm::parse_decomposition<Dim>(options.decomposition, extents, count))
      parts *= n;
    return parts;
  };
  return options.dimensions == 2 ? cut(std::integral_constant<int, 2>{})
                                 : cut(std::integral_constant<int, 3>{});
}

std::uint64_t poisson_bytes(const PoissonOptions& options, std::size_t element_size) {
  const auto dims = static_cast<std::size_t>(options.dimensions);
  const bool collocated =
      options.problem == PoissonProblem::bp5 || options.problem == PoissonProblem::bp6;
  const bool mass =
      options.problem == PoissonProblem::bp1 || options.problem == PoissonProblem::bp2;
  const bool of_points =
      options.geometry == Geometry::stored || options.geometry == Geometry::automatic;
  double elements = 1, nodes = 1, of_element = 1, points = 1;
  for (std::size_t k = 0; k < dims; ++k) {
    elements *= static_cast<double>(options.elements[k]);
    nodes *= static_cast<double>(options.elements[k]) * options.order + 1;
    of_element *= options.order + 1;
    points *= options.order + (collocated ? 1 : 2);
  }
  const bool pmg = options.preconditioner == Preconditioner::pmg;
  const double d = options.dimensions;
  const double components = is_of_vectors(options.problem) ? d : 1;
  // (23 numbers for each trilinear element. Set-up temporarily needs two more at each point.)
  const double data = !of_points ? 23 / points : mass ? 1 : d * (d + 1) / 2 + 1;
  // x, b, Dirichlet values, vectors of CG, and those of a smoother or of multigrid.
  const double fields = 8 + (pmg ? 7 : 3);
  const double values = (components * fields + d) * nodes + (data + 2) * points * elements;
  // Two maps, the map of a transfer, and the places of sums in a fixed order.
  const double indices = (pmg ? 3.0 : 2.0) * of_element * elements + 2 * nodes;
  const double places = options.deterministic ? 12 * of_element * elements + 8 * nodes : 0;
  const double all =
      (values * static_cast<double>(element_size) + 4 * indices + 2 * places) * (pmg ? 1.3 : 1.0);
  return static_cast<std::uint64_t>(all / options.communicator.size());
}

double PoissonSolution::gdofs_per_second() const {
  return seconds > 0
             ? 1e-9 * static_cast<double>(dofs) * static_cast<double>(result.iterations) / seconds
             : 0;
}

}  // namespace kolam::fem
