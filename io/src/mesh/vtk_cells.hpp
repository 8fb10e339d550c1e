// SPDX-License-Identifier: Apache-2.0
// The cell types of VTK.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cells.hpp"

namespace kolam::meshes {

/// Returns the positions of the nodes of a quadrilateral or hexahedron in VTK's order: corners
/// going around, edges (lower face, upper face, between them), and for complete cells faces in
/// pairs and the interior, x fastest.
NodePlaces vtk_nodes(int dimensions, int order, bool complete);

/// An unstructured grid as in VTK's files.
struct VtkGrid {
  std::vector<std::array<double, 3>> points;
  std::vector<std::int64_t> connectivity;  ///< point numbers of all cells
  std::vector<std::int64_t> ends;          ///< end of each cell in connectivity
  std::vector<std::int64_t> types;         ///< type of each cell
  std::vector<std::int64_t> attributes;    ///< attribute of each cell; or empty
  bool old_edges = false;  ///< order before VTK 9: in hexahedra of higher order, the third and
                           ///< the fourth edge along z are exchanged
};

/// Returns the rank of a cell array's name as attributes: 0 is best, negative is none.
int rank_of_attributes(const std::string& name);

/// Returns the mesh of the grid's quadrilaterals or hexahedra. Throws FileError.
RawMesh mesh_of_vtk(const std::filesystem::path& path, const VtkGrid& grid);

}  // namespace kolam::meshes
