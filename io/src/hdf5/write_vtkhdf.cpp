// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/vtkhdf.hpp>
#include <span>

#include "all_boxes.hpp"
#include "chunks.hpp"
#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "hdf5/vtk_type.hpp"
#include "positioned.hpp"
#include "shared_replacement.hpp"

namespace kolam {
namespace {

// Three numbers in HDF5's order, z first.
using Triple = std::array<hsize_t, 3>;

Triple reversed(index_t x, index_t y, index_t z) {
  return {static_cast<hsize_t>(z), static_cast<hsize_t>(y), static_cast<hsize_t>(x)};
}

template <int N>
void write_grid(const hdf5::Session& session, hid_t group, const VtkGrid<N>& grid) {
  hdf5::write_attribute(session, group, "Version", std::vector<std::int64_t>{1, 0});
  hdf5::write_vtk_type(session, group, "ImageData");
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

// The rank of an array in the file. VTK's reader leaves out flat dimensions at the slow end and
// takes the others as the first dimensions.
int rank_of(const Extents<3>& extents) { return extents[2] > 1 ? 3 : extents[1] > 1 ? 2 : 1; }

// Makes the array and returns the file offset of its values.
template <class T>
std::uint64_t make_array(const hdf5::Session& session, hid_t group, const Extents<3>& extents,
                         const std::string& name) {
  const Triple dims = reversed(extents[0], extents[1], extents[2]);
  const int flat = 3 - rank_of(extents);
  const hdf5::Handle array = hdf5::make_dataset(session, group, name, hdf5::type_of<T>(),
                                                {dims.begin() + flat, dims.end()});
  return hdf5::place_of(session, array.get(), name);
}

// Writes values, combining runs that follow one another in the file.
template <class T>
class Rows {
 public:
  explicit Rows(int descriptor) : descriptor_(descriptor) {}

  // Returns 0 or an errno.
  [[nodiscard]] int add(const T* values, index_t count, std::uint64_t at) {
    if (!buffer_.empty() && (at != begin_ + buffer_.size() * sizeof(T) || full())) {
      if (const int error = flush()) return error;
    }
    if (buffer_.empty()) begin_ = at;
    buffer_.insert(buffer_.end(), values, values + count);
    return 0;
  }
  [[nodiscard]] int flush() {
    const int error = write_at(descriptor_, buffer_.data(), buffer_.size() * sizeof(T), begin_);
    buffer_.clear();
    return error;
  }

 private:
  bool full() const { return buffer_.size() * sizeof(T) >= chunks::largest_chunk; }

  int descriptor_;
  std::uint64_t begin_ = 0;
  std::vector<T> buffer_;
};

template <class T, int N>
int write_blocks(int descriptor, const Extents<3>& extents, const comm::FieldBlocks<T, N>& field,
                 std::uint64_t place) {
  Rows<T> rows(descriptor);
  int error = 0;
  for (const comm::FieldBlock<T, N>& block : field.blocks) {
    const Box<3> box = comm::spatial(block.box);
    const comm::Pitches<3> pitches = comm::spatial(block.pitches);
    for (index_t z = 0; z < chunks::length(box, 2); ++z) {
      for (index_t y = 0; y < chunks::length(box, 1) && error == 0; ++y) {
        const index_t first =
            ((box[2].begin + z) * extents[1] + box[1].begin + y) * extents[0] + box[0].begin;
        error = rows.add(block.data + z * pitches[1] + y * pitches[0], chunks::length(box, 0),
                         place + static_cast<std::uint64_t>(first) * sizeof(T));
      }
    }
  }
  return error != 0 ? error : rows.flush();
}

template <int N>
Extents<3> require_grid(const VtkGrid<N>& grid) {
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
  return extents;
}

}  // namespace

template <class T, int N>
void write_vtkhdf(const std::filesystem::path& path, const VtkGrid<N>& grid,
                  const std::vector<comm::FieldBlocks<T, N>>& fields,
                  const Communicator& communicator) {
  Extents<3> extents{};
  comm::throw_together(communicator, [&] {
    extents = require_grid(grid);
    for (const comm::FieldBlocks<T, N>& field : fields) comm::require_blocks(field);
  });
  for (const comm::FieldBlocks<T, N>& field : fields) all_boxes(communicator, field, grid.extents);
  std::vector<std::uint64_t> places(fields.size());
  SharedReplacement file(path, communicator, [&](int descriptor) {
    hdf5::Session session(fmt::format("cannot write '{}'", path.string()));
    hdf5::OutputFile output(session, descriptor);
    {
      const hdf5::Handle root = hdf5::make_group(session, output.get(), "VTKHDF");
      write_grid(session, root.get(), grid);
      const hdf5::Handle data = hdf5::make_group(session, root.get(), "PointData");
      for (std::size_t f = 0; f < fields.size(); ++f)
        places[f] = make_array<T>(session, data.get(), extents, fields[f].name);
    }
    output.finish();
  });
  communicator.broadcast(std::span(places));
  comm::throw_together(communicator, [&] {
    int error = 0;
    for (std::size_t f = 0; f < fields.size() && error == 0; ++f)
      error = write_blocks(file.descriptor(), extents, fields[f], places[f]);
    if (error == 0) error = file.sync();
    if (error != 0) refuse_to_write(path, std::strerror(error));
  });
  file.commit(Replacement::Previous::forget, [](int) {});
}

template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<2>&,
                           const std::vector<comm::FieldBlocks<float, 2>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<2>&,
                           const std::vector<comm::FieldBlocks<double, 2>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<3>&,
                           const std::vector<comm::FieldBlocks<float, 3>>&, const Communicator&);
template void write_vtkhdf(const std::filesystem::path&, const VtkGrid<3>&,
                           const std::vector<comm::FieldBlocks<double, 3>>&, const Communicator&);

}  // namespace kolam
