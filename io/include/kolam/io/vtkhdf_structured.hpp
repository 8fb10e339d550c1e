// SPDX-License-Identifier: Apache-2.0
// Fields on a curvilinear structured grid as VTKHDF files, for ParaView.
#pragma once

#include <array>
#include <filesystem>
#include <kolam/core/index.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam {

/// Writes fields on a curvilinear structured grid for ParaView and VTK's vtkHDFReader (VTK 9.1 and
/// newer): VTKHDF 1.0, UnstructuredGrid of quadrilaterals or hexahedra between neighbouring points,
/// one array of PointData for each field. A finite-element function of order p takes p^dimensions
/// cells in each element. By convention the name ends in .vtkhdf.
///
/// extents: points in each direction, x first; dimensions: 2 (extents[2] is ignored) or 3;
/// coordinates: [points, dimensions], points fastest; fields: a name and a value for each point, x
/// fastest. The file is written atomically. Throws InvalidArgument if sizes do not match, and
/// FileError.
///
/// Source: the VTKHDF file format of docs.vtk.org. Cost: about 100 bytes of memory per point.
void write_vtkhdf_structured(
    const std::filesystem::path& path, const std::array<index_t, 3>& extents, int dimensions,
    const std::vector<double>& coordinates,
    const std::vector<std::pair<std::string, std::vector<double>>>& fields);

}  // namespace kolam
