// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <kolam/core/error.hpp>
#include <optional>
#include <set>
#include <span>

#include "all_boxes.hpp"
#include "checkpoint_format.hpp"
#include "checkpoint_writer.hpp"
#include "checksum.hpp"
#include "checksum_footer.hpp"
#include "chunks.hpp"
#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "positioned.hpp"
#include "shared_replacement.hpp"

// The file:
//   /            attributes format, version, program, precision, extents (x first), step
//   /parameters  one attribute each
//   /norms       iteration [n], norm [n]
//   /fields/f    blocks [blocks, 6]: begin and end in x, y, z, by global indices
//                values [chunks * points], with an attribute "piece": the points of a chunk
//                checksums [chunks]: CRC-32 of each chunk, padding included
// For chunks see chunks.hpp. After the HDF5 data follows the checksum footer over everything but
// the values: see checksum_footer.hpp. Datasets are plain ranges of bytes. Rank 0 makes the file
// with HDF5 and broadcasts the offsets of values and checksums; then every process writes the
// chunks of its own blocks without HDF5.
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
                 const std::vector<grid::NormRecord>& records) {
  std::vector<std::int64_t> iterations;
  std::vector<double> norms;
  for (const grid::NormRecord& record : records) {
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

// A field and this process's blocks of it.
template <class T, int N>
struct SharedField {
  comm::FieldBlocks<T, N> own;
  chunks::Layout layout;
  std::size_t first;                       // number of the first own block among all
  std::vector<std::uint32_t> checksums{};  // of the own chunks
};

// Offsets of a field's data in the file.
struct Places {
  std::uint64_t values = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksums = 0;
};

template <class T, int N>
Places make_field(const hdf5::Session& session, hid_t parent, const SharedField<T, N>& field) {
  const chunks::Layout& layout = field.layout;
  std::vector<std::int64_t> table;
  for (const Box<3>& box : layout.boxes) {
    for (const Range& range : box) table.insert(table.end(), {range.begin, range.end});
  }
  const std::string& name = field.own.name;
  const hdf5::Handle group = hdf5::make_group(session, parent, name);
  hdf5::write_table(session, group.get(), "blocks", table, 6);
  const hdf5::Handle values =
      hdf5::make_dataset(session, group.get(), "values", hdf5::type_of<T>(),
                         {static_cast<hsize_t>(layout.count() * layout.points)});
  hdf5::write_attribute(session, values.get(), "piece", layout.points);
  const hdf5::Handle checksums =
      hdf5::make_dataset(session, group.get(), "checksums", hdf5::type_of<std::uint32_t>(),
                         {static_cast<hsize_t>(layout.count())});
  return {hdf5::place_of(session, values.get(), name), H5Dget_storage_size(values.get()),
          hdf5::place_of(session, checksums.get(), name)};
}

// Writes everything but values and their checksums; returns where those belong in the file.
template <class T, int N>
std::vector<Places> make_file(const std::filesystem::path& path, int descriptor,
                              const CheckpointHeader& header,
                              const std::vector<SharedField<T, N>>& fields) {
  hdf5::Session session(fmt::format("cannot write '{}'", path.string()));
  std::vector<Places> places;
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
    for (const auto& field : fields) places.push_back(make_field(session, group.get(), field));
  }
  file.finish();
  return places;
}

template <class T, int N>
class Writer final : public CheckpointWriter {
 public:
  Writer(const std::filesystem::path& path, const CheckpointHeader& header,
         const std::vector<comm::FieldBlocks<T, N>>& fields, const Communicator& communicator)
      : path_(path), communicator_(communicator) {
    Extents<N> extents{};
    comm::throw_together(communicator_, [&] {
      extents = require_header<N>(header);
      std::set<std::string> names;
      for (const comm::FieldBlocks<T, N>& field : fields) {
        comm::require_blocks(field);
        if (!names.insert(field.name).second) {
          throw InvalidArgument(fmt::format("a checkpoint of two fields named '{}'", field.name));
        }
      }
    });
    for (const comm::FieldBlocks<T, N>& field : fields) {
      const auto [boxes, first] = all_boxes(communicator_, field, extents);
      std::vector<Box<3>> all;
      for (const Box<N>& box : boxes) all.push_back(comm::spatial(box));
      const index_t points = chunks::points_of_chunk(all, sizeof(T));
      fields_.push_back({field, chunks::Layout(std::move(all), points), first});
    }
    places_.resize(fields.size());
    file_.emplace(path, communicator_,
                  [&](int descriptor) { places_ = make_file(path, descriptor, header, fields_); });
    communicator_.broadcast(std::span(places_));
  }

  void write_values() noexcept override {
    try {
      for (std::size_t f = 0; f < fields_.size(); ++f) write_chunks(fields_[f], places_[f].values);
      if (const int error = file_->sync()) refuse_to_write(path_, std::strerror(error));
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void commit() override {
    comm::throw_together(communicator_, [&] {
      if (failure_) std::rethrow_exception(failure_);
    });
    std::vector<std::vector<std::uint32_t>> checksums;  // of all chunks of each field, on rank 0
    for (const SharedField<T, N>& field : fields_) checksums.push_back(gathered(field.checksums));
    file_->commit(Replacement::Previous::keep, [&](int descriptor) {
      int error = 0;
      std::vector<ByteRange> values;
      for (std::size_t f = 0; f < fields_.size() && error == 0; ++f) {
        values.push_back({places_[f].values, places_[f].values + places_[f].bytes});
        error = write_at(descriptor, checksums[f].data(),
                         checksums[f].size() * sizeof(std::uint32_t), places_[f].checksums);
      }
      if (error == 0) error = append_checksum_footer(descriptor, std::move(values));
      if (error != 0) refuse_to_write(path_, std::strerror(error));
    });
  }

 private:
  void write_chunks(SharedField<T, N>& field, std::uint64_t place) const {
    const chunks::Layout& layout = field.layout;
    std::vector<T> chunk(static_cast<std::size_t>(layout.points));
    const std::size_t bytes = chunk.size() * sizeof(T);
    for (std::size_t b = 0; b < field.own.blocks.size(); ++b) {
      const comm::FieldBlock<T, N>& block = field.own.blocks[b];
      const std::size_t number = field.first + b;
      const Box<3>& box = layout.boxes[number];
      const index_t end = size<3>(box);
      for (index_t p = layout.first[number]; p < layout.first[number + 1]; ++p) {
        const index_t from = (p - layout.first[number]) * layout.points;
        const index_t to = std::min(from + layout.points, end);
        chunks::pack(box, block.data, comm::spatial(block.pitches), from, to, chunk.data());
        std::fill(chunk.begin() + (to - from), chunk.end(), T(0));
        Checksum sum;
        sum.add_bytes(chunk.data(), bytes);
        field.checksums.push_back(sum.value());
        const std::uint64_t at = place + static_cast<std::uint64_t>(p) * bytes;
        if (const int error = write_at(file_->descriptor(), chunk.data(), bytes, at)) {
          refuse_to_write(path_, std::strerror(error));
        }
      }
    }
  }

  std::vector<std::uint32_t> gathered(const std::vector<std::uint32_t>& own) const {
    std::vector<std::uint32_t> all;
    for (const auto& part : communicator_.gather(std::as_bytes(std::span(own)))) {
      const std::size_t before = all.size();
      all.resize(before + part.size() / sizeof(std::uint32_t));
      if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
    }
    return all;
  }

  std::filesystem::path path_;
  Communicator communicator_;
  std::vector<SharedField<T, N>> fields_;
  std::vector<Places> places_;
  std::optional<SharedReplacement> file_;
  std::exception_ptr failure_;
};

}  // namespace

template <class T, int N>
std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path& path, const CheckpointHeader& header,
    const std::vector<comm::FieldBlocks<T, N>>& fields, const Communicator& communicator) {
  return std::make_unique<Writer<T, N>>(path, header, fields, communicator);
}

template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<float, 2>>&, const Communicator&);
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<float, 3>>&, const Communicator&);
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<double, 2>>&, const Communicator&);
template std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path&, const CheckpointHeader&,
    const std::vector<comm::FieldBlocks<double, 3>>&, const Communicator&);

}  // namespace kolam
