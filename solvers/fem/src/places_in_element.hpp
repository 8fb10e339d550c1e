// SPDX-License-Identifier: Apache-2.0
// The vertices, edges and faces that contain the nodes of an element, and their common numbering.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <vector>

namespace kolam::fem::detail {

/// The position of an interior node of an edge or face along each direction, 1 to order - 1.
using Steps = std::array<int, 3>;
/// Returns the steps of interior node number `node`.
Steps steps_of(int node, int dimensions, int order);

/// The part of an element (vertex, edge, face or interior) that contains a node.
struct PlaceInElement {
  int dimensions;  ///< dimensions of the part
  int part;        ///< number of the part among those of its dimensions, see sub_cubes
  int inside;      ///< number of the node in the part, in the numbering of the element
};

/// The parts that contain the nodes of an element, and the common numbering of nodes in parts.
struct PlacesInElement {
  std::vector<PlaceInElement> places;  ///< for each node of the element
  /// Numbers, on which all elements agree, of the nodes in vertices, edges (and faces):
  /// [inside, orientations], for each number of dimensions.
  std::vector<int> in_part;
  std::array<int, 3> first;  ///< first index in in_part, for each number of dimensions
};
/// Returns the places of the nodes of an element.
PlacesInElement places_in_element(int dimensions_of_mesh, int order);

/// Returns the orientation, 0 to 7, of an edge or face in an element, given the vertices of its
/// corners: twice the corner with the smallest vertex, plus 1 if the smaller of that vertex's
/// neighbours is along the second direction.
KOKKOS_INLINE_FUNCTION int orientation_of(const int (&vertices)[4], int dimensions) {
  int smallest = 0;
  for (int b = 1; b < 1 << dimensions; ++b)
    if (vertices[b] < vertices[smallest]) smallest = b;
  return 2 * smallest +
         (dimensions == 2 && vertices[smallest ^ 2] < vertices[smallest ^ 1] ? 1 : 0);
}

}  // namespace kolam::fem::detail
