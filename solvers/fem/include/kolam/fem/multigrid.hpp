// SPDX-License-Identifier: Apache-2.0
// Multigrid of finite elements on boxes: over orders, and from order 1 on over meshes.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/error.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/space_transfer.hpp>
#include <kolam/linear/multigrid.hpp>
#include <memory>
#include <vector>

namespace kolam::fem {
namespace detail {

template <int Dim, class Exec>
struct DofOfBoxNode {
  BoxNodes<Dim> box_nodes;
  Kokkos::View<const int*, typename Exec::memory_space> dof_of_node;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    return dof_of_node(box_nodes.node(e, i));
  }
};

// Half as many elements in each direction, where that can be in every part.
template <int Dim>
bool halve(BoxMesh<Dim>& mesh) {
  for (std::size_t k = 0; k < Dim; ++k)
    if (mesh.elements[k] % (2 * mesh.parts[k]) != 0) return false;
  for (index_t& n : mesh.elements) n /= 2;
  return true;
}

}  // namespace detail

///@{
/// Multigrid for an operator on a box (of box_space): orders p, p / 2, ..., 1 on the same mesh, then
/// order 1 on meshes of half as many elements in each direction while their numbers are even, in
/// every part. level_of(space) makes the operator of a level; without it, levels are of the form and
/// geometry of the finest. Throws InvalidArgument for a space of another mesh. Waits. (Sundar,
/// Stadler and Biros 2015.)
template <class T, int Dim, ExecutionSpace Exec,
          std::invocable<const FunctionSpace<T, Dim, Exec>&> LevelOf>
linear::Multigrid<T, Exec> multigrid(const Operator<T, Dim, Exec>& finest, const LevelOf& level_of,
                                     const linear::MultigridOptions& options = {}) {
  constexpr index_t few = 100;  // unknowns that are not worth another level
  using Transfer = SpaceTransfer<T, Dim, Exec>;
  if (!finest.space().box) {
    throw InvalidArgument(
        "fem::multigrid: the space of the operator was not made by box_space, so its coarser "
        "levels are not known; give them to linear::Multigrid");
  }
  const int components = finest.components();
  linear::Multigrid<T, Exec> result(linear::AnyOperator{finest}, options);
  FunctionSpace<T, Dim, Exec> fine = finest.space();
  const BoxLevels<T, Dim, Exec> box = *fine.box;
  BoxMesh<Dim> here = box.mesh;
  int p = fine.basis.d1d() - 1;
  const auto dofs = [](const auto& space) {
    const comm::RowDistribution rows = space.rows();
    return rows.communicator.sum(rows.owned);
  };
  while (p > 1 || (dofs(fine) > few && detail::halve(here))) {
    const bool by_order = p > 1;
    const detail::DofOfBoxNode<Dim, Exec> dof{BoxNodes<Dim>(here, by_order ? p : 2),
                                              fine.dof_of_node};
    p = by_order ? p / 2 : 1;
    const Operator<T, Dim, Exec> coarse = level_of(box.space_of(here, p));
    const auto transfer = std::make_shared<const Transfer>(
        coarse.space(), by_order ? fine.basis.nodes : std::vector<double>{0, 0.5, 1},
        fine.rows(components), dof);
    result.add(linear::AnyOperator(coarse),
               {[=](const auto& from, const auto& to) { transfer->prolongate(from, to); },
                [=](const auto& from, const auto& to) { transfer->restrict_to_coarse(from, to); }});
    fine = coarse.space();
  }
  return result;
}
template <class T, int Dim, ExecutionSpace Exec>
linear::Multigrid<T, Exec> multigrid(const Operator<T, Dim, Exec>& finest,
                                     const linear::MultigridOptions& options = {}) {
  return multigrid(
      finest, [&](const FunctionSpace<T, Dim, Exec>& space) { return finest.on(space); }, options);
}
///@}

}  // namespace kolam::fem
