// SPDX-License-Identifier: Apache-2.0
// How good the elements of a mesh are, and how large it is.
#pragma once

#include <array>
#include <kolam/fem/mesh.hpp>

namespace kolam::fem {

/// See quality_of.
template <int Dim>
struct MeshQuality {
  using Point = std::array<double, static_cast<std::size_t>(Dim)>;  ///< a place

  Point lower;           ///< the lower corner of the box around all nodes
  Point upper;           ///< its upper corner
  double volume;         ///< of all elements; in two dimensions their area
  double shortest_edge;  ///< between two vertices, as straight lines
  double longest_edge;   ///< likewise
  /// Over all elements the smallest of each one's scaled Jacobian, which is the determinant of its
  /// map over the product of the lengths of the map's columns at the worst of its nodes: 1 for a
  /// box, 0 where it is flat, less where it folds.
  double worst_jacobian;
  double best_jacobian;  ///< the largest of them
  Point worst_at;        ///< the mean of the nodes of the worst element
};

/// What a mesh is like. Looks at the nodes of every element, and for the volume at as many Gauss
/// points as make it exact. Throws InvalidArgument as validate does.
template <int Dim>
MeshQuality<Dim> quality_of(const Mesh<Dim>& mesh);

}  // namespace kolam::fem
