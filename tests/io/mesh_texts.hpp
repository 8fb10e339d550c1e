// SPDX-License-Identifier: Apache-2.0
// Mesh files that tests write and spoil.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/mesh_file.hpp>
#include <string>

#include "temporary_folder.hpp"

namespace kolam::testing {

/// Meshes that other programs have written.
inline const std::filesystem::path recorded = KOLAM_TEST_MESHES;

/// Returns the text of the FileError for a file with this content, or "".
inline std::string reading_error(const TemporaryFolder& folder, const std::string& bytes) {
  write_file(folder / "mesh", bytes);
  try {
    read_mesh(folder / "mesh");
  } catch (const FileError& e) {
    return e.what();
  }
  return "";
}

/// Returns the text with `to` in the place of the first `from`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace kolam::testing
