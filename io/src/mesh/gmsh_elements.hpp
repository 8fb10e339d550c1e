// SPDX-License-Identifier: Apache-2.0
// The elements of Gmsh, by the numbers of their types.
#pragma once

#include <array>
#include <vector>

namespace kolam::meshes {

/// What elements look like.
enum class Shape { point, line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid };
/// "triangles" and so on.
const char* plural(Shape shape);
/// 0 to 3.
int dimensions_of(Shape shape);

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
std::vector<std::array<int, 3>> gmsh_nodes(int dimensions, int order, bool complete);

/// Of a serendipity element, sets the nodes that are on no edge: its edges, blended linearly across
/// it. element: [dimensions, (order + 1)^dimensions], x fastest.
void complete_serendipity(std::vector<double>& element, int dimensions, int order);

}  // namespace kolam::meshes
