// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/checkpoint.hpp>
#include <set>

#include "checkpoint_format.hpp"
#include "checksum.hpp"
#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "pieces.hpp"
#include "replacement.hpp"
#include "seal.hpp"

// The file:
//   /            attributes format, version, program, precision, extents (x first), step
//   /parameters  an attribute each
//   /norms       iteration [n], norm [n]
//   /fields/f    blocks [blocks, 6]: begin and end in x, y, z, by global indices
//                values [pieces * points of a piece], with an attribute piece: see pieces.hpp
//                checksums [pieces]: CRC-32 of each piece, padding included
// and behind the end of what is HDF5, the seal over everything but the values: see seal.hpp.
// Datasets are plain ranges of bytes, which many processes can write to, each for itself.
namespace kolam {
namespace {

void require_text(const std::string& what, const std::string& text) {
  if (text.size() > hdf5::longest_text || text.find('\0') != std::string::npos) {
    throw InvalidArgument(
        fmt::format("{} has {} bytes, or a zero byte among them; a checkpoint takes texts of up to "
                    "{} bytes without",
                    what, text.size(), hdf5::longest_text));
  }
}

template <int N>
Extents<N> require_header(const CheckpointHeader& header) {
  if (header.extents.size() != N) {
    throw InvalidArgument(fmt::format(
        "the header of a checkpoint has {} extents, and the fields {}", header.extents.size(), N));
  }
  Extents<N> extents;
  std::copy(header.extents.begin(), header.extents.end(), extents.begin());
  for (const index_t extent : extents) {
    if (extent < 1) throw InvalidArgument("a checkpoint of a grid without points");
  }
  require_text("the program's name", header.program);
  for (const auto& [name, value] : header.parameters) {
    if (name.empty()) throw InvalidArgument("a parameter of a checkpoint has no name");
    require_text(fmt::format("the name of parameter '{}'", name), name);
    const auto* const text = std::get_if<std::string>(&value);
    if (text != nullptr) require_text(fmt::format("parameter '{}'", name), *text);
  }
  return extents;
}

void write_norms(const hdf5::Session& session, hid_t parent,
                 const std::vector<NormRecord>& records) {
  std::vector<std::int64_t> iterations;
  std::vector<double> norms;
  for (const NormRecord& record : records) {
    iterations.push_back(record.iteration);
    norms.push_back(record.norm);
  }
  const hdf5::Handle group = hdf5::make_group(session, parent, "norms");
  hdf5::write_table(session, group.get(), "iteration", iterations);
  hdf5::write_table(session, group.get(), "norm", norms);
}

void write_parameters(const hdf5::Session& session, hid_t parent,
                      const std::map<std::string, CheckpointValue>& parameters) {
  const hdf5::Handle group = hdf5::make_group(session, parent, "parameters");
  for (const auto& [name, value] : parameters) {
    if (const auto* const text = std::get_if<std::string>(&value)) {
      hdf5::write_text(session, group.get(), name, *text);
    } else if (const auto* const real = std::get_if<double>(&value)) {
      hdf5::write_attribute(session, group.get(), name, *real);
    } else {
      hdf5::write_attribute(session, group.get(), name, std::get<std::int64_t>(value));
    }
  }
}

// Writes the pieces of a field and returns their checksums. Each process writes the pieces of its
// own blocks; no two write to the same one.
template <class T, int N>
std::vector<std::uint32_t> write_values(const hdf5::Session& session, hid_t values,
                                        const pieces::Layout& layout,
                                        const FieldBlocks<T, N>& field) {
  const auto points = static_cast<hsize_t>(layout.points);
  const hdf5::Handle file_space = session.own(H5Dget_space(values), H5Sclose, "dataspace");
  const hdf5::Handle memory_space =
      session.own(H5Screate_simple(1, &points, nullptr), H5Sclose, "dataspace");
  const hdf5::Handle transfer = hdf5::transfer(session);
  std::vector<std::uint32_t> checksums(static_cast<std::size_t>(layout.count()));
  std::vector<T> piece(points);
  for (std::size_t b = 0; b < field.blocks.size(); ++b) {
    const FieldBlock<T, N>& block = field.blocks[b];
    const index_t end = size<3>(layout.boxes[b]);
    for (index_t p = layout.first[b]; p < layout.first[b + 1]; ++p) {
      const index_t from = (p - layout.first[b]) * layout.points;
      const index_t to = std::min(from + layout.points, end);
      pieces::pack(layout.boxes[b], block.data, pieces::spatial(block.pitches), from, to,
                   piece.data());
      std::fill(piece.begin() + (to - from), piece.end(), T(0));
      Checksum sum;
      sum.add_bytes(piece.data(), piece.size() * sizeof(T));
      checksums[static_cast<std::size_t>(p)] = sum.value();
      const hsize_t start = static_cast<hsize_t>(p) * points;
      session.check(
          H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &start, nullptr, &points, nullptr),
          "selection");
      session.check(H5Dwrite(values, hdf5::type_of<T>(), memory_space.get(), file_space.get(),
                             transfer.get(), piece.data()),
                    fmt::format("field '{}'", field.name));
    }
  }
  return checksums;
}

template <class T, int N>
void write_field(const hdf5::Session& session, hid_t parent, const FieldBlocks<T, N>& field,
                 std::vector<ByteRange>& places) {
  std::vector<Box<3>> boxes;
  std::vector<std::int64_t> table;
  for (const FieldBlock<T, N>& block : field.blocks) {
    boxes.push_back(pieces::spatial(block.box));
    for (const Range& range : boxes.back()) table.insert(table.end(), {range.begin, range.end});
  }
  const index_t points = pieces::points_of_piece(boxes, sizeof(T));
  const pieces::Layout layout(std::move(boxes), points);
  const hdf5::Handle group = hdf5::make_group(session, parent, field.name);
  hdf5::write_table(session, group.get(), "blocks", table, 6);
  const hdf5::Handle values =
      hdf5::make_dataset(session, group.get(), "values", hdf5::type_of<T>(),
                         {static_cast<hsize_t>(layout.count() * layout.points)});
  hdf5::write_attribute(session, values.get(), "piece", layout.points);
  hdf5::write_table(session, group.get(), "checksums",
                    write_values(session, values.get(), layout, field));
  const haddr_t address = H5Dget_offset(values.get());
  if (address == HADDR_UNDEF) session.fail(fmt::format("field '{}' has no place", field.name));
  places.push_back({address, address + H5Dget_storage_size(values.get())});
}

template <class T, int N>
void require_fields(const std::vector<FieldBlocks<T, N>>& fields, const Extents<N>& extents) {
  std::set<std::string> names;
  for (const FieldBlocks<T, N>& field : fields) {
    static_cast<void>(require_complete(field, extents));
    if (!names.insert(field.name).second) {
      throw InvalidArgument(fmt::format("a checkpoint of two fields named '{}'", field.name));
    }
  }
}

// Returns where the values are, which have checksums of their own.
template <class T, int N>
std::vector<ByteRange> write_content(hdf5::Session& session, int descriptor,
                                     const CheckpointHeader& header,
                                     const std::vector<FieldBlocks<T, N>>& fields) {
  std::vector<ByteRange> places;
  hdf5::OutputFile file(session, descriptor);
  {
    const hdf5::Handle root =
        session.own(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose, "root group");
    hdf5::write_text(session, root.get(), "format", checkpoint::format_name);
    hdf5::write_attribute(session, root.get(), "version", checkpoint::format_version);
    hdf5::write_text(session, root.get(), "program", header.program);
    hdf5::write_text(session, root.get(), "precision", checkpoint::precision_name<T>());
    hdf5::write_attribute(session, root.get(), "extents", header.extents);
    hdf5::write_attribute(session, root.get(), "step", header.step);
    write_parameters(session, root.get(), header.parameters);
    write_norms(session, root.get(), header.norm_history);
    const hdf5::Handle group = hdf5::make_group(session, root.get(), "fields");
    for (const auto& field : fields) write_field(session, group.get(), field, places);
  }
  file.finish();
  return places;
}

}  // namespace

template <class T, int N>
void write_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header,
                      const std::vector<FieldBlocks<T, N>>& fields) {
  require_fields(fields, require_header<N>(header));
  Replacement file(path);
  std::vector<ByteRange> places;
  {
    hdf5::Session session(fmt::format("cannot write '{}'", path.string()));
    places = write_content(session, file.descriptor(), header, fields);
  }
  if (const int error = append_seal(file.descriptor(), std::move(places))) {
    refuse_to_write(path, std::strerror(error));
  }
  file.commit(Replacement::Previous::keep);
}

template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<FieldBlocks<float, 2>>&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<FieldBlocks<double, 2>>&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<FieldBlocks<float, 3>>&);
template void write_checkpoint(const std::filesystem::path&, const CheckpointHeader&,
                               const std::vector<FieldBlocks<double, 3>>&);

}  // namespace kolam
