// SPDX-License-Identifier: Apache-2.0
// Evaluation of nodal functions on a box at arbitrary points.
#pragma once

#include <kolam/fem/box_mesh.hpp>
#include <vector>

namespace kolam::fem {

/// A piecewise polynomial on a box, given by its values at the nodes of BoxNodes, on the host.
template <int Dim>
class BoxFunction {
 public:
  /// Takes the whole box, the order + 1 nodes of an element on [0, 1], and the values at all nodes
  /// of the structured grid, x fastest. Throws InvalidArgument if the mesh is cut into parts or if
  /// the number of values is wrong.
  BoxFunction(const BoxMesh<Dim>& mesh, std::vector<double> nodes, std::vector<double> values);

  /// Returns the value at x, a position in the box before any map. Outside the box it extrapolates
  /// the polynomial of the nearest element. Takes (order + 1)^Dim multiplications and one
  /// single-point lagrange_basis per direction.
  double operator()(const std::array<double, Dim>& x) const;

 private:
  BoxMesh<Dim> mesh_;
  std::vector<double> nodes_;
  std::vector<double> values_;
};

}  // namespace kolam::fem
