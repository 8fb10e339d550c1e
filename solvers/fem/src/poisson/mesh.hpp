// SPDX-License-Identifier: Apache-2.0
// Model problems on any mesh, compiled separately for each precision.
#pragma once

#include <fmt/format.h>

#include <kolam/core/detail/instantiate.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/space.hpp>
#include <memory>
#include <set>
#include <vector>

#include "require.hpp"
#include "run.hpp"

namespace kolam::fem {
namespace detail {

// Returns the given Dirichlet conditions, or those on all boundaries without a Robin condition.
// Throws InvalidArgument if a boundary has both.
template <int Dim>
std::vector<DirichletCondition> conditions_of(const Mesh<Dim>& mesh,
                                              const PoissonMeshOptions& options) {
  std::set<int> robin;
  for (const auto& [where, a] : options.robin)
    for (const int attribute : where.of_boundary(mesh)) robin.insert(attribute);
  for (const DirichletCondition& condition : options.dirichlet) {
    for (const int attribute : condition.where().of_boundary(mesh)) {
      if (robin.contains(attribute))
        throw InvalidArgument(fmt::format(
            "a Dirichlet and a Robin condition on the boundary attribute {}; choose one",
            attribute));
    }
  }
  if (!options.dirichlet.empty()) return options.dirichlet;
  std::set<int> attributes;
  for (const BoundarySide& side : mesh.sides) attributes.insert(side.attribute);
  if (mesh.cut) attributes = mesh.cut->boundaries;
  for (const int attribute : robin) attributes.erase(attribute);
  return {attributes.begin(), attributes.end()};
}

// Returns false if a manufactured solution lacks attributes on some boundary sides.
template <int Dim>
bool is_known_everywhere(const Mesh<Dim>& mesh, PoissonSource source) {
  if (source != PoissonSource::manufactured) return true;
  validate(mesh);
  return boundary_of(mesh).size() == mesh.sides.size();
}

// Returns a function that copies the first `count` values of an array.
template <class T>
auto values_of(std::shared_ptr<const Array<T>> array, index_t count) {
  return [=, array = std::move(array)] {
    const auto x = array->read(kolam::host);
    return std::vector<double>(x.data(), x.data() + count);
  };
}

}  // namespace detail

template <class T, int Dim, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const Mesh<Dim>& mesh,
                              const PoissonMeshOptions& on_mesh, const PoissonOptions& options) {
  validate(options);
  const detail::PoissonRun<T, Dim, Exec> run(exec, options);
  std::vector<DirichletCondition> conditions;
  PerElement<double, Exec> coefficients;
  std::vector<RobinTerm<Constant<double>>> robin_terms;
  comm::throw_together(options.communicator, [&] {
    if (run.has_gradients()) conditions = detail::conditions_of(mesh, on_mesh);
    for (const auto& [where, a] : on_mesh.robin)
      robin_terms.push_back({sides_of(mesh, {where}), Constant{a}});
    detail::require_problem_on_mesh(on_mesh, options, run.has_gradients(),
                                    !conditions.empty() || !robin_terms.empty(),
                                    detail::is_known_everywhere(mesh, options.source));
    if (!on_mesh.coefficients.empty())
      coefficients = per_attribute<double>(exec, mesh, on_mesh.coefficients);
  });
  const Kokkos::Timer timer;
  const auto space = fem::space<T>(exec, mesh, options.order,
                                   {.dirichlet = conditions,
                                    .collocated = run.basis().collocated,
                                    .scatter = run.scatter(),
                                    .communicator = options.communicator});
  const auto diffusion = [&](const auto& form) {
    return robin_terms.empty() ? Operator(space, form, options.geometry)
                               : Operator(space, robin(form, robin_terms), options.geometry);
  };
  auto result = run.solve(!on_mesh.coefficients.empty() ? diffusion(Diffusion{coefficients})
                          : !robin_terms.empty()        ? diffusion(Diffusion{})
                                                        : run.operator_on(space),
                          timer);
  PoissonSolution& solution = result.solution;
  solution.nodes = {space.nodes.entries, 1, 1};
  solution.decomposition = std::to_string(options.communicator.size());
  solution.values = detail::values_of(std::make_shared<const Array<T>>(std::move(result.values)),
                                      space.nodes.entries);
  solution.coordinates = detail::values_of(space.coordinates, space.nodes.entries * Dim);
  return solution;
}

}  // namespace kolam::fem
