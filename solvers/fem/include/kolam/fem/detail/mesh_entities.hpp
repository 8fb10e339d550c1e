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

/// The vertices, edges or faces of a mesh, each of which several elements may have.
struct Entities {
  index_t count;
  std::vector<index_t> number;  ///< [sub_cubes, elements]
};
/// Those of 0 to Dim - 1 dimensions. In parallel on the host; throws NotRunning before Kokkos runs.
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
/// Throws InvalidArgument for order < 1 and for 2^31 nodes or more. In parallel, as entities.
template <int Dim>
MeshNodes mesh_nodes(const Mesh<Dim>& mesh, int order);

/// The nodes of an entity without those of its own edges and vertices, (order - 1)^dimensions, in the
/// order in which it is counted: places among the nodes of its element.
std::vector<int> nodes_of(const MeshEntity& entity, int dimensions_of_mesh, int order);

/// What becomes of an entity when elements are refined: its parts and the entities inside it, in the same
/// order in every element that has it. `children`: of an element, 2^Dim.
std::vector<MeshEntity> refined(const MeshEntity& entity, int children);

/// The means of the corners of each element. Throws InvalidArgument for lists that do not fit together.
template <int Dim>
std::vector<std::array<double, static_cast<std::size_t>(Dim)>> middles(const Mesh<Dim>& mesh);

/// The elements along a Hilbert curve through their middles. Throws as middles does. Takes a sort.
template <int Dim>
std::vector<index_t> hilbert_order(const Mesh<Dim>& mesh);

}  // namespace kolam::fem::detail
