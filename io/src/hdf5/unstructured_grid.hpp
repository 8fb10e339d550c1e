// SPDX-License-Identifier: Apache-2.0
// VTKHDF's UnstructuredGrid of cells of one type.
#pragma once

#include <cstdint>
#include <filesystem>
#include <kolam/comm/communicator.hpp>
#include <string>
#include <vector>

namespace kolam::hdf5 {

/// What stands in the file, or what one process has of it: a part with points and cells of its own.
struct UnstructuredGrid {
  /// Numbers of points, or of cells.
  struct Data {
    std::string name;
    std::vector<double> values;  // [columns, points, times]
    std::size_t columns = 1;
  };
  std::vector<double> points;       // [3, points]
  std::vector<std::int64_t> cells;  // [points_of_cell, cells], by points of the part
  std::size_t points_of_cell;
  std::uint8_t type;  // VTK's number
  std::vector<Data> point_data;
  std::vector<std::int64_t> attributes{};  // of cells, or none
  std::vector<double> times{};             // of the point data, if they are of several
};

/// Writes it, whole or not at all, all processes together. Throws FileError, and InvalidArgument for data with other
/// names or columns than the first process has, in all of them.
void write(const std::filesystem::path& path, const UnstructuredGrid& grid,
           const Communicator& communicator);

}  // namespace kolam::hdf5
