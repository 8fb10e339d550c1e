// SPDX-License-Identifier: Apache-2.0
// The space of continuous polynomials on any mesh.
//
//   const auto mesh = kolam::fem::disc(8, 3);
//   const auto space = kolam::fem::space<double>(exec, mesh, 4, {.dirichlet = {1}});
#pragma once

#include <kolam/fem/dirichlet_condition.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/fem/mesh.hpp>
#include <vector>

namespace kolam::fem {

/// What a space may be given.
struct SpaceOptions {
  /// Boundaries with a Dirichlet condition. One on single components makes a space for fields with
  /// a component for each dimension: `{.dirichlet = {"clamp", {"symmetry", "x"}}}`.
  std::vector<DirichletCondition> dirichlet{};
  int points =
      0;  ///< Gauss points in a direction; 0: order + 2, or the geometry's order + 1 if that is more
  bool collocated = false;             ///< integrate at the nodes instead, which are so many more
  Scatter scatter = Scatter::fastest;  ///< or sums with the same bits in every run
  Communicator communicator{};  ///< of a mesh that is cut: the processes of its parts, by rank
};

/// Polynomials of `order` on each element. Of a part of a mesh (see part_of) it is this process' part of the
/// space of the whole mesh; all processes of the communicator call it. Nodes are numbered in the order of elements. The geometry
/// stays what it is, of a lower order or a higher one (then the coarser levels of multigrid have that of their nodes);
/// elements of another order are those of with_order(mesh, ...).
///
/// Throws InvalidArgument as validate does, for a geometry that the points do not see, for elements that are inverted at a quadrature point, for boundaries that the mesh does not have, and
/// for a communicator that does not fit the cut of the mesh; OutOfMemory. Waits. Checks the mesh and numbers its nodes
/// on exec, in time linear in the size, with some 1 kB an element and 16 bytes for each node of each element meanwhile.
template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space(const Exec& exec, const Mesh<Dim>& mesh, int order,
                                  const SpaceOptions& options = {});

}  // namespace kolam::fem
