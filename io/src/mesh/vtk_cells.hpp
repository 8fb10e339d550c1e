// SPDX-License-Identifier: Apache-2.0
// The cells of VTK, by the numbers of their types.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cells.hpp"

namespace kolam::meshes {

/// Where the nodes of a quadrilateral or hexahedron are, in VTK's order: corners going around, edges
/// (of the lower face, of the upper one, between them), and of complete ones faces in pairs and the
/// inside, x fastest.
NodePlaces vtk_nodes(int dimensions, int order, bool complete);

/// An unstructured grid as files of VTK have it.
struct VtkGrid {
  std::vector<std::array<double, 3>> points;
  std::vector<std::int64_t> connectivity;  ///< points of cells
  std::vector<std::int64_t> ends;          ///< of each cell in connectivity
  std::vector<std::int64_t> types;         ///< of each cell
  std::vector<std::int64_t> attributes;    ///< of each cell; empty: none
  bool old_edges = false;  ///< as before VTK 9: in hexahedra of higher order, the third and the
                           ///< fourth edge along z are exchanged
};

/// Which array of cells has the attributes: 0 for the best name, less than 0 for one that is none.
int rank_of_attributes(const std::string& name);

/// The mesh of its quadrilaterals or hexahedra. Throws FileError.
RawMesh mesh_of_vtk(const std::filesystem::path& path, const VtkGrid& grid);

}  // namespace kolam::meshes
