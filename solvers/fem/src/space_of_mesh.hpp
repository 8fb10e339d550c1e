// SPDX-License-Identifier: Apache-2.0
// Implementation of fem::space, compiled once for each precision.
#pragma once

#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "element_positions.hpp"
#include "mesh_numbering.hpp"

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

// Sets `bits` in `fixed` for the nodes of sides.
template <int Dim, class Exec>
struct MarkNodesOfSides {
  ListOn<const ElementSide, Exec> sides;
  ListOn<const int, Exec> node_of_element;
  int d1d;
  int bits;
  ListOn<int, Exec> fixed;

  KOKKOS_FUNCTION void operator()(index_t n) const {
    const int of_side = kolam::detail::power(d1d, Dim - 1);
    const ElementSide side = sides(n / of_side);
    const int place = place_on_side(side.side, static_cast<int>(n % of_side), d1d);
    Kokkos::atomic_or(
        &fixed(node_of_element(side.element * kolam::detail::power(d1d, Dim) + place)), bits);
  }
};

// flags = the bits of nodes as numbers, [nodes, components]. FlagsToBits is the reverse.
template <class Exec>
struct BitsToFlags {
  ListOn<int, Exec> bits;
  linear::Vector<double, Exec> flags;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const auto nodes = static_cast<index_t>(bits.extent(0));
    flags(n) = bits(n % nodes) >> (n / nodes) & 1;
  }
};
template <class Exec>
struct FlagsToBits {
  linear::Vector<double, Exec> flags;
  int components;
  ListOn<int, Exec> bits;
  KOKKOS_FUNCTION void operator()(index_t node) const {
    for (int c = 0; c < components; ++c)
      if (flags(node + c * static_cast<index_t>(bits.extent(0))) > 0) bits(node) |= 1 << c;
  }
};

// taken = the numbers at these places.
template <class Exec>
struct TakePlaces {
  ListOn<const index_t, Exec> places;
  ListOn<const int, Exec> numbers;
  ListOn<int, Exec> taken;
  KOKKOS_FUNCTION void operator()(index_t i) const { taken(i) = numbers(places(i)); }
};

// any = 1 if some but not all bits are set.
template <class Exec>
struct AreSome {
  ListOn<const int, Exec> bits;
  int all;
  KOKKOS_FUNCTION void operator()(index_t n, int& any) const {
    if (bits(n) != 0 && bits(n) != all) any = 1;
  }
};

// The unknowns of order 1 at the 3^Dim vertices of an element's children, see Mesh::coarser.
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

// Sides with a Dirichlet condition on components (bit c for component c).
struct FixedSides {
  std::vector<ElementSide> sides;
  unsigned components;
};

// Returns the sides of coarse elements that contain these sides of their children.
template <int Dim>
std::vector<FixedSides> parents_of(std::vector<FixedSides> fixed) {
  for (FixedSides& each : fixed)
    for (ElementSide& side : each.sides) side.element >>= Dim;
  return fixed;
}

// Returns the nodes that this part of a mesh shares with the other parts.
template <int Dim, ExecutionSpace Exec>
comm::SharedNodes shared_nodes(const Exec& exec, const Mesh<Dim>& mesh,
                               const MeshNodesOn<Exec>& nodes, int order,
                               const Communicator& communicator) {
  comm::SharedNodes result{communicator, {}};
  if (!mesh.cut) return result;
  const index_t per_element = kolam::detail::power(order + 1, Dim);
  std::vector<index_t> places;
  for (const MeshCut::SharedWith& other : mesh.cut->shared) {
    comm::NodesSharedWith& shared = result.shared.emplace_back();
    shared.rank = other.part;
    const std::size_t before = places.size();
    for (const MeshEntity& entity : other.entities)
      for (const int place : nodes_of(entity, Dim, order))
        places.push_back(entity.element * per_element + place);
    shared.nodes.resize(places.size() - before);
  }
  const auto taken =
      kolam::detail::allocate_view<ListOn<int, Exec>>(exec, "kolam::shared nodes", places.size());
  forall(exec, "kolam::shared nodes", static_cast<index_t>(places.size()),
         TakePlaces<Exec>{kolam::detail::to_space<index_t>(exec, "kolam::shared places", places),
                          nodes.of_element, taken});
  const auto there = kolam::detail::readable_on_host(taken);
  std::size_t next = 0;
  for (comm::NodesSharedWith& shared : result.shared)
    for (index_t& node : shared.nodes) node = there(next++);
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

// Sets every bit of a node that is set in any part that has the node; bit c is for component c.
template <ExecutionSpace Exec>
void unite(const Exec& exec, const comm::SharedNodes& nodes, int components,
           const ListOn<int, Exec>& bits) {
  if (nodes.communicator.size() == 1) return;
  const auto count = static_cast<index_t>(bits.extent(0));
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  const comm::SharedDofs<Exec> shared(
      exec, nodes, kolam::detail::to_space<int>(exec, "kolam::nodes", all), count, count);
  const auto flags = kolam::detail::allocate_view<linear::Vector<double, Exec>>(
      exec, "kolam::fixed nodes", count * components);
  forall(exec, "kolam::fixed nodes", count * components, BitsToFlags<Exec>{bits, flags});
  shared.add(flags, components);
  forall(exec, "kolam::fixed nodes", count, FlagsToBits<Exec>{flags, components, bits});
}

// Returns the constraints of components that are fixed at nodes with an unknown, or null if there
// are none.
template <ExecutionSpace Exec>
std::shared_ptr<const ComponentConstraints<Exec>> constraints_of(
    const Exec& exec, int dimensions, const ListOn<int, Exec>& fixed,
    const ListOn<const int, Exec>& dof_of_node, const comm::RowDistribution& rows) {
  const auto nodes = static_cast<index_t>(fixed.extent(0));
  const int any =
      max<int>(exec, "kolam::known components", nodes, AreSome<Exec>{fixed, (1 << dimensions) - 1});
  if (rows.communicator.sum(any > 0 ? 1 : 0) == 0) return nullptr;
  const auto dof = kolam::detail::readable_on_host(dof_of_node);
  const auto of_node = kolam::detail::readable_on_host(fixed);
  std::vector<int> bits(static_cast<std::size_t>(rows.here), 0);
  for (std::size_t node = 0; node < of_node.extent(0); ++node)
    if (dof(node) >= 0) bits[static_cast<std::size_t>(dof(node))] = of_node(node);
  return std::make_shared<const ComponentConstraints<Exec>>(
      ComponentConstraints<Exec>::of(exec, dimensions, bits, rows.owned));
}

// How a space represents the geometry of its mesh: exactly, or interpolated by its own polynomials.
// On coarser levels the latter is accurate enough and needs no additional quadrature points.
struct GeometryOfLevel {
  bool exact;
  bool apart;  // see are_apart
};

// Returns the space of a valid mesh of any order. Coarser levels have `more_points` more quadrature
// points than nodes per direction. `coarsened`: see FunctionSpace.
template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space_of(const Exec& exec, const std::shared_ptr<const Mesh<Dim>>& mesh,
                                     const MeshOn<Dim, Exec>& on, const ElementBasis& basis,
                                     int more_points, const std::vector<FixedSides>& fixed_sides,
                                     Scatter scatter, const Communicator& communicator,
                                     GeometryOfLevel geometry, int coarsened = 0) {
  const int d1d = basis.d1d();
  const MeshNodesOn<Exec> nodes = mesh_nodes_on(exec, on, d1d - 1);
  const comm::SharedNodes shared = shared_nodes(exec, *mesh, nodes, d1d - 1, communicator);
  const auto fixed =
      kolam::detail::allocate_zeros<ListOn<int, Exec>>(exec, "kolam::fixed nodes", nodes.count);
  for (const FixedSides& each : fixed_sides) {
    forall(exec, "kolam::fixed nodes",
           static_cast<index_t>(each.sides.size()) * kolam::detail::power(d1d, Dim - 1),
           MarkNodesOfSides<Dim, Exec>{
               kolam::detail::to_space<ElementSide>(exec, "kolam::fixed sides", each.sides),
               nodes.of_element, d1d, static_cast<int>(each.components), fixed});
    exec.fence("kolam::space: fixed sides");
  }
  unite(exec, shared, Dim, fixed);
  Array<T> coordinates =
      positions_of_nodes<T, Dim, Exec>(exec, "coordinates", *mesh, on, d1d, nodes.first);
  std::shared_ptr<const ElementPositions<T, Exec>> positions;
  const int order = geometry.exact ? mesh->order : std::min(mesh->order, d1d - 1);
  if (geometry.apart || order >= d1d)
    positions = positions_of_elements<T>(exec, *mesh, on, order, basis);
  FunctionSpace<T, Dim, Exec> space =
      function_space<T, Dim>(exec, basis, mesh->element_count(), nodes.count,
                             NodeOfTable<Exec>{nodes.of_element, kolam::detail::power(d1d, Dim)},
                             FixedInTable<Exec>{fixed, (1 << Dim) - 1}, std::move(coordinates),
                             scatter, shared, positions);
  space.constraints = constraints_of(exec, Dim, fixed, space.dof_of_node, space.rows());

  space.coarsened = coarsened;
  const auto next =
      [mesh, fixed_sides, scatter, communicator, coarsened, more_points, apart = geometry.apart,
       collocated = basis.collocated](
          const FunctionSpace<T, Dim, Exec>& fine) -> std::optional<CoarserSpace<T, Dim, Exec>> {
    const int finer = fine.basis.d1d() - 1;
    const int lower = finer > 1 ? finer / 2 : 1;
    const ElementBasis lower_basis =
        collocated ? lobatto_element(lower) : gauss_element(lower, lower + 1 + more_points);
    if (finer > 1)
      return of_lower_order(
          space_of<T, Dim>(fine.exec, mesh, mesh_on(fine.exec, *mesh), lower_basis, more_points,
                           fixed_sides, scatter, communicator, {false, apart}, coarsened),
          fine);
    if (!mesh->coarser || has_few_unknowns(fine)) return std::nullopt;
    return coarser_space(
        space_of<T, Dim>(fine.exec, mesh->coarser, mesh_on(fine.exec, *mesh->coarser), lower_basis,
                         more_points, parents_of<Dim>(fixed_sides), scatter, communicator,
                         {false, apart}, coarsened + 1),
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
  const auto kept = std::make_shared<const Mesh<Dim>>(mesh);
  detail::MeshOn<Dim, Exec> on;
  ElementBasis basis;
  std::vector<detail::FixedSides> fixed;
  bool apart = false;
  comm::throw_together(options.communicator, [&] {
    on = detail::valid_mesh_on(exec, *kept);
    detail::require_parts(mesh, options.communicator);
    if (options.collocated && options.points != 0) {
      throw InvalidArgument(fmt::format(
          "space: {} quadrature points, and collocated; points are nodes then: leave one out",
          options.points));
    }
    const int points = options.points == 0 ? std::max(order + 2, mesh.order + 1) : options.points;
    basis = options.collocated ? lobatto_element(order) : gauss_element(order, points);
    if (mesh.order >= basis.q1d()) {
      throw InvalidArgument(
          fmt::format("space: {} quadrature points in each direction do not see a geometry of "
                      "order {}; take {}, or with_order(mesh, {}) for other elements",
                      basis.q1d(), mesh.order, mesh.order + 1, order));
    }
    for (const DirichletCondition& condition : options.dirichlet)
      fixed.push_back({sides_of(mesh, {condition.where()}), condition.components(Dim)});
    apart = detail::are_apart(exec, mesh, on);
  });
  const int more_points =
      options.points == 0 ? (options.collocated ? 0 : 1) : options.points - (order + 1);
  return detail::space_of<T, Dim>(exec, kept, on, basis, more_points, fixed, options.scatter,
                                  options.communicator, {true, apart});
}

}  // namespace kolam::fem

#define KOLAM_SPACE_OF_MESH(DIM, T, EXEC)                                                      \
  template FunctionSpace<T, DIM, EXEC> space<T, DIM, EXEC>(const EXEC&, const Mesh<DIM>&, int, \
                                                           const SpaceOptions&);
