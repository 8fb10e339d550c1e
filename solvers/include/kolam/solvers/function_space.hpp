// SPDX-License-Identifier: Apache-2.0
// Continuous functions that are polynomials on each element of a mesh (H1), and their unknowns.
//
//   const auto space = kolam::box_space<double>(exec, mesh, kolam::gauss_element(3, 5),
//                                               kolam::Unmapped{}, kolam::all_sides(3));
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <kolam/kernels/geometry.hpp>
#include <kolam/solvers/box_mesh.hpp>

namespace kolam {

/// Nodes are those of the mesh, unknowns the nodes without a Dirichlet condition, in the nodes'
/// order. Copies share the memory.
template <class T, int Dim, ExecutionSpace Exec>
struct FunctionSpace {
  using memory_space = typename Exec::memory_space;
  using Vector = Kokkos::View<T*, memory_space>;
  using ConstVector = Kokkos::View<const T*, memory_space>;

  Exec exec;
  ElementBasis basis;
  ElementRestriction<T, Exec> nodes;     ///< of each element; nodes.entries is their number
  ElementRestriction<T, Exec> unknowns;  ///< of each element, in the same way
  Kokkos::View<const int*, memory_space> unknown_of_node;  ///< less than 0 for Dirichlet nodes
  ConstVector coordinates;                                 ///< [nodes.entries, Dim], nodes fastest

  [[nodiscard]] index_t elements() const { return nodes.elements; }

  /// A vector of zeros for every unknown of `components` fields.
  [[nodiscard]] Vector vector(const std::string& label, int components = 1) const {
    return Vector(Kokkos::view_alloc(kokkos_instance(exec), label),
                  static_cast<std::size_t>(unknowns.entries * components));
  }
};

/// The space of any mesh. node_of(e, i): the node (0 to node_count - 1) of node i of element e, x
/// fastest; is_fixed(node): whether it has a Dirichlet condition; both callable on exec.
/// coordinates: [node_count, Dim], nodes fastest.
///
/// Throws InvalidArgument for nodes that do not exist and for elements that are inverted or flat,
/// naming the first. Waits.
template <class T, int Dim, ExecutionSpace Exec, class NodeOf, class IsFixed>
[[nodiscard]] FunctionSpace<T, Dim, Exec> function_space(
    const Exec& exec, const ElementBasis& basis, index_t elements, index_t node_count,
    const NodeOf& node_of, const IsFixed& is_fixed,
    const Kokkos::View<const T*, typename Exec::memory_space>& coordinates,
    Scatter scatter = Scatter::fastest) {
  using Space = typename Exec::memory_space;
  const auto nodes =
      element_restriction<T>(exec, Dim, basis.d1d(), elements, node_count, node_of, scatter);
  require_upright<Dim>(exec, basis, nodes, coordinates);
  const auto numbers = [&](const char* label, index_t count) {
    return Kokkos::View<int*, Space>(Kokkos::view_alloc(kokkos_instance(exec), std::string(label)),
                                     static_cast<std::size_t>(count));
  };
  const auto before = numbers("kolam::unknowns before", node_count + 1);
  forall(
      exec, "kolam::function_space", node_count,
      KOKKOS_LAMBDA(index_t node) { before(node + 1) = is_fixed(node) ? 0 : 1; });
  Kokkos::Experimental::inclusive_scan("kolam::function_space", kokkos_instance(exec), before,
                                       before);
  const auto unknown = numbers("kolam::unknown_of_node", node_count);
  forall(
      exec, "kolam::function_space", node_count, KOKKOS_LAMBDA(index_t node) {
        unknown(node) = before(node + 1) > before(node) ? before(node) : -1;
      });
  int unknowns = 0;
  Kokkos::deep_copy(kokkos_instance(exec), unknowns,
                    Kokkos::subview(before, static_cast<std::size_t>(node_count)));
  exec.fence("kolam::function_space");
  return {exec,
          basis,
          nodes,
          element_restriction<T>(
              exec, Dim, basis.d1d(), elements, unknowns,
              KOKKOS_LAMBDA(index_t e, int i) { return index_t{unknown(node_of(e, i))}; }, scatter),
          unknown,
          coordinates};
}

/// A map of the box that leaves it as it is. Others are functors that move x in place, on exec.
struct Unmapped {
  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&)[Dim]) const {}
};

namespace detail {

template <int Dim>
struct NodeOfBox {
  BoxLattice<Dim> lattice;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return lattice.node(e, i); }
};
template <int Dim>
struct FixedOnBox {
  BoxLattice<Dim> lattice;
  std::uint32_t sides;
  KOKKOS_FUNCTION bool operator()(index_t node) const {
    return (lattice.attributes(node) & sides) != 0;
  }
};

}  // namespace detail

/// The space of a box, each of whose nodes `map` moves to where it is: elements are curved as the
/// polynomials of the basis are. `dirichlet`: bits of the boundary attributes with a Dirichlet
/// condition. Throws InvalidArgument as function_space does. Waits.
template <class T, int Dim, ExecutionSpace Exec, class Map = Unmapped>
[[nodiscard]] FunctionSpace<T, Dim, Exec> box_space(const Exec& exec, const BoxMesh<Dim>& mesh,
                                                    const ElementBasis& basis, const Map& map,
                                                    std::uint32_t dirichlet,
                                                    Scatter scatter = Scatter::fastest) {
  validate(mesh);
  const BoxLattice<Dim> lattice(mesh, basis.d1d() - 1);
  const index_t count = lattice.nodes();
  const Kokkos::View<T*, typename Exec::memory_space> coordinates(
      Kokkos::view_alloc(kokkos_instance(exec), Kokkos::WithoutInitializing,
                         std::string("kolam::coordinates")),
      static_cast<std::size_t>(count * Dim));
  const auto on_reference = detail::to_space<double>(exec, "kolam::nodes", basis.nodes);
  forall(
      exec, "kolam::box_space", count, KOKKOS_LAMBDA(index_t node) {
        double x[Dim];
        lattice.position(on_reference, node, x);
        map(x);
        for (int k = 0; k < Dim; ++k) coordinates(node + k * count) = static_cast<T>(x[k]);
      });
  exec.fence("kolam::box_space: the nodes end here");
  return function_space<T, Dim>(
      exec, basis, mesh.element_count(), count, detail::NodeOfBox<Dim>{lattice},
      detail::FixedOnBox<Dim>{lattice, dirichlet},
      Kokkos::View<const T*, typename Exec::memory_space>(coordinates), scatter);
}

}  // namespace kolam
