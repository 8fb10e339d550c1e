// SPDX-License-Identifier: Apache-2.0
// An open checkpoint whose header has been checked.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <string>
#include <vector>

#include "chunks.hpp"
#include "hdf5/driver.hpp"
#include "hdf5/objects.hpp"
#include "replacement.hpp"

namespace kolam {

struct OpenField {
  chunks::StoredField stored;
  hdf5::Dataset values;
};

/// An open checkpoint file. Its checksum footer is checked before HDF5 opens it, on the same
/// descriptor.
class CheckpointReader::File {
 public:
  explicit File(const std::filesystem::path& path);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  /// Returns a session for reading; its errors name the file.
  hdf5::Session session() const;
  /// Returns the field `name`. Throws FileError, naming the existing fields, if there is none.
  const OpenField& field(const std::string& name) const;

  const std::filesystem::path& path() const { return path_; }
  const CheckpointHeader& header() const { return header_; }
  const std::string& precision() const { return precision_; }
  const std::vector<OpenField>& fields() const { return fields_; }

 private:
  void open(const hdf5::Session& session);

  std::filesystem::path path_;
  Descriptor descriptor_;
  hdf5::FileState state_{-1};
  hdf5::Handle file_;
  CheckpointHeader header_;
  std::string precision_;
  std::vector<OpenField> fields_;
};

}  // namespace kolam
