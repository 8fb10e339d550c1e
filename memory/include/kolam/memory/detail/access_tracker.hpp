// SPDX-License-Identifier: Apache-2.0
// Who works on the bytes of one side: the instances whose work may still be under way.
#pragma once

#include <cstdint>
#include <kolam/core/any_instance.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <string>
#include <vector>

namespace kolam::detail {

/// Orders accesses to one side. Two of them conflict if they have bytes in common, at least one
/// writes, and they are of different instances (or of one and the host, which works at once and is
/// never recorded).
class AccessTracker {
 public:
  /// Waits for what conflicts with an access of `user` (null: the host) to `ranges`, and for
  /// nothing else; then records it. `why` labels the fences. Throws std::bad_alloc, with nothing
  /// lost.
  void admit(RangeList ranges, const AnyInstance* user, bool writes, const std::string& why);

  // Of these bytes alone: who used a longer block before may still use the rest of it.
  bool empty(ByteRange range) const;
  bool any_writes(ByteRange range) const;
  /// The key of the instance that writes all of it, if there is no other user.
  const void* only_writer(ByteRange range) const;
  /// Whether the instance of this key reads or writes all of it: one more read of it waits for
  /// nobody, and needs no record.
  bool admits_reads(const void* key, ByteRange range) const;
  /// Calls `f` with the key of each of those.
  template <class F>
  void for_each_reader(ByteRange range, F f) const {
    for (const Use& use : uses_) {
      if (use.admits_reads(range)) f(use.instance.key());
    }
  }
  /// An instance that writes some of `ranges`, if any.
  const AnyInstance* writer(RangeList ranges) const;
  /// Waits for all of them.
  void finish(const std::string& why);

 private:
  // Bytes that `instance` works on and nobody has waited for yet. What it writes it may also read.
  struct Use {
    AnyInstance instance;
    ByteRanges reads{SIZE_MAX};
    ByteRanges writes{SIZE_MAX};

    // An access is recorded when it has waited for the writes that were there, and a later write of
    // another instance ends the record. So whoever is recorded need not wait again to read.
    bool admits_reads(ByteRange range) const {
      return reads.contains(range) || writes.contains(range);
    }
    bool admits_reads(RangeList ranges) const {
      return reads.contains(ranges) || writes.contains(ranges);
    }
  };
  Use& use_of(const AnyInstance& user);

  std::vector<Use> uses_;
};

}  // namespace kolam::detail
