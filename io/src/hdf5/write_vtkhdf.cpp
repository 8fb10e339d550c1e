// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/io/vtkhdf.hpp>

#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "pieces.hpp"
#include "replacement.hpp"

namespace kolam {
namespace {

// z first, as HDF5 counts.
using Triple = std::array<hsize_t, 3>;

Triple reversed(index_t x, index_t y, index_t z) {
  return {static_cast<hsize_t>(z), static_cast<hsize_t>(y), static_cast<hsize_t>(x)};
}

// VTK reads texts of plain ASCII, padded with nothing.
void write_type(const hdf5::Session& session, hid_t group) {
  constexpr std::string_view type_name = "ImageData";
  const hdf5::Handle type = session.own(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  session.check(H5Tset_size(type.get(), type_name.size()), "text type");
  session.check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "text type");
  const hdf5::Handle space = session.own(H5Screate(H5S_SCALAR), H5Sclose, "dataspace");
  const hdf5::Handle attribute =
      session.own(H5Acreate2(group, "Type", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose, "attribute 'Type'");
  session.check(H5Awrite(attribute.get(), type.get(), type_name.data()), "attribute 'Type'");
}

template <int N>
void write_grid(const hdf5::Session& session, hid_t group, const VtkGrid<N>& grid) {
  hdf5::write_attribute(session, group, "Version", std::vector<std::int64_t>{1, 0});
  write_type(session, group);
  std::vector<std::int64_t> extent(6, 0);
  for (std::size_t d = 0; d < N; ++d) extent[2 * d + 1] = grid.extents[d] - 1;
  hdf5::write_attribute(session, group, "WholeExtent", extent);
  hdf5::write_attribute(session, group, "Origin",
                        std::vector<double>(grid.origin.begin(), grid.origin.end()));
  hdf5::write_attribute(session, group, "Spacing",
                        std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
  hdf5::write_attribute(session, group, "Direction",
                        std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  if (!grid.time && !grid.step) return;
  const hdf5::Handle data = hdf5::make_group(session, group, "FieldData");
  if (grid.time) {
    hdf5::write_table(session, data.get(), "TimeValue", std::vector<double>{*grid.time});
  }
  if (grid.step) {
    hdf5::write_table(session, data.get(), "Step", std::vector<std::int64_t>{*grid.step});
  }
}

// Dimensions of an array in the file. VTK's reader counts no flat ones at the slow end, and takes
// the others to be the first ones.
int rank_of(const Extents<3>& extents) { return extents[2] > 1 ? 3 : extents[1] > 1 ? 2 : 1; }

// One transfer for each block: HDF5 takes the rows out of the memory as they lie there. Each
// process writes its own blocks.
template <class T, int N>
void write_array(const hdf5::Session& session, hid_t group, const Extents<3>& extents,
                 const FieldBlocks<T, N>& field) {
  const std::string what = fmt::format("field '{}'", field.name);
  const hid_t type = hdf5::type_of<T>();
  const Triple dims = reversed(extents[0], extents[1], extents[2]);
  const int rank = rank_of(extents);
  const int flat = 3 - rank;
  const hdf5::Handle space =
      session.own(H5Screate_simple(rank, dims.data() + flat, nullptr), H5Sclose, "dataspace");
  const hdf5::Handle array =
      hdf5::make_dataset(session, group, field.name, type, {dims.begin() + flat, dims.end()});
  const hdf5::Handle transfer = hdf5::transfer(session);
  for (const FieldBlock<T, N>& block : field.blocks) {
    const Box<3> box = pieces::spatial(block.box);
    const std::array<index_t, 2> pitches = pieces::spatial(block.pitches);
    const Triple start = reversed(box[0].begin, box[1].begin, box[2].begin);
    const Triple count =
        reversed(pieces::length(box, 0), pieces::length(box, 1), pieces::length(box, 2));
    // To HDF5 the memory is an array of planes of rows. Where a plane is no whole number of rows it
    // can only be told plane by plane.
    const index_t row = pitches[0];
    const index_t rows = N == 2 ? pieces::length(box, 1) : pitches[1] / row;
    const bool whole = N == 2 || pitches[1] % row == 0;
    const index_t at_once = whole ? pieces::length(box, 2) : 1;
    const Triple memory_dims = reversed(row, rows, at_once);
    const hdf5::Handle memory =
        session.own(H5Screate_simple(3, memory_dims.data(), nullptr), H5Sclose, "dataspace");
    const Triple none{0, 0, 0};
    const Triple slab{static_cast<hsize_t>(at_once), count[1], count[2]};
    session.check(H5Sselect_hyperslab(memory.get(), H5S_SELECT_SET, none.data(), nullptr,
                                      slab.data(), nullptr),
                  "selection");
    for (index_t z = 0; z < pieces::length(box, 2); z += at_once) {
      Triple from = start;
      from[0] += static_cast<hsize_t>(z);
      session.check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data() + flat, nullptr,
                                        slab.data() + flat, nullptr),
                    "selection");
      session.check(H5Dwrite(array.get(), type, memory.get(), space.get(), transfer.get(),
                             block.data + z * pitches[1]),
                    what);
    }
  }
}

}  // namespace

template <class T, int N>
void write_vtkhdf(const std::filesystem::path& path, const VtkGrid<N>& grid,
                  const std::vector<FieldBlocks<T, N>>& fields) {
  Extents<3> extents{1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    if (d < N) extents[d] = grid.extents[d];
    if (extents[d] < 1 || !(grid.spacing[d] > 0)) {
      throw InvalidArgument(fmt::format(
          "no image has {} points at a spacing of {} in dimension {}: both must be positive",
          extents[d], grid.spacing[d], d));
    }
  }
  if (extents[1] == 1 && extents[2] > 1) {
    throw InvalidArgument(fmt::format(
        "VTK cannot read an image of one point in y and {} in z; exchange the two", extents[2]));
  }
  for (const FieldBlocks<T, N>& field : fields) {
    static_cast<void>(require_complete(field, grid.extents));
  }
  Replacement file(path);
  {
    hdf5::Session session(fmt::format("cannot write '{}'", path.string()));
    hdf5::OutputFile output(session, file.descriptor());
    {
      const hdf5::Handle root = hdf5::make_group(session, output.get(), "VTKHDF");
      write_grid(session, root.get(), grid);
      const hdf5::Handle data = hdf5::make_group(session, root.get(), "PointData");
      for (const auto& field : fields) write_array(session, data.get(), extents, field);
    }
    output.finish();
  }
  file.commit(Replacement::Previous::forget);
}

template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<2>&,
                           const std::vector<FieldBlocks<float, 2>>&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<2>&,
                           const std::vector<FieldBlocks<double, 2>>&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<3>&,
                           const std::vector<FieldBlocks<float, 3>>&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<3>&,
                           const std::vector<FieldBlocks<double, 3>>&);

}  // namespace kolam
