// SPDX-License-Identifier: Apache-2.0
// Writer of VTKHDF's UnstructuredGrid with cells of one type.
#pragma once

#include <cstdint>
#include <filesystem>
#include <kolam/comm/communicator.hpp>
#include <string>
#include <vector>

namespace kolam::hdf5 {

/// The contents of the file, or one process's part of them, with its own points and cells.
struct UnstructuredGrid {
  /// A named array of point data.
  struct Data {
    std::string name;
    std::vector<double> values;  // [columns, points, times]
    std::size_t columns = 1;
  };
  std::vector<double> points;       // [3, points]
  std::vector<std::int64_t> cells;  // [points_of_cell, cells]: point numbers in the part
  std::size_t points_of_cell;
  std::uint8_t type;  // VTK's number of the cell type
  std::vector<Data> point_data;
  std::vector<std::int64_t> attributes{};  // of cells; or empty
  std::vector<double> times{};             // times of the point data; or empty
};

/// Writes `grid` atomically. All processes call it together. Throws, in all of them, FileError, and
/// InvalidArgument if names or columns of data differ from those of the first process.
void write(const std::filesystem::path& path, const UnstructuredGrid& grid,
           const Communicator& communicator);

}  // namespace kolam::hdf5
