// SPDX-License-Identifier: Apache-2.0
// Quality of the elements of a mesh, its extent, and whether its boundary is listed.
#pragma once

#include <array>
#include <kolam/fem/mesh.hpp>

namespace kolam::fem {

/// Extent and element quality of a mesh, from quality_of.
template <int Dim>
struct MeshQuality {
  using Point = std::array<double, static_cast<std::size_t>(Dim)>;  ///< position

  Point lower;           ///< lower corner of the bounding box of all nodes
  Point upper;           ///< upper corner of the bounding box
  double volume;         ///< total volume; in two dimensions the area
  double shortest_edge;  ///< shortest distance between the two vertices of an edge
  double longest_edge;   ///< longest distance between the two vertices of an edge
  /// Smallest scaled Jacobian of all elements. The scaled Jacobian of an element is the determinant
  /// of its Jacobian over the product of the lengths of the Jacobian's columns, at the worst of its
  /// nodes: 1 for a box, 0 for a flat element, negative for a folded one.
  double worst_jacobian;
  double best_jacobian;  ///< largest scaled Jacobian of all elements
  Point worst_at;        ///< mean of the nodes of the worst element
};

/// Returns the extent and quality of a mesh. Evaluates the nodes of every element, and for the
/// volume enough Gauss points to make it exact. Throws InvalidArgument as validate does.
template <int Dim>
MeshQuality<Dim> quality_of(const Mesh<Dim>& mesh);

/// How a mesh lists its boundary.
struct BoundaryCounts {
  index_t outer;           ///< sides that belong to one element only: see boundary_of
  index_t unlisted;        ///< those without a boundary attribute: natural in every solve
  index_t listed_between;  ///< entries of `sides` that are between two elements (or parts)
};
/// Counts the sides of a mesh, or of one part of a mesh. Throws as boundary_of does.
template <int Dim>
BoundaryCounts boundary_counts(const Mesh<Dim>& mesh);

}  // namespace kolam::fem
