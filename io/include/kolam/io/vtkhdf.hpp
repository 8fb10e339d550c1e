// SPDX-License-Identifier: Apache-2.0
// Grid fields as VTKHDF images, for ParaView.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <kolam/comm/field_blocks.hpp>
#include <optional>
#include <vector>

namespace kolam {

/// The positions of a grid's points, and the time of its fields.
template <int N>
struct VtkGrid {
  Extents<N> extents;                      ///< number of points, x first
  std::array<double, 3> origin{0, 0, 0};   ///< position of the first point; z is used in 2D too
  std::array<double, 3> spacing{1, 1, 1};  ///< distance between points, positive
  std::optional<double> time{};            ///< field data "TimeValue"
  std::optional<std::int64_t> step{};      ///< field data "Step"
};

/// Writes fields as an image for ParaView and VTK's vtkHDFReader: VTKHDF 1.0, ImageData, one array
/// of PointData for each field. 2D fields have one layer of points in z and two-dimensional arrays,
/// as VTK's reader requires. By convention the name ends in .vtkhdf.
///
/// ParaView 5.12 (VTK 9.3) and newer read everything. 5.10 and 5.11 read 3D fields without `time`
/// and `step`; they cannot read field data of images, and crash on 2D images.
///
/// The file is written atomically. Several processes write it together. Throws as write_checkpoint
/// does, and InvalidArgument if a spacing is not positive. T is float or double, N is 2 or 3.
///
/// Source: the VTKHDF file format of docs.vtk.org. Cost: reads the fields once, copies nothing.
template <class T, int N>
void write_vtkhdf(const std::filesystem::path& path, const VtkGrid<N>& grid,
                  const std::vector<comm::FieldBlocks<T, N>>& fields,
                  const Communicator& communicator = {});

}  // namespace kolam
