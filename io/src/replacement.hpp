// SPDX-License-Identifier: Apache-2.0
// A big file that others write, and that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string>

#include "target.hpp"

namespace kolam {

/// A file descriptor that closes itself.
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

/// An empty temporary file beside the file at a path, to be written by whatever means and then put
/// in its place. Disappears, unless it was committed.
///
/// Files that killed runs left is cleaned away by the next Replacement of the same file. Everyone
/// who has a temporary file holds a shared lock on the folder; cleaning happens only under an
/// exclusive one, which is to be had only when nobody has a temporary file there. Locks end with
/// their process, however it ends. Where the file system has no such locks, nothing is cleaned.
class Replacement {
 public:
  /// Throws FileError, naming `path` and the reason, if no file can be made there, or if `path` is
  /// something else than a file.
  explicit Replacement(const std::filesystem::path& path);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  /// Of the temporary file, for reading and writing.
  int descriptor() const { return descriptor_.number(); }

  const std::filesystem::path& temporary() const { return temporary_; }

  enum class Previous { forget, keep };
  /// Makes the temporary file, which must be complete, the file at the path. With `keep` what was
  /// there before is then at previous_of(path); at every instant there is a file at the path, if
  /// there was one before. The content is on the disk before its name, and the name on return.
  /// Throws FileError; the file at the path is then the old one, except where only the folder could
  /// not be brought to the disk.
  void commit(Previous previous);

 private:
  void clean_leftovers() const;
  void keep_previous();
  void sync_folder() const;
  std::filesystem::path unused_name() const;

  std::filesystem::path path_;  // as the user spells it
  Target target_;
  std::string prefix_;  // of all temporary files for this target
  Descriptor folder_;
  std::filesystem::path temporary_;
  Descriptor descriptor_;
};

/// The name of the generation before: `file`.previous.
std::filesystem::path previous_of(const std::filesystem::path& file);

}  // namespace kolam
