// SPDX-License-Identifier: Apache-2.0
// The file to which an output path leads.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace kolam {

/// The file at a path, after symbolic links are followed.
struct Target {
  std::filesystem::path file;
  std::filesystem::path folder;
  std::optional<struct stat> existing;

  /// Returns whether it is a device or a pipe, which renaming would replace.
  bool is_special() const { return existing && !S_ISREG(existing->st_mode); }
};

/// Returns the target of `path`. Throws FileError, naming `path` and the reason, if no file can or
/// may be written there.
Target find_target(const std::filesystem::path& path);

/// Throws the FileError "cannot write 'path': reason".
[[noreturn]] void refuse_to_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace kolam
