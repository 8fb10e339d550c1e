// SPDX-License-Identifier: Apache-2.0
// One file for ParaView, written by all parts of a mesh.
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <kolam/testing/meshes.hpp>
#include <numeric>

#include "../io/vtk_file.hpp"
#include "all_processes.hpp"
#include "shared_folder.hpp"

namespace kolam::mpi_tests {
namespace {

// Returns rows [first, first + count) of a table.
template <class V>
std::vector<V> rows(const std::vector<V>& of, std::size_t first, std::size_t count) {
  EXPECT_LE(first + count, of.size());
  return {of.begin() + static_cast<std::ptrdiff_t>(first),
          of.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

TEST(VtkhdfMesh, HasThePartsOfAllProcesses) {
  const Communicator& all = all_processes();
  const SharedFolder folder;
  const auto part = fem::refined(fem::part_of(testing::shuffled(fem::disc(2, 2), 1), all));
  const auto count = static_cast<std::size_t>(fem::detail::mesh_nodes(part, 3).count);
  std::vector<TimeStep> steps;
  for (const double time : {0.5, 2.0}) {
    std::vector<double> u(count);
    std::iota(u.begin(), u.end(), 1000 * all.rank() + 100000 * time);
    steps.push_back({time, {{"u", u}, {"v", std::vector<double>(2 * count, time), 2}}});
  }
  const auto alone = folder.path() / std::to_string(all.rank());
  write_vtkhdf_mesh_series(alone, part, 3, steps);
  write_vtkhdf_mesh_series(folder.path() / "all", part, 3, steps, all);
  const testing::VtkFile one(alone);
  const testing::VtkFile together(folder.path() / "all");
  std::vector<hsize_t> dims;
  const auto integers = [&](const testing::VtkFile& file, const char* name) {
    return file.dataset<std::int64_t>(name, H5T_STD_I64LE, H5T_NATIVE_INT64, dims);
  };
  const auto expect_slice = [&](const char* name, const auto& read, std::size_t before) {
    SCOPED_TRACE(name);
    const auto own = read(one, name);
    EXPECT_EQ(rows(read(together, name), before, own.size()), own);
  };
  const auto reals = [&](const testing::VtkFile& file, const char* name) {
    return file.dataset<double>(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims);
  };
  const auto points = integers(together, "NumberOfPoints");
  const auto cells = integers(together, "NumberOfCells");
  ASSERT_EQ(points.size(), static_cast<std::size_t>(all.size()));
  EXPECT_EQ(integers(together, "Steps/NumberOfParts"), (std::vector<std::int64_t>(2, all.size())));
  std::size_t points_before = 0;
  std::size_t cells_before = 0;
  const auto rank = static_cast<std::size_t>(all.rank());
  for (std::size_t i = 0; i < rank; ++i) {
    points_before += static_cast<std::size_t>(points[i]);
    cells_before += static_cast<std::size_t>(cells[i]);
  }
  expect_slice("Points", reals, 3 * points_before);
  expect_slice("Connectivity", integers, 16 * cells_before);
  expect_slice("Offsets", integers, cells_before + rank);
  expect_slice("CellData/attribute", integers, cells_before);
  const auto total = std::accumulate(points.begin(), points.end(), std::int64_t{0});
  EXPECT_EQ(integers(together, "Steps/PointDataOffsets/u"), (std::vector<std::int64_t>{0, total}));
  for (std::size_t step = 0; step < 2; ++step) {
    const auto own_points = static_cast<std::size_t>(points[rank]);
    const auto at = step * static_cast<std::size_t>(total) + points_before;
    EXPECT_EQ(rows(reals(together, "PointData/u"), at, own_points),
              rows(reals(one, "PointData/u"), step * own_points, own_points));
    EXPECT_EQ(rows(reals(together, "PointData/v"), 3 * at, 3 * own_points),
              rows(reals(one, "PointData/v"), step * 3 * own_points, 3 * own_points));
  }
  all.barrier();
}

TEST(VtkhdfMesh, IsRefusedByAllIfOneIsWrong) {
  const Communicator& all = all_processes();
  const SharedFolder folder;
  const auto part = fem::part_of(fem::disc(3, 2), all);
  const auto count = static_cast<std::size_t>(fem::detail::mesh_nodes(part, 2).count);
  const bool last = all.rank() == all.size() - 1;
  const auto path = folder.path() / "a.vtkhdf";
  EXPECT_THROW(write_vtkhdf_mesh(path, part, 2, {{"u", std::vector<double>(count + last)}}, all),
               InvalidArgument);
  if (all.size() > 1) {
    EXPECT_THROW(
        write_vtkhdf_mesh(path, part, 2, {{last ? "v" : "u", std::vector<double>(count)}}, all),
        InvalidArgument);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  all.barrier();
}

}  // namespace
}  // namespace kolam::mpi_tests
