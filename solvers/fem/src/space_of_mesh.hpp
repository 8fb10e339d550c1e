// SPDX-License-Identifier: Apache-2.0
// fem::space, which is compiled once for each precision.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/space.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace kolam::fem {
namespace detail {

template <class Exec>
struct NodeOfTable {
  Kokkos::View<const int*, typename Exec::memory_space> of_element;
  int nodes;  // of an element
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return of_element(e * nodes + i); }
};
template <class Exec>
struct FixedInTable {
  Kokkos::View<const int*, typename Exec::memory_space> fixed;
  int all;  // bits of all components
  KOKKOS_FUNCTION bool operator()(index_t node) const { return fixed(node) == all; }
};

// Calls f with the place in the element of each node of a side.
template <int Dim, class F>
void for_each_node(const ElementSide& side, int d1d, const F& f) {
  const int stride = kolam::detail::power(d1d, side.side / 2);
  for (int i = 0; i < kolam::detail::power(d1d, Dim); ++i)
    if (i / stride % d1d == (side.side % 2 == 0 ? 0 : d1d - 1)) f(i);
}

// The unknowns of order 1 on the children of elements, see Mesh::coarser.
template <class T, int Dim, class Exec>
struct DofOfChildren {
  kolam::detail::ElementLayout<T, Exec> layout;
  Kokkos::View<const int*, typename Exec::memory_space> map;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    int child = 0;
    int node = 0;
    for (int k = 0; k < Dim; ++k, i /= 3) {
      const int upper = i % 3 / 2;
      child += upper << k;
      node += (i % 3 - upper) << k;
    }
    return map(layout.node((e << Dim) + child, node));
  }
};

// Sides with a Dirichlet condition on components: bit c for component c.
struct FixedSides {
  std::vector<ElementSide> sides;
  unsigned components;
};

// The sides of coarse elements that these sides of their children are part of.
template <int Dim>
std::vector<FixedSides> parents_of(std::vector<FixedSides> fixed) {
  for (FixedSides& each : fixed)
    for (ElementSide& side : each.sides) side.element >>= Dim;
  return fixed;
}

// The nodes that parts of a mesh share, see MeshNodes.
template <int Dim>
comm::SharedNodes shared_nodes(const Mesh<Dim>& mesh, const MeshNodes& nodes, int order,
                               const Communicator& communicator) {
  comm::SharedNodes result{communicator, {}};
  if (!mesh.cut) return result;
  const index_t per_element = kolam::detail::power(order + 1, Dim);
  for (const MeshCut::SharedWith& other : mesh.cut->shared) {
    comm::NodesSharedWith& shared = result.shared.emplace_back();
    shared.rank = other.part;
    for (const MeshEntity& entity : other.entities)
      for (const int place : nodes_of(entity, Dim, order))
        shared.nodes.push_back(
            nodes.of_element[static_cast<std::size_t>(entity.element * per_element + place)]);
  }
  return result;
}

template <int Dim>
void require_parts(const Mesh<Dim>& mesh, const Communicator& communicator) {
  const int parts = mesh.cut ? mesh.cut->parts : 1;
  const int part = mesh.cut ? mesh.cut->part : 0;
  if (parts == communicator.size() && part == communicator.rank()) return;
  throw InvalidArgument(fmt::format(
      "space: {} in process {} of {}; give each process the part of its rank (part_of), and the "
      "space their communicator",
      mesh.cut ? fmt::format("part {} of {} of a mesh", part, parts) : "a whole mesh",
      communicator.rank(), communicator.size()));
}

// Bits that are set for a node in any of the parts that have it, bit c for component c.
template <ExecutionSpace Exec>
void unite(const Exec& exec, const comm::SharedNodes& nodes, int components,
           std::vector<int>& bits) {
  if (nodes.communicator.size() == 1) return;
  std::vector<int> all(bits.size());
  std::iota(all.begin(), all.end(), 0);
  const auto count = static_cast<index_t>(bits.size());
  const comm::SharedDofs<Exec> shared(
      exec, nodes, kolam::detail::to_space<int>(exec, "kolam::nodes", all), count, count);
  std::vector<double> flags;
  for (int c = 0; c < components; ++c)
    for (const int of_node : bits) flags.push_back(of_node >> c & 1);
  const auto changed =
      kolam::detail::allocate_view<Kokkos::View<double*, typename Exec::memory_space>>(
          exec, "kolam::fixed nodes", flags.size());
  const Kokkos::View<double*, Kokkos::HostSpace> on_host(flags.data(), flags.size());
  Kokkos::deep_copy(kokkos_instance(exec), changed, on_host);
  shared.add(changed, components);
  Kokkos::deep_copy(kokkos_instance(exec), on_host, changed);
  exec.fence("kolam::space: fixed nodes");
  for (std::size_t n = 0; n < flags.size(); ++n)
    if (flags[n] > 0) bits[n % bits.size()] |= 1 << (n / bits.size());
}

// Constraints of the components that are fixed at nodes, if any of them has an unknown.
template <ExecutionSpace Exec>
std::shared_ptr<const ComponentConstraints<Exec>> constraints_of(
    const Exec& exec, int dimensions, const std::vector<int>& fixed,
    const Kokkos::View<const int*, typename Exec::memory_space>& dof_of_node,
    const comm::RowDistribution& rows) {
  const int all = (1 << dimensions) - 1;
  const bool any =
      std::any_of(fixed.begin(), fixed.end(), [=](int bits) { return bits != 0 && bits != all; });
  if (rows.communicator.sum(any ? 1 : 0) == 0) return nullptr;
  const auto dof = kolam::detail::readable_on_host(dof_of_node);
  std::vector<int> bits(static_cast<std::size_t>(rows.here), 0);
  for (std::size_t node = 0; node < fixed.size(); ++node)
    if (dof(node) >= 0) bits[static_cast<std::size_t>(dof(node))] = fixed[node];
  return std::make_shared<const ComponentConstraints<Exec>>(
      ComponentConstraints<Exec>::of(exec, dimensions, bits, rows.owned));
}

// Of a valid mesh, of any order. `coarsened`: see FunctionSpace.
template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space_of(const Exec& exec, const std::shared_ptr<const Mesh<Dim>>& mesh,
                                     const ElementBasis& basis,
                                     const std::vector<FixedSides>& fixed_sides, Scatter scatter,
                                     const Communicator& communicator, int coarsened = 0) {
  const int order = basis.d1d() - 1;
  const MeshNodes nodes = mesh_nodes(*mesh, order);
  const comm::SharedNodes shared = shared_nodes(*mesh, nodes, order, communicator);
  const auto per_element = static_cast<std::size_t>(kolam::detail::power(order + 1, Dim));
  const auto node_of = [&](std::size_t e, int i) {
    return static_cast<std::size_t>(
        nodes.of_element[e * per_element + static_cast<std::size_t>(i)]);
  };
  std::vector<int> fixed(static_cast<std::size_t>(nodes.count), 0);
  for (const FixedSides& each : fixed_sides)
    for (const ElementSide& side : each.sides)
      for_each_node<Dim>(side, order + 1, [&](int i) {
        fixed[node_of(static_cast<std::size_t>(side.element), i)] |=
            static_cast<int>(each.components);
      });
  unite(exec, shared, Dim, fixed);
  Array<T> coordinates("coordinates", nodes.count * Dim);
  const auto x = coordinates.write(host);
  {
    const Mesh<Dim> curved = with_order(*mesh, order);
    for (std::size_t e = 0; e < mesh->corners.size(); ++e)
      for (std::size_t i = 0; i < per_element; ++i)
        for (std::size_t k = 0; k < Dim; ++k)
          x(node_of(e, static_cast<int>(i)) + k * static_cast<std::size_t>(nodes.count)) =
              static_cast<T>(curved.nodes[k + Dim * (i + per_element * e)]);
  }
  FunctionSpace<T, Dim, Exec> space = function_space<T, Dim>(
      exec, basis, mesh->element_count(), nodes.count,
      NodeOfTable<Exec>{
          kolam::detail::to_space<int>(exec, "kolam::nodes of elements", nodes.of_element),
          static_cast<int>(per_element)},
      FixedInTable<Exec>{kolam::detail::to_space<int>(exec, "kolam::fixed nodes", fixed),
                         (1 << Dim) - 1},
      std::move(coordinates), scatter, shared);
  space.constraints = constraints_of(exec, Dim, fixed, space.dof_of_node, space.rows());

  space.coarsened = coarsened;
  const auto next =
      [mesh, fixed_sides, scatter, communicator, coarsened, more = basis.q1d() - basis.d1d(),
       collocated = basis.collocated](
          const FunctionSpace<T, Dim, Exec>& fine) -> std::optional<CoarserSpace<T, Dim, Exec>> {
    const int finer = fine.basis.d1d() - 1;
    const int lower = finer > 1 ? finer / 2 : 1;
    const ElementBasis lower_basis =
        collocated ? lobatto_element(lower) : gauss_element(lower, lower + 1 + more);
    if (finer > 1)
      return of_lower_order(space_of<T, Dim>(fine.exec, mesh, lower_basis, fixed_sides, scatter,
                                             communicator, coarsened),
                            fine);
    if (!mesh->coarser || has_few_unknowns(fine)) return std::nullopt;
    return coarser_space(
        space_of<T, Dim>(fine.exec, mesh->coarser, lower_basis, parents_of<Dim>(fixed_sides),
                         scatter, communicator, coarsened + 1),
        {0, 0.5, 1}, DofOfChildren<T, Dim, Exec>{fine.dofs.layout, fine.dofs.map});
  };
  space.coarser =
      std::make_shared<const CoarserSpaces<T, Dim, Exec>>(CoarserSpaces<T, Dim, Exec>{next});
  return space;
}

}  // namespace detail

template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space(const Exec& exec, const Mesh<Dim>& mesh, int order,
                                  const SpaceOptions& options) {
  ElementBasis basis;
  std::vector<detail::FixedSides> fixed;
  comm::throw_together(options.communicator, [&] {
    validate(mesh);
    detail::require_parts(mesh, options.communicator);
    if (order < mesh.order) {
      throw InvalidArgument(
          fmt::format("space: polynomials of order {} on a mesh whose geometry has order {}; take "
                      "that order or "
                      "a higher one, or with_order(mesh, {}) for other elements",
                      order, mesh.order, order));
    }
    if (options.collocated && options.points != 0) {
      throw InvalidArgument(fmt::format(
          "space: {} quadrature points, and collocated; points are nodes then: leave one out",
          options.points));
    }
    basis = options.collocated
                ? lobatto_element(order)
                : gauss_element(order, options.points == 0 ? order + 2 : options.points);
    for (const DirichletCondition& condition : options.dirichlet)
      fixed.push_back({sides_of(mesh, {condition.where()}), condition.components(Dim)});
  });
  return detail::space_of<T, Dim>(exec, std::make_shared<const Mesh<Dim>>(mesh), basis, fixed,
                                  options.scatter, options.communicator);
}

}  // namespace kolam::fem

#define KOLAM_SPACE_OF_MESH(DIM, T, EXEC)                                                      \
  template FunctionSpace<T, DIM, EXEC> space<T, DIM, EXEC>(const EXEC&, const Mesh<DIM>&, int, \
                                                           const SpaceOptions&);
