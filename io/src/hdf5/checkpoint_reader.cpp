// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>

#include "checkpoint_compare.hpp"
#include "checkpoint_format.hpp"
#include "checksum.hpp"
#include "hdf5/checkpoint_file.hpp"

namespace kolam {
namespace {

template <class T>
void read_values(const hdf5::Session& session, const OpenField& field, const Box<3>& wanted, T* to,
                 const std::array<index_t, 2>& pitches) {
  const chunks::Layout& layout = field.stored.layout;
  const auto points = static_cast<hsize_t>(layout.points);
  const hdf5::Handle file_space =
      session.own(H5Scopy(field.values.space.get()), H5Sclose, "dataspace");
  const hdf5::Handle memory_space =
      session.own(H5Screate_simple(1, &points, nullptr), H5Sclose, "dataspace");
  const hdf5::Handle transfer = hdf5::transfer(session);
  std::vector<T> chunk(points);
  for (std::size_t b = 0; b < layout.boxes.size(); ++b) {
    const Box<3>& box = layout.boxes[b];
    if (!chunks::overlap(box, wanted)) continue;
    for (index_t p = layout.first[b]; p < layout.first[b + 1]; ++p) {
      const index_t from = (p - layout.first[b]) * layout.points;
      const index_t end = std::min(from + layout.points, size<3>(box));
      if (!chunks::has_wanted(box, from, end, wanted)) continue;
      const hsize_t start = static_cast<hsize_t>(p) * points;
      session.check(
          H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &start, nullptr, &points, nullptr),
          "selection");
      session.check(H5Dread(field.values.id.get(), hdf5::type_of<T>(), memory_space.get(),
                            file_space.get(), transfer.get(), chunk.data()),
                    fmt::format("field '{}' is damaged", field.stored.name));
      Checksum sum;
      sum.add_bytes(chunk.data(), chunk.size() * sizeof(T));
      if (sum.value() != field.stored.checksums[static_cast<std::size_t>(p)]) {
        session.fail(fmt::format(
            "field '{}' is damaged: chunk {} has another checksum than when it was written",
            field.stored.name, p));
      }
      chunks::unpack(box, from, end, chunk.data(), wanted, to, pitches);
    }
  }
}

}  // namespace

CheckpointReader::CheckpointReader(const std::filesystem::path& path)
    : file_(std::make_unique<File>(path)) {}
CheckpointReader::CheckpointReader(CheckpointReader&&) noexcept = default;
CheckpointReader& CheckpointReader::operator=(CheckpointReader&&) noexcept = default;
CheckpointReader::~CheckpointReader() = default;

const CheckpointHeader& CheckpointReader::header() const { return file_->header(); }
const std::string& CheckpointReader::precision() const { return file_->precision(); }

std::vector<std::string> CheckpointReader::fields() const {
  std::vector<std::string> names;
  for (const OpenField& field : file_->fields()) names.push_back(field.stored.name);
  return names;
}

template <class T>
void CheckpointReader::require(const CheckpointHeader& expected) const {
  const std::string difference =
      checkpoint::difference(header(), precision(), expected, checkpoint::precision_name<T>());
  if (!difference.empty()) {
    throw FileError(
        fmt::format("cannot go on from checkpoint '{}': {}", file_->path().string(), difference));
  }
}

template <int N, class T>
void CheckpointReader::read(const std::string& name, const Box<N>& box, T* to,
                            const comm::Pitches<N>& pitches) const {
  require<T>({.program = header().program, .extents = header().extents});  // checks the precision
  const OpenField& field = file_->field(name);
  checkpoint::require_box<N>(file_->path(), header().extents, box, pitches);
  const hdf5::Session session = file_->session();
  read_values(session, field, comm::spatial(box), to, comm::spatial(pitches));
}

template void CheckpointReader::require<float>(const CheckpointHeader&) const;
template void CheckpointReader::require<double>(const CheckpointHeader&) const;
template void CheckpointReader::read<2>(const std::string&, const Box<2>&, float*,
                                        const comm::Pitches<2>&) const;
template void CheckpointReader::read<2>(const std::string&, const Box<2>&, double*,
                                        const comm::Pitches<2>&) const;
template void CheckpointReader::read<3>(const std::string&, const Box<3>&, float*,
                                        const comm::Pitches<3>&) const;
template void CheckpointReader::read<3>(const std::string&, const Box<3>&, double*,
                                        const comm::Pitches<3>&) const;

}  // namespace kolam
