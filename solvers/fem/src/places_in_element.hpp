// SPDX-License-Identifier: Apache-2.0
// Of the nodes of an element: which are inside which vertex, edge or face, and how elements agree to count them.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <vector>

namespace kolam::fem::detail {

/// Of a node inside a vertex, edge or face: its place along each direction of that, 1 to order - 1.
using Steps = std::array<int, 3>;
/// That of node number `node` of it.
Steps steps_of(int node, int dimensions, int order);

/// What a node of an element is inside of.
struct PlaceInElement {
  int dimensions;  ///< of the part of the element
  int part;        ///< number among those of so many dimensions, see sub_cubes
  int inside;      ///< number among the nodes inside it, as the element counts
};

struct PlacesInElement {
  std::vector<PlaceInElement> places;  ///< of each node of the element
  /// Of vertices, edges (and faces), from `first` of their dimensions on: numbers of nodes as all elements count
  /// them, [inside, orientations].
  std::vector<int> in_part;
  std::array<int, 3> first;  ///< in in_part, by dimensions
};
PlacesInElement places_in_element(int dimensions_of_mesh, int order);

/// How an element has an edge or face, whose corners have these vertices: by the place of the smallest of them,
/// times two, and whether the smaller one of its neighbours is along the second direction. From 0 to 7.
KOKKOS_INLINE_FUNCTION int orientation_of(const int (&vertices)[4], int dimensions) {
  int smallest = 0;
  for (int b = 1; b < 1 << dimensions; ++b)
    if (vertices[b] < vertices[smallest]) smallest = b;
  return 2 * smallest +
         (dimensions == 2 && vertices[smallest ^ 2] < vertices[smallest ^ 1] ? 1 : 0);
}

}  // namespace kolam::fem::detail
