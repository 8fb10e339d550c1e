// SPDX-License-Identifier: Apache-2.0
// The elements of Gmsh, by the numbers of their types.
#pragma once

#include "cells.hpp"

namespace kolam::meshes {

/// A type of elements.
struct GmshType {
  int number;
  Shape shape;
  int order;
  int nodes;
  bool complete;  ///< not a serendipity element, whose nodes are all on edges
};
/// Null where there is none.
const GmshType* gmsh_type(int number);
/// The complete type of this shape and order; null where there is none.
const GmshType* gmsh_type(Shape shape, int order);

/// Where the nodes of a quadrilateral or hexahedron are, in Gmsh's order: coordinates 0 to order.
/// (Corners, then edges, faces, the inside, of which each again is a smaller element.)
NodePlaces gmsh_nodes(int dimensions, int order, bool complete);

}  // namespace kolam::meshes
