// SPDX-License-Identifier: Apache-2.0
// Attributes, groups and tables of HDF5 files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hdf5/session.hpp"

namespace kolam::hdf5 {

/// Returns the HDF5 type of V in files (little-endian) and in memory of the supported CPUs.
template <class V>
hid_t type_of() {
  if constexpr (std::is_same_v<V, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<V, double>) return H5T_IEEE_F64LE;
  if constexpr (std::is_same_v<V, std::uint8_t>) return H5T_STD_U8LE;
  if constexpr (std::is_same_v<V, std::uint32_t>) return H5T_STD_U32LE;
  if constexpr (std::is_same_v<V, std::int64_t>) return H5T_STD_I64LE;
}

inline constexpr std::size_t longest_text = 32768;

// Writing. Groups keep their links and attributes in their headers, which have checksums.
Handle make_group(const Session& session, hid_t parent, const std::string& name);
void write_text(const Session& session, hid_t object, const std::string& name,
                const std::string& text);
/// Writes a scalar, or a vector.
template <class V>
void write_attribute(const Session& session, hid_t object, const std::string& name, V value);
template <class V>
void write_attribute(const Session& session, hid_t object, const std::string& name,
                     const std::vector<V>& values);
/// Writes a table [rows, columns], or [rows] for one column.
template <class V>
void write_table(const Session& session, hid_t parent, const std::string& name,
                 const std::vector<V>& values, std::size_t columns = 1);
/// Makes a dataset that is one range of bytes in the file; its values are written later.
Handle make_dataset(const Session& session, hid_t parent, const std::string& name, hid_t type,
                    const std::vector<hsize_t>& dims);
/// Returns the file offset of a dataset's bytes.
std::uint64_t place_of(const Session& session, hid_t dataset, const std::string& what);

// Reading. Sizes that the file claims are checked against its size before memory is allocated.
Handle open_group(const Session& session, hid_t parent, const std::string& name);
std::string read_text(const Session& session, hid_t object, const std::string& name);
template <class V>
V read_attribute(const Session& session, hid_t object, const std::string& name);
template <class V>
std::vector<V> read_attributes(const Session& session, hid_t object, const std::string& name,
                               std::size_t at_most);
template <class V>
std::vector<V> read_table(const Session& session, hid_t parent, const std::string& name,
                          std::size_t columns, hsize_t file_bytes);
/// Returns the class of an attribute's type.
H5T_class_t attribute_class(const Session& session, hid_t object, const std::string& name);
std::vector<std::string> attribute_names(const Session& session, hid_t object);
std::vector<std::string> link_names(const Session& session, hid_t group);

/// A dataset that is one range of bytes of this file. (Others could refer to other files, load
/// plugins, or expand to any size.)
struct Dataset {
  Handle id;
  Handle space;
  std::vector<hsize_t> dims;
};
/// Opens a dataset. Throws FileError if it is not one range of bytes of `rank` dimensions and type
/// `type`, or if it is larger than `file_bytes`.
Dataset open_dataset(const Session& session, hid_t parent, const std::string& name, hid_t type,
                     std::size_t rank, hsize_t file_bytes);

}  // namespace kolam::hdf5
