// SPDX-License-Identifier: Apache-2.0
// The memory of callers that arrays stand for at present.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace kolam::detail {

class Storage;

/// Refuses a second array on memory that an array stands for already: neither would see what the
/// other writes on its device side. Many may stand for values that are const to all of them. Safe
/// from many threads.
class LentMemory {
 public:
  static LentMemory& get();

  /// Throws InvalidArgument if `storage` must not stand for these bytes.
  void enter(const Storage& storage, const void* memory, std::size_t bytes, bool read_only);
  /// Nothing if it did not enter.
  void leave(const Storage& storage, const void* memory) noexcept;

 private:
  struct Entry {
    const char* end;
    const Storage* storage;
  };
  using Entries = std::multimap<const char*, Entry>;  // by the first byte

  static const Storage* overlapping(const Entries& entries, const char* begin, const char* end,
                                    std::size_t longest);

  std::mutex guard_;
  Entries writable_;  // no two overlap
  Entries read_only_;
  std::size_t longest_read_only_ = 0;
};

}  // namespace kolam::detail
