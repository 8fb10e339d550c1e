// SPDX-License-Identifier: Apache-2.0
// The registry of callers' memory that arrays use at present.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace kolam::detail {

class Storage;

/// The registry that rejects a second array on memory that an array already uses, because writes of
/// one on the device side would not reach the other. Several arrays may use values that are const
/// to all of them. Thread-safe.
class LentMemory {
 public:
  static LentMemory& get();

  /// Registers these bytes for `storage`; throws InvalidArgument if it must not use them.
  void enter(const Storage& storage, const void* memory, std::size_t bytes, bool read_only);
  /// Removes the entry of `storage`, if there is one.
  void leave(const Storage& storage, const void* memory) noexcept;

 private:
  struct Entry {
    const char* end;
    const Storage* storage;
  };
  using Entries = std::multimap<const char*, Entry>;  // by first byte

  static const Storage* overlapping(const Entries& entries, const char* begin, const char* end,
                                    std::size_t longest);

  std::mutex guard_;
  Entries writable_;  // no two overlap
  Entries read_only_;
  std::size_t longest_read_only_ = 0;
};

}  // namespace kolam::detail
