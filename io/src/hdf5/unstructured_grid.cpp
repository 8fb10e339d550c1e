// SPDX-License-Identifier: Apache-2.0
#include "hdf5/unstructured_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <kolam/core/error.hpp>
#include <span>

#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "hdf5/vtk_type.hpp"
#include "positioned.hpp"
#include "shared_replacement.hpp"
#include "target.hpp"

namespace kolam::hdf5 {
namespace {

// The numbers of table rows of a part.
struct Counts {
  std::int64_t points, cells, connectivity;
};
Counts operator+(const Counts& a, const Counts& b) {
  return {a.points + b.points, a.cells + b.cells, a.connectivity + b.connectivity};
}

// A table to which every process contributes the rows of its part, for each time in turn.
struct Table {
  std::string group;  // group in VTKHDF, or empty
  std::string name;
  hid_t type;
  std::size_t row_bytes;
  std::size_t columns;
  std::size_t times;
  std::int64_t rows;    // of all parts, at one time
  std::int64_t before;  // rows of parts before this one
  std::span<const std::byte> own;

  // Returns 0 or an errno.
  int write(int descriptor, std::uint64_t place) const {
    const std::size_t bytes = own.size() / times;
    int error = 0;
    for (std::size_t i = 0; i < times && error == 0; ++i) {
      const auto row = static_cast<std::uint64_t>(rows) * i + static_cast<std::uint64_t>(before);
      error = write_at(descriptor, own.data() + bytes * i, bytes, place + row * row_bytes);
    }
    return error;
  }
};

template <class V>
Table table(const char* group, const std::string& name, const std::vector<V>& own,
            std::size_t columns, std::int64_t rows, std::int64_t before, std::size_t times = 1) {
  return {group, name, type_of<V>(), sizeof(V) * columns,          columns,
          times, rows, before,       std::as_bytes(std::span(own))};
}

// Writes the table row at which each time begins. Only point data change over time.
void write_steps(const Session& session, hid_t root, const UnstructuredGrid& grid,
                 std::int64_t points, std::int64_t parts) {
  const Handle steps = make_group(session, root, "Steps");
  const std::size_t count = grid.times.size();
  write_attribute(session, steps.get(), "NSteps", static_cast<std::int64_t>(count));
  write_table(session, steps.get(), "Values", grid.times);
  const auto offsets = [&](hid_t in, const std::string& name, std::int64_t each) {
    std::vector<std::int64_t> of_step(count);
    for (std::size_t i = 0; i < count; ++i) of_step[i] = static_cast<std::int64_t>(i) * each;
    write_table(session, in, name, of_step);
  };
  write_table(session, steps.get(), "NumberOfParts", std::vector<std::int64_t>(count, parts));
  for (const char* const same :
       {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"})
    offsets(steps.get(), same, 0);
  const Handle of_points = make_group(session, steps.get(), "PointDataOffsets");
  for (const UnstructuredGrid::Data& data : grid.point_data)
    offsets(of_points.get(), data.name, points);
  if (grid.attributes.empty()) return;
  const Handle of_cells = make_group(session, steps.get(), "CellDataOffsets");
  offsets(of_cells.get(), "attribute", 0);
}

// Writes the file without the tables' values; returns the file offsets of the values.
std::vector<std::uint64_t> write_head(const Session& session, hid_t file,
                                      const UnstructuredGrid& grid,
                                      const std::vector<Counts>& parts,
                                      const std::vector<Table>& tables) {
  const Handle root = make_group(session, file, "VTKHDF");
  write_attribute(session, root.get(), "Version",
                  std::vector<std::int64_t>{grid.times.empty() ? 1 : 2, 0});
  write_vtk_type(session, root.get(), "UnstructuredGrid");
  const auto numbers = [&](const char* name, std::int64_t Counts::* member) {
    std::vector<std::int64_t> of_parts;
    for (const Counts& part : parts) of_parts.push_back(part.*member);
    write_table(session, root.get(), name, of_parts);
  };
  numbers("NumberOfPoints", &Counts::points);
  numbers("NumberOfCells", &Counts::cells);
  numbers("NumberOfConnectivityIds", &Counts::connectivity);
  std::vector<std::uint64_t> places;
  Handle group;
  std::string in;
  for (const Table& one : tables) {
    if (one.group != in) group = make_group(session, root.get(), in = one.group);
    std::vector<hsize_t> dims{static_cast<hsize_t>(one.rows) * one.times};
    if (one.columns > 1) dims.push_back(one.columns);
    const Handle dataset =
        make_dataset(session, in.empty() ? root.get() : group.get(), one.name, one.type, dims);
    places.push_back(dims[0] > 0 ? place_of(session, dataset.get(), one.name) : 0);
  }
  std::int64_t points = 0;
  for (const Counts& part : parts) points += part.points;
  if (!grid.times.empty())
    write_steps(session, root.get(), grid, points, static_cast<std::int64_t>(parts.size()));
  return places;
}

// Throws InvalidArgument unless names, columns and the number of times agree in all processes.
void require_agreement(const UnstructuredGrid& grid, const Communicator& communicator) {
  std::string own;
  for (const UnstructuredGrid::Data& data : grid.point_data)
    own += fmt::format("{}'{}' with {} columns", own.empty() ? "" : ", ", data.name, data.columns);
  own += fmt::format(" at {} times", grid.times.size());
  const std::string first = communicator.broadcast(own);
  comm::throw_together(communicator, [&] {
    if (own == first) return;
    throw InvalidArgument(
        fmt::format("fields {} of process {}, and {} of process 0; give the same in each", own,
                    communicator.rank(), first));
  });
}

}  // namespace

void write(const std::filesystem::path& path, const UnstructuredGrid& grid,
           const Communicator& communicator) {
  require_agreement(grid, communicator);
  const auto own = static_cast<std::int64_t>(grid.cells.size() / grid.points_of_cell);
  const std::vector<Counts> parts =
      communicator.all_gather(Counts{static_cast<std::int64_t>(grid.points.size() / 3), own,
                                     static_cast<std::int64_t>(grid.cells.size())});
  Counts all{};
  Counts before{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == static_cast<std::size_t>(communicator.rank())) before = all;
    all = all + parts[i];
  }
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(own) + 1);
  for (std::size_t c = 0; c < offsets.size(); ++c)
    offsets[c] = static_cast<std::int64_t>(grid.points_of_cell * c);
  const std::vector<std::uint8_t> types(static_cast<std::size_t>(own), grid.type);
  std::vector<Table> tables{
      table("", "Points", grid.points, 3, all.points, before.points),
      table("", "Connectivity", grid.cells, 1, all.connectivity, before.connectivity),
      table("", "Offsets", offsets, 1, all.cells + static_cast<std::int64_t>(parts.size()),
            before.cells + communicator.rank()),
      table("", "Types", types, 1, all.cells, before.cells)};
  for (const UnstructuredGrid::Data& data : grid.point_data) {
    tables.push_back(table("PointData", data.name, data.values, data.columns, all.points,
                           before.points, std::max<std::size_t>(grid.times.size(), 1)));
  }
  if (!grid.attributes.empty())
    tables.push_back(table("CellData", "attribute", grid.attributes, 1, all.cells, before.cells));

  std::vector<std::uint64_t> places(tables.size());
  SharedReplacement file(path, communicator, [&](int descriptor) {
    Session session(fmt::format("cannot write '{}'", path.string()));
    OutputFile output(session, descriptor);
    places = write_head(session, output.get(), grid, parts, tables);
    output.finish();
  });
  communicator.broadcast(std::span(places));
  comm::throw_together(communicator, [&] {
    int error = 0;
    for (std::size_t i = 0; i < tables.size() && error == 0; ++i)
      error = tables[i].write(file.descriptor(), places[i]);
    if (error == 0) error = file.sync();
    if (error != 0) refuse_to_write(path, std::strerror(error));
  });
  file.commit(Replacement::Previous::forget, [](int) {});
}

}  // namespace kolam::hdf5
