// SPDX-License-Identifier: Apache-2.0
// Small files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace kolam {

/// Throws FileError, naming `path` and the reason, unless write_file could write it now: the folder
/// exists and takes new files, `path` is no folder and not write-protected. What exists at `path`
/// stays as it is. To be asked before work whose result is to be written.
void require_writable(const std::filesystem::path& path);

/// Replaces the file at `path` by `bytes`, through a temporary file beside it that is renamed when
/// it is complete: readers, and a failed write, see the old content or the new, nothing between.
/// Symbolic links are followed; an existing file keeps its permissions. What is no regular file
/// (a device, a pipe) is written directly. Throws FileError, naming `path` and the reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace kolam
