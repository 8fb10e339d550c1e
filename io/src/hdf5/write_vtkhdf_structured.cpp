// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/io/vtkhdf_structured.hpp>
#include <utility>

#include "hdf5/unstructured_grid.hpp"

namespace kolam {
namespace {

constexpr std::uint8_t vtk_quad = 9;
constexpr std::uint8_t vtk_hexahedron = 12;

// Points of the cells in VTK's order: around the lower side, then around the upper side.
std::vector<std::int64_t> cells_between(const std::array<index_t, 3>& n, int dimensions) {
  std::vector<std::int64_t> points;
  const index_t layer = n[0] * n[1];
  const auto side = [&](index_t corner) {
    for (const index_t step : {index_t{0}, index_t{1}, n[0] + 1, n[0]})
      points.push_back(corner + step);
  };
  for (index_t z = 0; z < (dimensions == 3 ? n[2] - 1 : 1); ++z) {
    for (index_t y = 0; y + 1 < n[1]; ++y) {
      for (index_t x = 0; x + 1 < n[0]; ++x) {
        const index_t corner = x + n[0] * y + layer * z;
        side(corner);
        if (dimensions == 3) side(corner + layer);
      }
    }
  }
  return points;
}

void require_structured_grid(
    const std::array<index_t, 3>& extents, int dimensions, index_t points, std::size_t coordinates,
    const std::vector<std::pair<std::string, std::vector<double>>>& fields) {
  if (dimensions != 2 && dimensions != 3)
    throw InvalidArgument(
        fmt::format("a structured grid of {} dimensions; it has 2 or 3", dimensions));
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k) {
    if (extents[k] < 2) {
      throw InvalidArgument(fmt::format(
          "a structured grid of {} points in dimension {}; cells lie between at least 2",
          extents[k], k));
    }
  }
  const auto require = [&](const std::string& what, std::size_t count, index_t needed) {
    if (static_cast<index_t>(count) != needed) {
      throw InvalidArgument(fmt::format("{} has {} values for {} points; it must have {}", what,
                                        count, points, needed));
    }
  };
  require("coordinates", coordinates, points * dimensions);
  for (const auto& [name, values] : fields) require("field '" + name + "'", values.size(), points);
}

}  // namespace

void write_vtkhdf_structured(
    const std::filesystem::path& path, const std::array<index_t, 3>& extents, int dimensions,
    const std::vector<double>& coordinates,
    const std::vector<std::pair<std::string, std::vector<double>>>& fields) {
  const index_t points = extents[0] * extents[1] * (dimensions == 3 ? extents[2] : 1);
  require_structured_grid(extents, dimensions, points, coordinates.size(), fields);
  const std::vector<std::int64_t> cells = cells_between(extents, dimensions);
  const auto n = static_cast<std::size_t>(points);
  std::vector<double> places(3 * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k)
      places[3 * i + k] = coordinates[i + k * n];

  std::vector<hdf5::UnstructuredGrid::Data> data;
  for (const auto& [name, values] : fields) data.push_back({name, values});
  hdf5::write(path,
              {std::move(places), cells, dimensions == 3 ? std::size_t{8} : std::size_t{4},
               dimensions == 3 ? vtk_hexahedron : vtk_quad, std::move(data)},
              Communicator{});
}

}  // namespace kolam
