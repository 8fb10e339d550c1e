// SPDX-License-Identifier: Apache-2.0
// Reads VTK files in tests.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kolam::testing {

// Reads with HDF5 alone, independently of the code that wrote the file.
class VtkFile {
 public:
  explicit VtkFile(const std::filesystem::path& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
        group_(H5Gopen2(file_, "VTKHDF", H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
    EXPECT_GE(group_, 0);
  }
  VtkFile(const VtkFile&) = delete;
  VtkFile& operator=(const VtkFile&) = delete;
  ~VtkFile() {
    H5Gclose(group_);
    H5Fclose(file_);
  }

  bool has(const char* name) const { return H5Lexists(group_, name, H5P_DEFAULT) > 0; }

  // Returns an attribute of one dimension, whose stored type must be `stored`.
  template <class V>
  std::vector<V> attribute(const char* name, hid_t stored, hid_t memory) const {
    const hid_t id = H5Aopen(group_, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(id), space = H5Aget_space(id);
    EXPECT_GT(H5Tequal(type, stored), 0) << name;
    EXPECT_EQ(H5Sget_simple_extent_ndims(space), 1) << name;
    std::vector<V> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(id, memory, values.data()), 0) << name;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(id);
    return values;
  }

  std::string type() const {
    const hid_t id = H5Aopen(group_, "Type", H5P_DEFAULT);
    const hid_t type = H5Aget_type(id), space = H5Aget_space(id);
    EXPECT_EQ(H5Tget_class(type), H5T_STRING);
    EXPECT_EQ(H5Tis_variable_str(type), 0);
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
    EXPECT_EQ(H5Sget_simple_extent_type(space), H5S_SCALAR);
    std::string text(H5Tget_size(type), '?');
    H5Aread(id, type, text.data());
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(id);
    return text;
  }

  template <class V>
  std::vector<V> dataset(const char* name, hid_t stored, hid_t memory,
                         std::vector<hsize_t>& dims) const {
    const hid_t id = H5Dopen2(group_, name, H5P_DEFAULT);
    EXPECT_GE(id, 0) << name;
    const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
    EXPECT_GT(H5Tequal(type, stored), 0) << name;
    dims.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    std::vector<V> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(id);
    return values;
  }

 private:
  hid_t file_;
  hid_t group_;
};

}  // namespace kolam::testing
