// SPDX-License-Identifier: Apache-2.0
// The elements of MFEM, with corners numbered going around.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace kolam::meshes {

/// The number of geometries, 0 to 7.
constexpr int mfem_geometries = 8;
/// Returns the plural name of a geometry.
inline const char* plural_of_mfem_geometry(int geometry) {
  constexpr const char* names[] = {"points",     "segments",  "triangles", "quadrilaterals",
                                   "tetrahedra", "hexahedra", "prisms",    "pyramids"};
  return names[geometry];
}

/// Returns the edges of a quadrilateral or hexahedron, by MFEM's corners.
inline const std::vector<std::array<std::size_t, 2>>& mfem_edges(int dimensions) {
  static const std::vector<std::array<std::size_t, 2>> of_quadrilateral{
      {0, 1}, {1, 2}, {2, 3}, {3, 0}};
  static const std::vector<std::array<std::size_t, 2>> of_hexahedron{
      {0, 1}, {1, 2}, {3, 2}, {0, 3}, {4, 5}, {5, 6},
      {7, 6}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  return dimensions == 2 ? of_quadrilateral : of_hexahedron;
}
/// Returns the faces of a hexahedron; none in two dimensions.
inline const std::vector<std::array<std::size_t, 4>>& mfem_faces(int dimensions) {
  static const std::vector<std::array<std::size_t, 4>> none;
  static const std::vector<std::array<std::size_t, 4>> of_hexahedron{
      {3, 2, 1, 0}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
  return dimensions == 2 ? none : of_hexahedron;
}

}  // namespace kolam::meshes
