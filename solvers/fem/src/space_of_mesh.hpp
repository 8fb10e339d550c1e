// SPDX-License-Identifier: Apache-2.0
// fem::space, which is compiled once for each precision.
#pragma once

#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/space.hpp>
#include <memory>
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
  KOKKOS_FUNCTION bool operator()(index_t node) const { return fixed(node) != 0; }
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

// The sides of coarse elements that these sides of their children are part of.
template <int Dim>
std::vector<ElementSide> parents_of(const std::vector<ElementSide>& sides) {
  std::vector<ElementSide> result;
  for (const auto& [element, side] : sides) result.push_back({element >> Dim, side});
  return result;
}

// Of a valid mesh, of any order. `fixed_sides`: those with a Dirichlet condition. `coarsened`: see
// FunctionSpace.
template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space_of(const Exec& exec, const std::shared_ptr<const Mesh<Dim>>& mesh,
                                     const ElementBasis& basis,
                                     const std::vector<ElementSide>& fixed_sides, Scatter scatter,
                                     int coarsened = 0) {
  const int order = basis.d1d() - 1;
  const MeshNodes nodes = mesh_nodes(*mesh, order);
  const auto per_element = static_cast<std::size_t>(kolam::detail::power(order + 1, Dim));
  const auto node_of = [&](std::size_t e, int i) {
    return static_cast<std::size_t>(
        nodes.of_element[e * per_element + static_cast<std::size_t>(i)]);
  };
  std::vector<int> fixed(static_cast<std::size_t>(nodes.count), 0);
  for (const ElementSide& side : fixed_sides)
    for_each_node<Dim>(side, order + 1, [&](int i) {
      fixed[node_of(static_cast<std::size_t>(side.element), i)] = 1;
    });
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
      FixedInTable<Exec>{kolam::detail::to_space<int>(exec, "kolam::fixed nodes", fixed)},
      std::move(coordinates), scatter);

  space.coarsened = coarsened;
  const auto next =
      [mesh, fixed_sides, scatter, coarsened, more = basis.q1d() - basis.d1d(),
       collocated = basis.collocated](
          const FunctionSpace<T, Dim, Exec>& fine) -> std::optional<CoarserSpace<T, Dim, Exec>> {
    const int finer = fine.basis.d1d() - 1;
    const int lower = finer > 1 ? finer / 2 : 1;
    const ElementBasis lower_basis =
        collocated ? lobatto_element(lower) : gauss_element(lower, lower + 1 + more);
    if (finer > 1)
      return of_lower_order(
          space_of<T, Dim>(fine.exec, mesh, lower_basis, fixed_sides, scatter, coarsened), fine);
    if (!mesh->coarser || has_few_unknowns(fine)) return std::nullopt;
    return coarser_space(space_of<T, Dim>(fine.exec, mesh->coarser, lower_basis,
                                          parents_of<Dim>(fixed_sides), scatter, coarsened + 1),
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
  validate(mesh);
  if (order < mesh.order) {
    throw InvalidArgument(fmt::format(
        "space: polynomials of order {} on a mesh whose geometry has order {}; take that order or "
        "a higher one, or with_order(mesh, {}) for other elements",
        order, mesh.order, order));
  }
  if (options.collocated && options.points != 0) {
    throw InvalidArgument(fmt::format(
        "space: {} quadrature points, and collocated; points are nodes then: leave one out",
        options.points));
  }
  const ElementBasis basis =
      options.collocated ? lobatto_element(order)
                         : gauss_element(order, options.points == 0 ? order + 2 : options.points);
  return detail::space_of<T, Dim>(exec, std::make_shared<const Mesh<Dim>>(mesh), basis,
                                  sides_of(mesh, options.dirichlet), options.scatter);
}

}  // namespace kolam::fem

#define KOLAM_SPACE_OF_MESH(DIM, T, EXEC)                                                      \
  template FunctionSpace<T, DIM, EXEC> space<T, DIM, EXEC>(const EXEC&, const Mesh<DIM>&, int, \
                                                           const SpaceOptions&);
