// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <kolam/core/error.hpp>

namespace kolam {

namespace fs = std::filesystem;

void refuse_to_write(const fs::path& path, const std::string& reason) {
  throw FileError(fmt::format("cannot write '{}': {}", path.string(), reason));
}

Target find_target(const fs::path& path) {
  if (path.empty()) refuse_to_write(path, "the name is empty");
  Target target{path, {}, {}};
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    target.existing = status;
  } else if (errno != ENOENT) {
    refuse_to_write(path, std::strerror(errno));
  }
  if (target.existing && S_ISDIR(status.st_mode))
    refuse_to_write(path, "it is a folder; name a file in it");
  // stat has refused endless chains of links; a pipe at /dev/fd has no name but the link.
  while (!target.is_special() && fs::is_symlink(fs::symlink_status(target.file))) {
    target.file = target.file.parent_path() / fs::read_symlink(target.file);
  }
  target.folder = target.file.has_parent_path() ? target.file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(target.folder, ignored)) {
    refuse_to_write(
        path, fmt::format("there is no folder '{}'; create it first", target.folder.string()));
  }
  if (!target.file.has_filename()) refuse_to_write(path, "it names a folder; name a file in it");
  if (target.existing && ::faccessat(AT_FDCWD, target.file.c_str(), W_OK, AT_EACCESS) != 0) {
    refuse_to_write(path, std::strerror(errno));
  }
  return target;
}

}  // namespace kolam
