// SPDX-License-Identifier: Apache-2.0
// What the elements of a mesh share: vertices, edges, faces, and nodes of polynomials on them.
#pragma once

#include <array>
#include <kolam/fem/mesh.hpp>
#include <vector>

namespace kolam::fem::detail {

/// A vertex, edge or face of a cube, or all of it: from a corner along some directions. Corners
/// have bit k where they are at the upper end of direction k.
struct SubCube {
  int origin;                ///< the corner
  std::array<int, 3> along;  ///< the directions, ascending; as many as it has dimensions

  /// Corner b of it, of its 2^dimensions.
  int corner(int dimensions, int b) const {
    int result = origin;
    for (int j = 0; j < dimensions; ++j)
      if ((b >> j & 1) != 0) result |= 1 << along[static_cast<std::size_t>(j)];
    return result;
  }
};

/// Those of `dimensions` of a cube; of one dimension less than the cube in the order of its sides.
std::vector<SubCube> sub_cubes(int dimensions_of_cube, int dimensions);

/// The edges (or faces) of a mesh, each of which several elements may have.
struct Entities {
  index_t count;
  std::vector<index_t> number;  ///< [sub_cubes, elements]
};
/// Those of 1 to Dim - 1 dimensions. Takes a sort.
template <int Dim>
Entities entities(const Mesh<Dim>& mesh, int dimensions);

/// The nodes of continuous polynomials on a mesh.
struct MeshNodes {
  index_t count;
  std::vector<int> of_element;  ///< [(order + 1)^Dim, elements], x fastest
};
/// Numbered in the order in which elements come to them, so that what an element has lies together.
/// An edge is counted from its smaller vertex on, a face from its smallest one first towards the
/// smaller of that one's two neighbours: elements agree however they are turned. The mesh is valid.
/// Throws InvalidArgument for order < 1 and for 2^31 nodes or more.
template <int Dim>
MeshNodes mesh_nodes(const Mesh<Dim>& mesh, int order);

}  // namespace kolam::fem::detail
