// SPDX-License-Identifier: Apache-2.0
// The entities that elements of a mesh share: vertices, edges, faces, and nodes of polynomials.
#pragma once

#include <array>
#include <kolam/fem/mesh.hpp>
#include <vector>

namespace kolam::fem::detail {

/// A vertex, edge or face of a cube, or the whole cube, spanned from a corner along some
/// directions. Bit k of a corner is set at the upper end of direction k.
struct SubCube {
  int origin;                ///< first corner
  std::array<int, 3> along;  ///< directions, ascending; one per dimension

  /// Returns corner b of its 2^dimensions corners, as a corner of the cube.
  int corner(int dimensions, int b) const {
    int result = origin;
    for (int j = 0; j < dimensions; ++j)
      if ((b >> j & 1) != 0) result |= 1 << along[static_cast<std::size_t>(j)];
    return result;
  }
};

/// Returns the parts of a cube of this dimension; faces are in the order of its sides.
std::vector<SubCube> sub_cubes(int dimensions_of_cube, int dimensions);

/// The vertices, edges or faces of a mesh; elements may share them.
struct Entities {
  index_t count;
  std::vector<index_t> number;  ///< [sub_cubes, elements]
};
/// Returns the entities of 0 to Dim - 1 dimensions. Runs in parallel on the host; throws NotRunning
/// before Kokkos runs.
template <int Dim>
Entities entities(const Mesh<Dim>& mesh, int dimensions);

/// The nodes of continuous polynomials on a mesh.
struct MeshNodes {
  index_t count;
  std::vector<int> of_element;  ///< [(order + 1)^Dim, elements], x fastest
};
/// Returns the nodes of a valid mesh, numbered by the first element that has them, so that the
/// nodes of an element are close together. The nodes of an edge are ordered from its smaller vertex
/// on. Those of a face start at its smallest vertex and go first towards the smaller of that
/// vertex's two neighbours. So elements of any orientation agree. Throws InvalidArgument for an
/// order below 1 and for 2^31 nodes or more. Runs in parallel on the host and throws as entities
/// does.
template <int Dim>
MeshNodes mesh_nodes(const Mesh<Dim>& mesh, int order);

/// Returns the (order - 1)^dimensions interior nodes of an entity, without its edges and vertices,
/// in the numbering of the entity, as places among the nodes of its element.
std::vector<int> nodes_of(const MeshEntity& entity, int dimensions_of_mesh, int order);

/// Returns the entities that an entity is refined into: its parts and the entities between them, in
/// the same order for every element that has it. `children` is the number of children of an
/// element, 2^Dim.
std::vector<MeshEntity> refined(const MeshEntity& entity, int children);

/// Returns the mean of the corners of each element. Throws InvalidArgument for inconsistent
/// lists.
template <int Dim>
std::vector<std::array<double, static_cast<std::size_t>(Dim)>> middles(const Mesh<Dim>& mesh);

/// Returns the elements in the order of a Hilbert curve through their middles. Throws as middles
/// does. Takes a sort.
template <int Dim>
std::vector<index_t> hilbert_order(const Mesh<Dim>& mesh);

}  // namespace kolam::fem::detail
