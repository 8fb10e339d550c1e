// SPDX-License-Identifier: Apache-2.0
// Atomic replacement of a large file that other code writes.
#pragma once

#include <filesystem>
#include <string>

#include "target.hpp"

namespace kolam {

/// A file descriptor that is closed by its destructor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// An empty temporary file beside the file at a path. The caller writes it by any means, and
/// commit() puts it in place; the destructor removes it if it was not committed.
///
/// The next Replacement of the same file removes temporary files of killed runs. Each Replacement
/// holds a shared lock on the folder, and cleaning takes an exclusive lock, which is available only
/// if there is no other Replacement in the folder. Locks end with their process, however it ends.
/// If the file system has no such locks, nothing is cleaned.
class Replacement {
 public:
  /// Makes the temporary file. Throws FileError, naming `path` and the reason, if that fails or if
  /// something other than a regular file is at `path`.
  explicit Replacement(const std::filesystem::path& path);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  /// Returns the descriptor of the temporary file, for reading and writing.
  int descriptor() const { return descriptor_.number(); }

  const std::filesystem::path& temporary() const { return temporary_; }

  enum class Previous { forget, keep };
  /// Moves the temporary file, which must be complete, to the path. With `keep`, the old file moves
  /// to previous_of(path). If there was a file at the path, there is one at every instant. The
  /// content is on disk before the name changes, and the name is on disk on return.
  /// Throws FileError; the file at the path is then the old one, unless only syncing the folder
  /// failed.
  void commit(Previous previous);

 private:
  void clean_leftovers() const;
  void keep_previous();
  void sync_folder() const;
  std::filesystem::path unused_name() const;

  std::filesystem::path path_;  // as the user spelled it
  Target target_;
  std::string prefix_;  // common to temporary files of this target
  Descriptor folder_;
  std::filesystem::path temporary_;
  Descriptor descriptor_;
};

/// Returns the name of the previous generation: `file`.previous.
std::filesystem::path previous_of(const std::filesystem::path& file);

}  // namespace kolam
