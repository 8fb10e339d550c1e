// SPDX-License-Identifier: Apache-2.0
// The space of continuous polynomials on any mesh.
//
//   const auto mesh = kolam::fem::disc(8, 3);
//   const auto space = kolam::fem::space<double>(exec, mesh, 4, {.dirichlet = {1}});
#pragma once

#include <kolam/fem/function_space.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <vector>

namespace kolam::fem {

/// What a space may be given.
struct SpaceOptions {
  std::vector<Attribute> dirichlet{};  ///< of boundaries with a Dirichlet condition
  int points = 0;                      ///< Gauss points in a direction; 0: order + 2
  bool collocated = false;             ///< integrate at the nodes instead, which are so many more
  Scatter scatter = Scatter::fastest;  ///< or sums with the same bits in every run
};

/// Polynomials of `order` on each element. Nodes are numbered in the order of elements. The geometry
/// becomes one of this order, and stays what it is.
///
/// Throws InvalidArgument as validate does, for a geometry of a higher order (its elements would be
/// others), for elements that are inverted at a quadrature point, and for boundaries that the mesh
/// does not have; OutOfMemory. Waits. Takes sorts of all edges and sides on the host.
template <class T, int Dim, ExecutionSpace Exec>
FunctionSpace<T, Dim, Exec> space(const Exec& exec, const Mesh<Dim>& mesh, int order,
                                  const SpaceOptions& options = {});

}  // namespace kolam::fem
