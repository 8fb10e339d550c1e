// SPDX-License-Identifier: Apache-2.0
// Implementation of solve_elasticity, compiled once for each precision.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/space.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "../chosen_solver.hpp"
#include "require.hpp"

namespace kolam::fem {
namespace detail {

// The same force everywhere.
struct ConstantForce {
  Kokkos::Array<double, 3> force;
  template <class Point>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(const Point&) const {
    return force;
  }
};

// Maxima over nodes: the squared length of u, and one component of u times a sign.
template <class T, int Dim, class Exec>
struct SquareOfLength {
  linear::ConstVector<T, Exec> u;
  index_t nodes;
  KOKKOS_FUNCTION void operator()(index_t n, double& largest) const {
    double sum = 0;
    for (int c = 0; c < Dim; ++c) {
      const auto value = static_cast<double>(u(n + c * nodes));
      sum += value * value;
    }
    largest = Kokkos::max(largest, sum);
  }
};
template <class T, class Exec>
struct SignedComponent {
  linear::ConstVector<T, Exec> u;
  index_t first;
  double sign;
  KOKKOS_FUNCTION void operator()(index_t n, double& largest) const {
    largest = Kokkos::max(largest, sign * static_cast<double>(u(first + n)));
  }
};

template <class T, int Dim, ExecutionSpace Exec>
void measure(const FunctionSpace<T, Dim, Exec>& space, const Array<T>& values,
             ElasticitySolution& solution) {
  const auto u = values.read(space.exec);
  const index_t nodes = space.nodes.entries;
  const Communicator all = space.rows().communicator;
  solution.largest_displacement = std::sqrt(all.max(max<double>(
      space.exec, "kolam::displacement", nodes, SquareOfLength<T, Dim, Exec>{u, nodes})));
  for (int c = 0; c < Dim; ++c) {
    const auto largest = [&](double sign) {
      return sign * all.max(max<double>(space.exec, "kolam::displacement", nodes,
                                        SignedComponent<T, Exec>{u, c * nodes, sign}));
    };
    solution.lowest[static_cast<std::size_t>(c)] = largest(-1);
    solution.highest[static_cast<std::size_t>(c)] = largest(1);
  }
}

// Returns lambda or mu as a coefficient of the elements. All processes call it.
template <int Dim, ExecutionSpace Exec>
PerElement<double, Exec> parameter(const Exec& exec, const Mesh<Dim>& mesh,
                                   const ElasticityOptions& options, double Material::* which) {
  std::vector<std::pair<Attribute, double>> values;
  for (const Material& material : options.materials)
    values.emplace_back(material.where, material.*which);
  PerElement<double, Exec> result;
  comm::throw_together(options.communicator,
                       [&] { result = per_attribute<double>(exec, mesh, values); });
  return result;
}

}  // namespace detail

template <class T, int Dim, class Exec>
ElasticitySolution solve_elasticity(const Exec& exec, const Mesh<Dim>& mesh,
                                    const ElasticityOptions& options) {
  comm::throw_together(options.communicator, [&] { detail::require_elasticity(mesh, options); });
  const Elasticity form{detail::parameter(exec, mesh, options, &Material::lambda),
                        detail::parameter(exec, mesh, options, &Material::mu)};
  const Kokkos::Timer timer;
  const auto space =
      fem::space<T>(exec, mesh, options.order,
                    {.dirichlet = options.fixed,
                     .scatter = options.deterministic ? Scatter::deterministic : Scatter::fastest,
                     .communicator = options.communicator});
  const Operator a(space, form, options.geometry);
  Array<T> x = space.vector("displacement", Dim);
  Array<T> b = space.vector("loads", Dim);
  const auto force = [](const std::array<double, 3>& of) {
    return detail::ConstantForce{{of[0], of[1], of[2]}};
  };
  if (options.body_force != std::array<double, 3>{})
    add_source<Dim>(space, force(options.body_force), b);
  for (const Traction& traction : options.tractions)
    add_flux<Dim>(space, sides_of(mesh, {traction.where}), force(traction.force), b);
  const detail::ChosenSolver<T, Exec> solver(a, options.preconditioner, options.coarse_solver);
  ElasticitySolution solution;
  solution.geometry = a.geometry();
  const comm::RowDistribution rows = a.row_distribution();
  solution.elements = rows.communicator.sum(space.elements());
  solution.dofs =
      rows.communicator.sum(rows.owned * Dim - (space.constraints ? space.constraints->owned : 0));
  solution.setup_seconds = timer.seconds();
  const Kokkos::Timer solving;
  solution.result = solver.solve(b, x, options.solve);
  solution.seconds = solving.seconds();
  solution.energy = linear::RowSums<2, Exec>(exec, rows)
                        .of("kolam::energy", linear::detail::AddResidualProducts<T, Exec>{
                                                 x.read(exec), b.read(exec)})[0];
  Array<T> values = dirichlet_values(space, Constant<T>{0}, Dim);
  set_dofs(space, x, values, Dim);
  detail::measure(space, values, solution);
  solution.values = [kept = std::make_shared<const Array<T>>(std::move(values))] {
    const auto u = kept->read(kolam::host);
    return std::vector<double>(u.data(), u.data() + u.extent(0));
  };
  return solution;
}

}  // namespace kolam::fem
