// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "hdf5/objects.hpp"

namespace kolam::hdf5 {
namespace {

struct Attribute {
  Handle id;
  Handle type;
  std::vector<hsize_t> dims;
};

Attribute open_attribute(const Session& session, hid_t object, const std::string& name) {
  const std::string what = fmt::format("attribute '{}'", name);
  Attribute attribute;
  attribute.id = session.own(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  attribute.type = session.own(H5Aget_type(attribute.id.get()), H5Tclose, what);
  const Handle space = session.own(H5Aget_space(attribute.id.get()), H5Sclose, what);
  const int rank = session.check(H5Sget_simple_extent_ndims(space.get()), what);
  attribute.dims.resize(static_cast<std::size_t>(rank));
  session.check(H5Sget_simple_extent_dims(space.get(), attribute.dims.data(), nullptr), what);
  return attribute;
}

// HDF5 calls these from C, so they must not throw.
extern "C" herr_t collect_attribute(hid_t, const char* name, const H5A_info_t*,
                                    void* names) noexcept {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}
extern "C" herr_t collect_link(hid_t, const char* name, const H5L_info_t*, void* names) noexcept {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

// Rejects other links, because HDF5 follows them silently, even to another file.
void require_hard_link(const Session& session, hid_t parent, const std::string& name) {
  H5L_info_t link;
  session.check(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT),
                fmt::format("it has no '{}'", name));
  if (link.type != H5L_TYPE_HARD) session.fail(fmt::format("'{}' is stored elsewhere", name));
}

}  // namespace

Handle open_group(const Session& session, hid_t parent, const std::string& name) {
  require_hard_link(session, parent, name);
  return session.own(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose,
                     fmt::format("group '{}'", name));
}

std::string read_text(const Session& session, hid_t object, const std::string& name) {
  const Attribute attribute = open_attribute(session, object, name);
  const std::size_t size = H5Tget_size(attribute.type.get());
  if (H5Tget_class(attribute.type.get()) != H5T_STRING || !attribute.dims.empty() ||
      H5Tis_variable_str(attribute.type.get()) != 0 || size > longest_text) {
    session.fail(fmt::format("attribute '{}' is no text as kolam writes it", name));
  }
  std::string text(size, '\0');
  session.check(H5Aread(attribute.id.get(), attribute.type.get(), text.data()),
                fmt::format("attribute '{}'", name));
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

template <class V>
V read_attribute(const Session& session, hid_t object, const std::string& name) {
  const Attribute attribute = open_attribute(session, object, name);
  if (!attribute.dims.empty() || H5Tequal(attribute.type.get(), type_of<V>()) <= 0) {
    session.fail(fmt::format("attribute '{}' is not of the type that kolam writes", name));
  }
  V value{};
  session.check(H5Aread(attribute.id.get(), type_of<V>(), &value),
                fmt::format("attribute '{}'", name));
  return value;
}

template <class V>
std::vector<V> read_attributes(const Session& session, hid_t object, const std::string& name,
                               std::size_t at_most) {
  const Attribute attribute = open_attribute(session, object, name);
  if (attribute.dims.size() != 1 || attribute.dims[0] > at_most ||
      H5Tequal(attribute.type.get(), type_of<V>()) <= 0) {
    session.fail(fmt::format("attribute '{}' is not of the type that kolam writes", name));
  }
  std::vector<V> values(attribute.dims[0]);
  session.check(H5Aread(attribute.id.get(), type_of<V>(), values.data()),
                fmt::format("attribute '{}'", name));
  return values;
}

Dataset open_dataset(const Session& session, hid_t parent, const std::string& name, hid_t type,
                     std::size_t rank, hsize_t file_bytes) {
  const std::string what = fmt::format("dataset '{}'", name);
  require_hard_link(session, parent, name);
  Dataset dataset;
  dataset.id = session.own(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle stored = session.own(H5Dget_type(dataset.id.get()), H5Tclose, what);
  const Handle properties = session.own(H5Dget_create_plist(dataset.id.get()), H5Pclose, what);
  dataset.space = session.own(H5Dget_space(dataset.id.get()), H5Sclose, what);
  const auto dimensions = static_cast<std::size_t>(
      session.check(H5Sget_simple_extent_ndims(dataset.space.get()), what));
  if (dimensions != rank || H5Tequal(stored.get(), type) <= 0 ||
      H5Pget_layout(properties.get()) != H5D_CONTIGUOUS ||
      H5Pget_external_count(properties.get()) != 0) {
    session.fail(fmt::format("{} is not as kolam writes it", what));
  }
  dataset.dims.resize(rank);
  session.check(H5Sget_simple_extent_dims(dataset.space.get(), dataset.dims.data(), nullptr), what);
  hsize_t room = file_bytes / H5Tget_size(type);
  for (const hsize_t extent : dataset.dims) room /= std::max<hsize_t>(extent, 1);
  if (room == 0) {
    session.fail(fmt::format("{} claims {} rows, more than the file's {} bytes can hold", what,
                             dataset.dims[0], file_bytes));
  }
  return dataset;
}

template <class V>
std::vector<V> read_table(const Session& session, hid_t parent, const std::string& name,
                          std::size_t columns, hsize_t file_bytes) {
  const Dataset table =
      open_dataset(session, parent, name, type_of<V>(), columns > 1 ? 2 : 1, file_bytes);
  if (columns > 1 && table.dims[1] != columns) {
    session.fail(fmt::format("dataset '{}' has {} columns, not {}", name, table.dims[1], columns));
  }
  std::vector<V> values(table.dims[0] * columns);
  if (values.empty()) return values;
  session.check(H5Dread(table.id.get(), type_of<V>(), H5S_ALL, H5S_ALL, transfer(session).get(),
                        values.data()),
                fmt::format("dataset '{}'", name));
  return values;
}

H5T_class_t attribute_class(const Session& session, hid_t object, const std::string& name) {
  return H5Tget_class(open_attribute(session, object, name).type.get());
}

std::vector<std::string> attribute_names(const Session& session, hid_t object) {
  std::vector<std::string> names;
  session.check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_attribute, &names),
                "its attributes");
  return names;
}

std::vector<std::string> link_names(const Session& session, hid_t group) {
  std::vector<std::string> names;
  session.check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_link, &names),
                "its groups");
  return names;
}

template std::int64_t read_attribute(const Session&, hid_t, const std::string&);
template double read_attribute(const Session&, hid_t, const std::string&);
template std::uint32_t read_attribute(const Session&, hid_t, const std::string&);
template std::vector<std::int64_t> read_attributes(const Session&, hid_t, const std::string&,
                                                   std::size_t);
template std::vector<std::int64_t> read_table(const Session&, hid_t, const std::string&,
                                              std::size_t, hsize_t);
template std::vector<double> read_table(const Session&, hid_t, const std::string&, std::size_t,
                                        hsize_t);
template std::vector<std::uint32_t> read_table(const Session&, hid_t, const std::string&,
                                               std::size_t, hsize_t);

}  // namespace kolam::hdf5
