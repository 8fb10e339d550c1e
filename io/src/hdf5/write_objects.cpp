// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "hdf5/objects.hpp"

namespace kolam::hdf5 {
namespace {

Handle make_space(const Session& session, const std::vector<hsize_t>& dims) {
  const hid_t id = dims.empty()
                       ? H5Screate(H5S_SCALAR)
                       : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
  return session.own(id, H5Sclose, "no dataspace");
}

void write(const Session& session, hid_t object, const std::string& name, hid_t type,
           const std::vector<hsize_t>& dims, const void* value) {
  const std::string what = fmt::format("attribute '{}'", name);
  const Handle space = make_space(session, dims);
  const Handle attribute =
      session.own(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose, what);
  session.check(H5Awrite(attribute.get(), type, value), what);
}

}  // namespace

Handle make_group(const Session& session, hid_t parent, const std::string& name) {
  const Handle properties = creation(session, H5P_GROUP_CREATE);
  session.check(H5Pset_link_phase_change(properties.get(), 65535, 0), "links");
  session.check(H5Pset_attr_phase_change(properties.get(), 65535, 0), "attributes");
  return session.own(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                     H5Gclose, fmt::format("group '{}'", name));
}

void write_text(const Session& session, hid_t object, const std::string& name,
                const std::string& text) {
  const Handle type = session.own(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  // HDF5 has no texts of 0 bytes.
  session.check(H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1)), "text type");
  session.check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "text type");
  session.check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "text type");
  write(session, object, name, type.get(), {}, text.c_str());
}

template <class V>
void write_attribute(const Session& session, hid_t object, const std::string& name, V value) {
  write(session, object, name, type_of<V>(), {}, &value);
}

template <class V>
void write_attribute(const Session& session, hid_t object, const std::string& name,
                     const std::vector<V>& values) {
  write(session, object, name, type_of<V>(), {values.size()}, values.data());
}

Handle make_dataset(const Session& session, hid_t parent, const std::string& name, hid_t type,
                    const std::vector<hsize_t>& dims) {
  const Handle space = make_space(session, dims);
  const Handle properties = creation(session, H5P_DATASET_CREATE);
  session.check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "no fill values");
  session.check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "no place");
  return session.own(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT,
                                properties.get(), H5P_DEFAULT),
                     H5Dclose, fmt::format("dataset '{}'", name));
}

std::uint64_t place_of(const Session& session, hid_t dataset, const std::string& what) {
  const haddr_t address = H5Dget_offset(dataset);
  if (address == HADDR_UNDEF) session.fail(fmt::format("{} has no place", what));
  return address;
}

template <class V>
void write_table(const Session& session, hid_t parent, const std::string& name,
                 const std::vector<V>& values, std::size_t columns) {
  std::vector<hsize_t> dims{values.size() / columns};
  if (columns > 1) dims.push_back(columns);
  const Handle table = make_dataset(session, parent, name, type_of<V>(), dims);
  if (values.empty()) return;
  session.check(
      H5Dwrite(table.get(), type_of<V>(), H5S_ALL, H5S_ALL, transfer(session).get(), values.data()),
      fmt::format("dataset '{}'", name));
}

template void write_attribute(const Session&, hid_t, const std::string&, std::int64_t);
template void write_attribute(const Session&, hid_t, const std::string&, double);
template void write_attribute(const Session&, hid_t, const std::string&, std::uint32_t);
template void write_attribute(const Session&, hid_t, const std::string&,
                              const std::vector<std::int64_t>&);
template void write_attribute(const Session&, hid_t, const std::string&,
                              const std::vector<double>&);
template void write_table(const Session&, hid_t, const std::string&,
                          const std::vector<std::int64_t>&, std::size_t);
template void write_table(const Session&, hid_t, const std::string&, const std::vector<double>&,
                          std::size_t);
template void write_table(const Session&, hid_t, const std::string&,
                          const std::vector<std::uint8_t>&, std::size_t);

}  // namespace kolam::hdf5
