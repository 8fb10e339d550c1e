// SPDX-License-Identifier: Apache-2.0
// What a path that is to be written stands for.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace kolam {

/// The file that a path means, once symbolic links are followed.
struct Target {
  std::filesystem::path file;
  std::filesystem::path folder;
  std::optional<struct stat> existing;

  /// A device or a pipe: renaming onto it would replace it.
  bool is_special() const { return existing && !S_ISREG(existing->st_mode); }
};

/// Throws FileError, naming `path` and the reason, where no file can be or is not to be written.
Target find_target(const std::filesystem::path& path);

/// Throws the FileError "cannot write 'path': reason".
[[noreturn]] void refuse_to_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace kolam
