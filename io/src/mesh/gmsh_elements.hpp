// SPDX-License-Identifier: Apache-2.0
// The element types of Gmsh.
#pragma once

#include "cells.hpp"

namespace kolam::meshes {

/// An element type of Gmsh.
struct GmshType {
  int number;
  Shape shape;
  int order;
  int nodes;
  bool complete;  ///< false for serendipity elements, whose nodes are all on edges
};
/// Returns the type with this number; null if there is none.
const GmshType* gmsh_type(int number);
/// Returns the complete type of this shape and order; null if there is none.
const GmshType* gmsh_type(Shape shape, int order);

/// Returns the positions, 0 to order, of the nodes of a quadrilateral or hexahedron in Gmsh's
/// order. (Corners, edges, faces, then the interior; faces and interior are again smaller
/// elements.)
NodePlaces gmsh_nodes(int dimensions, int order, bool complete);

}  // namespace kolam::meshes
