// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/memory/detail/lent_memory.hpp>
#include <kolam/memory/detail/storage.hpp>

namespace kolam::detail {

LentMemory& LentMemory::get() {
  static auto* const all = new LentMemory;  // never destroyed: static arrays may outlive it
  return *all;
}

// Returns the storage of an entry with some of these bytes; null if there is none. Looks at the
// last entry before `end`, and further back for entries of at most `longest` bytes.
const Storage* LentMemory::overlapping(const Entries& entries, const char* begin, const char* end,
                                       std::size_t longest) {
  for (auto entry = entries.lower_bound(end); entry != entries.begin();) {
    --entry;
    if (entry->second.end > begin) return entry->second.storage;
    if (static_cast<std::size_t>(begin - entry->first) >= longest) break;
  }
  return nullptr;
}

void LentMemory::enter(const Storage& storage, const void* memory, std::size_t bytes,
                       bool read_only) {
  if (bytes == 0) return;
  const auto* const begin = static_cast<const char*>(memory);
  const auto* const end = begin + bytes;
  const std::scoped_lock lock(guard_);
  const Storage* other = overlapping(writable_, begin, end, 0);  // only the last entry can
  if (other == nullptr && !read_only) {
    other = overlapping(read_only_, begin, end, longest_read_only_);
  }
  if (other != nullptr) {
    throw InvalidArgument("array '" + storage.label() + "' wraps memory that array '" +
                          other->label() + "' wraps already (" + std::to_string(bytes) +
                          " bytes, some of them in both): they would not see each other's "
                          "changes; take an alias of array '" +
                          other->label() + "'");
  }
  (read_only ? read_only_ : writable_).emplace(begin, Entry{end, &storage});
  if (read_only) longest_read_only_ = std::max(longest_read_only_, bytes);
}

void LentMemory::leave(const Storage& storage, const void* memory) noexcept {
  const std::scoped_lock lock(guard_);
  for (Entries* const entries : {&writable_, &read_only_}) {
    const auto [first, last] = entries->equal_range(static_cast<const char*>(memory));
    const auto found =
        std::find_if(first, last, [&](const auto& e) { return e.second.storage == &storage; });
    if (found != last) entries->erase(found);
  }
}

}  // namespace kolam::detail
