// SPDX-License-Identifier: Apache-2.0
// Spaces of continuous piecewise polynomials on any mesh.
//
//   const auto mesh = kolam::fem::disc(8, 3);
//   const auto space = kolam::fem::space<double>(exec, mesh, 4, {.dirichlet = {1}});
#pragma once

#include <kolam/fem/dirichlet_condition.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/fem/mesh.hpp>
#include <vector>

namespace kolam::fem {

/// Options of `space`.
struct SpaceOptions {
  /// Boundaries with a Dirichlet condition. A condition on single components makes a space for
  /// fields with one component per dimension: `{.dirichlet = {"clamp", {"symmetry", "x"}}}`.
  std::vector<DirichletCondition> dirichlet{};
  /// Gauss points per direction; 0 means order + 2, or the geometry's order + 1 if that is more.
  int points = 0;
  bool collocated = false;             ///< integration at the nodes: order + 1 per direction
  Scatter scatter = Scatter::fastest;  ///< how elements are summed; deterministic: bitwise same
  Communicator communicator{};         ///< processes of the parts of a cut mesh, by rank
};

/// Returns the space of continuous polynomials of `order` on each element. On a part of a mesh (see
/// part_of) this is the process' part of the space of the whole mesh, and all processes of the
/// communicator call it. Nodes are numbered in the order of elements. The geometry keeps its own
/// order, which may be lower or higher than `order`; coarser levels of multigrid whose order is
/// lower interpolate it at their nodes. with_order(mesh, ...) changes the order of the geometry.
///
/// Throws InvalidArgument as validate does, if the quadrature points are too few for the geometry,
/// if an element is inverted at a quadrature point, if a boundary does not exist, or if the
/// communicator does not fit the cut of the mesh; throws OutOfMemory. Waits. Checks the mesh and
/// numbers its nodes on exec in time linear in its size, with temporary memory of some 1 kB per
/// element and 16 bytes for each node of each element.
template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space(const Exec& exec, const Mesh<Dim>& mesh, int order,
                                  const SpaceOptions& options = {});

}  // namespace kolam::fem
