// SPDX-License-Identifier: Apache-2.0
#include "hdf5/unstructured_grid.hpp"

#include <fmt/format.h>

#include <kolam/comm/communicator.hpp>

#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "hdf5/vtk_type.hpp"
#include "shared_replacement.hpp"

namespace kolam::hdf5 {
namespace {

// At which rows of the tables each time begins: only point data change.
void write_steps(const Session& session, hid_t root, const UnstructuredGrid& grid) {
  const Handle steps = make_group(session, root, "Steps");
  const std::size_t count = grid.times.size();
  write_attribute(session, steps.get(), "NSteps", static_cast<std::int64_t>(count));
  write_table(session, steps.get(), "Values", grid.times);
  const auto offsets = [&](hid_t in, const std::string& name, std::int64_t each) {
    std::vector<std::int64_t> of_step(count);
    for (std::size_t i = 0; i < count; ++i) of_step[i] = static_cast<std::int64_t>(i) * each;
    write_table(session, in, name, of_step);
  };
  write_table(session, steps.get(), "NumberOfParts", std::vector<std::int64_t>(count, 1));
  for (const char* const same :
       {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"})
    offsets(steps.get(), same, 0);
  const Handle of_points = make_group(session, steps.get(), "PointDataOffsets");
  for (const UnstructuredGrid::Data& data : grid.point_data)
    offsets(of_points.get(), data.name, static_cast<std::int64_t>(grid.points.size() / 3));
  if (grid.attributes.empty()) return;
  const Handle of_cells = make_group(session, steps.get(), "CellDataOffsets");
  offsets(of_cells.get(), "attribute", 0);
}

}  // namespace

void write(const std::filesystem::path& path, const UnstructuredGrid& grid) {
  const std::size_t count = grid.cells.size() / grid.points_of_cell;
  std::vector<std::int64_t> offsets(count + 1);
  for (std::size_t c = 0; c <= count; ++c)
    offsets[c] = static_cast<std::int64_t>(grid.points_of_cell * c);

  SharedReplacement file(path, Communicator{}, [&](int descriptor) {
    Session session(fmt::format("cannot write '{}'", path.string()));
    OutputFile output(session, descriptor);
    {
      const Handle root = make_group(session, output.get(), "VTKHDF");
      write_attribute(session, root.get(), "Version",
                      std::vector<std::int64_t>{grid.times.empty() ? 1 : 2, 0});
      write_vtk_type(session, root.get(), "UnstructuredGrid");
      const auto number = [&](const char* name, std::size_t value) {
        write_table(session, root.get(), name,
                    std::vector<std::int64_t>{static_cast<std::int64_t>(value)});
      };
      number("NumberOfPoints", grid.points.size() / 3);
      number("NumberOfCells", count);
      number("NumberOfConnectivityIds", grid.cells.size());
      write_table(session, root.get(), "Points", grid.points, 3);
      write_table(session, root.get(), "Connectivity", grid.cells);
      write_table(session, root.get(), "Offsets", offsets);
      write_table(session, root.get(), "Types", std::vector<std::uint8_t>(count, grid.type));
      const Handle of_points = make_group(session, root.get(), "PointData");
      for (const UnstructuredGrid::Data& data : grid.point_data)
        write_table(session, of_points.get(), data.name, data.values, data.columns);
      if (!grid.attributes.empty()) {
        const Handle of_cells = make_group(session, root.get(), "CellData");
        write_table(session, of_cells.get(), "attribute", grid.attributes);
      }
      if (!grid.times.empty()) write_steps(session, root.get(), grid);
    }
    output.finish();
  });
  file.commit(Replacement::Previous::forget, [](int) {});
}

}  // namespace kolam::hdf5
