// SPDX-License-Identifier: Apache-2.0
// Evaluation at points.
#pragma once

#include <kolam/fem/box_mesh.hpp>
#include <vector>

namespace kolam::fem {

/// A polynomial on each element of a box, by its values at the nodes of the BoxNodes, on the
/// host.
template <int Dim>
class BoxFunction {
 public:
  /// mesh: the whole box, not cut; nodes: those of an element on [0, 1], order + 1 of them; values:
  /// of the structured grid's nodes, x fastest. Throws InvalidArgument for a mesh that is cut, and
  /// for another number of values.
  BoxFunction(const BoxMesh<Dim>& mesh, std::vector<double> nodes, std::vector<double> values);

  /// The value at x, a position in the box before any map; outside, what the polynomial of the
  /// nearest element is there. Takes (order + 1)^Dim multiplications, and a lagrange_basis at one
  /// point for each direction.
  double operator()(const std::array<double, Dim>& x) const;

 private:
  BoxMesh<Dim> mesh_;
  std::vector<double> nodes_;
  std::vector<double> values_;
};

}  // namespace kolam::fem
