// SPDX-License-Identifier: Apache-2.0
// VTKHDF's UnstructuredGrid of cells of one type.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kolam::hdf5 {

/// What stands in the file.
struct UnstructuredGrid {
  /// Numbers of points, or of cells.
  struct Data {
    std::string name;
    std::vector<double> values;  // [columns, points, times]
    std::size_t columns = 1;
  };
  std::vector<double> points;       // [3, points]
  std::vector<std::int64_t> cells;  // [points_of_cell, cells]
  std::size_t points_of_cell;
  std::uint8_t type;  // VTK's number
  std::vector<Data> point_data;
  std::vector<std::int64_t> attributes{};  // of cells, or none
  std::vector<double> times{};             // of the point data, if they are of several
};

/// Writes it, whole or not at all. Throws FileError.
void write(const std::filesystem::path& path, const UnstructuredGrid& grid);

}  // namespace kolam::hdf5
