// SPDX-License-Identifier: Apache-2.0
// Atomic writes of small files.
#pragma once

#include <filesystem>
#include <string_view>

namespace kolam {

/// Throws FileError, naming `path` and the reason, unless write_file could write it now: the folder
/// exists and takes new files, and `path` is neither a folder nor write-protected. A file at `path`
/// stays as it is. Call it before computing the result that write_file will write.
void require_writable(const std::filesystem::path& path);

/// Replaces the file at `path` by `bytes` atomically: writes a temporary file beside it and renames
/// it when it is complete. Readers see the old content or the new, even if a write fails.
/// Symbolic links are followed, and an existing file keeps its permissions. Devices and pipes are
/// written directly. Throws FileError, naming `path` and the reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace kolam
