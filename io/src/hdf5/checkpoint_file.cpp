// SPDX-License-Identifier: Apache-2.0
#include "hdf5/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <kolam/core/error.hpp>

#include "checkpoint_format.hpp"
#include "checksum_footer.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;

std::string remedy(const fs::path& path) {
  const fs::path previous = previous_checkpoint(path);
  std::error_code ignored;
  if (!fs::exists(previous, ignored) || path.extension() == ".previous") {
    return "; begin the run anew, or name another checkpoint";
  }
  return fmt::format("; the checkpoint before it is '{}'", previous.string());
}

CheckpointHeader read_header(const hdf5::Session& session, hid_t root, hsize_t file_bytes) {
  CheckpointHeader header;
  header.program = hdf5::read_text(session, root, "program");
  header.extents = hdf5::read_attributes<std::int64_t>(session, root, "extents", 3);
  header.step = hdf5::read_attribute<std::int64_t>(session, root, "step");

  const hdf5::Handle parameters = hdf5::open_group(session, root, "parameters");
  for (const std::string& name : hdf5::attribute_names(session, parameters.get())) {
    CheckpointValue& value = header.parameters[name];
    switch (hdf5::attribute_class(session, parameters.get(), name)) {
      case H5T_STRING:
        value = hdf5::read_text(session, parameters.get(), name);
        break;
      case H5T_FLOAT:
        value = hdf5::read_attribute<double>(session, parameters.get(), name);
        break;
      default:
        value = hdf5::read_attribute<std::int64_t>(session, parameters.get(), name);
    }
  }

  const hdf5::Handle norms = hdf5::open_group(session, root, "norms");
  const auto iterations =
      hdf5::read_table<std::int64_t>(session, norms.get(), "iteration", 1, file_bytes);
  const auto values = hdf5::read_table<double>(session, norms.get(), "norm", 1, file_bytes);
  if (iterations.size() != values.size()) {
    session.fail(fmt::format("it has {} norms of {} iterations", values.size(), iterations.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    header.norm_history.push_back({iterations[i], values[i]});
  }
  return header;
}

// The extents of the grid; a 2D grid has one layer in z.
Extents<3> grid_of(const hdf5::Session& session, const CheckpointHeader& header) {
  Extents<3> grid{1, 1, 1};
  if (header.extents.size() < 2) session.fail("it is of a grid of less than two dimensions");
  for (std::size_t d = 0; d < header.extents.size(); ++d) {
    if (header.extents[d] < 1) {
      session.fail(
          fmt::format("it is of a grid of {} points in dimension {}", header.extents[d], d));
    }
    grid[d] = header.extents[d];
  }
  return grid;
}

OpenField open_field(const hdf5::Session& session, hid_t parent, const std::string& name,
                     const Extents<3>& grid, hid_t type, hsize_t file_bytes) {
  const hdf5::Handle group = hdf5::open_group(session, parent, name);
  const auto table = hdf5::read_table<std::int64_t>(session, group.get(), "blocks", 6, file_bytes);
  std::vector<Box<3>> boxes;
  for (std::size_t i = 0; i + 6 <= table.size(); i += 6) {
    boxes.push_back({Range{table[i], table[i + 1]}, Range{table[i + 2], table[i + 3]},
                     Range{table[i + 4], table[i + 5]}});
  }
  hdf5::Dataset values = hdf5::open_dataset(session, group.get(), "values", type, 1, file_bytes);
  try {
    // Checked before other products of extents: those of the blocks are smaller.
    const index_t points = checked_product("the grid", {grid[0], grid[1], grid[2]});
    if (static_cast<hsize_t>(points) > values.dims[0]) {
      session.fail(fmt::format("field '{}' has {} values, and the grid {} points", name,
                               values.dims[0], points));
    }
    comm::require_tiling<3>(fmt::format("field '{}'", name), grid, boxes);
  } catch (const InvalidArgument& error) {
    session.fail(error.what());
  }
  const auto chunk = hdf5::read_attribute<std::int64_t>(session, values.id.get(), "piece");
  if (chunk < 1 || chunk > chunks::largest_chunk / static_cast<index_t>(H5Tget_size(type))) {
    session.fail(fmt::format("field '{}' has chunks of {} points", name, chunk));
  }
  chunks::Layout layout(std::move(boxes), chunk);
  if (static_cast<hsize_t>(layout.count()) * static_cast<hsize_t>(chunk) != values.dims[0]) {
    session.fail(fmt::format("field '{}' has {} values, and its blocks take {} chunks of {}", name,
                             values.dims[0], layout.count(), chunk));
  }
  auto checksums =
      hdf5::read_table<std::uint32_t>(session, group.get(), "checksums", 1, file_bytes);
  if (checksums.size() != static_cast<std::size_t>(layout.count())) {
    session.fail(fmt::format("field '{}' has {} chunks and {} checksums", name, layout.count(),
                             checksums.size()));
  }
  return {{name, std::move(layout), std::move(checksums)}, std::move(values)};
}

}  // namespace

CheckpointReader::File::File(const fs::path& path) : path_(path) {
  descriptor_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor_) {
    throw FileError(
        fmt::format("cannot read checkpoint '{}': {}", path.string(), std::strerror(errno)));
  }
  const hdf5::Session session = this->session();
  try {
    open(session);
  } catch (...) {
    // Handles must be closed while the session exists.
    fields_.clear();
    file_ = {};
    throw;
  }
}

CheckpointReader::File::~File() {
  const hdf5::Session session("cannot close a checkpoint");
  fields_.clear();
  file_ = {};
}

hdf5::Session CheckpointReader::File::session() const {
  return hdf5::Session(fmt::format("cannot read checkpoint '{}'", path_.string()), remedy(path_),
                       &state_.error);
}

void CheckpointReader::File::open(const hdf5::Session& session) {
  if (const std::string damage = check_checksum_footer(descriptor_.number()); !damage.empty()) {
    session.fail(damage);
  }
  state_.descriptor = descriptor_.number();
  const hdf5::Handle access = hdf5::file_access(session, &state_);
  file_ =
      session.own(H5Fopen("kolam", H5F_ACC_RDONLY, access.get()), H5Fclose, "it is no HDF5 file");
  hsize_t file_bytes = 0;
  session.check(H5Fget_filesize(file_.get(), &file_bytes), "its size");
  const hdf5::Handle root =
      session.own(H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose, "root group");
  if (session.check(H5Aexists(root.get(), "format"), "root group") == 0 ||
      hdf5::read_text(session, root.get(), "format") != checkpoint::format_name) {
    session.fail("it is an HDF5 file of another program, no checkpoint of kolam");
  }
  const auto version = hdf5::read_attribute<std::int64_t>(session, root.get(), "version");
  if (version != checkpoint::format_version) {
    session.fail(
        fmt::format("its format has version {}, and this kolam reads version {}; read it "
                    "with the kolam that wrote it",
                    version, checkpoint::format_version));
  }
  precision_ = hdf5::read_text(session, root.get(), "precision");
  if (precision_ != "float" && precision_ != "double") {
    session.fail(fmt::format("its precision is '{}', not float or double", precision_));
  }
  header_ = read_header(session, root.get(), file_bytes);
  const Extents<3> grid = grid_of(session, header_);
  const hid_t type = precision_ == "float" ? hdf5::type_of<float>() : hdf5::type_of<double>();
  const hdf5::Handle group = hdf5::open_group(session, root.get(), "fields");
  for (const std::string& name : hdf5::link_names(session, group.get())) {
    fields_.push_back(open_field(session, group.get(), name, grid, type, file_bytes));
  }
}

const OpenField& CheckpointReader::File::field(const std::string& name) const {
  std::string names;
  for (const OpenField& field : fields_) {
    if (field.stored.name == name) return field;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", field.stored.name);
  }
  throw FileError(fmt::format("cannot read checkpoint '{}': it has no field '{}', but {}",
                              path_.string(), name, names.empty() ? "none" : names));
}

}  // namespace kolam
