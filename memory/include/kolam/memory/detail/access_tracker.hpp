// SPDX-License-Identifier: Apache-2.0
// Pending accesses to the bytes of one side: instances whose work may not have ended yet.
#pragma once

#include <cstdint>
#include <kolam/core/any_instance.hpp>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <string>
#include <vector>

namespace kolam::detail {

/// Orders accesses to one side. Two accesses conflict if they have bytes in common, at least one of
/// them writes, and they are of different instances, or of an instance and the host. (Host work is
/// synchronous and never recorded.)
class AccessTracker {
 public:
  /// Waits for accesses that conflict with an access of `user` (null: the host) to `ranges`, and
  /// for no others; then records the access. `why` labels the fences. Throws std::bad_alloc,
  /// without loss of records.
  void admit(RangeList ranges, const AnyInstance* user, bool writes, const std::string& why);

  // Queries about `range` alone: an instance that used a longer range may still use its rest.
  bool empty(ByteRange range) const;
  bool any_writes(ByteRange range) const;
  /// Returns the key of the instance that writes all of it, if there is no other user; else null.
  const void* only_writer(ByteRange range) const;
  /// Returns whether the instance of this key reads or writes all of it: another read then needs no
  /// wait and no record.
  bool admits_reads(const void* key, ByteRange range) const;
  /// Calls `f` with the key of each such instance.
  template <class F>
  void for_each_reader(ByteRange range, F f) const {
    for (const Use& use : uses_) {
      if (use.admits_reads(range)) f(use.instance.key());
    }
  }
  /// Returns an instance that writes some of `ranges`; null if there is none.
  const AnyInstance* writer(RangeList ranges) const;
  /// Waits for all accesses.
  void finish(const std::string& why);

 private:
  // Pending accesses of `instance`. It may also read the bytes that it writes.
  struct Use {
    AnyInstance instance;
    ByteRanges reads{SIZE_MAX};
    ByteRanges writes{SIZE_MAX};

    // An access is recorded after it has waited for earlier writes, and a later write of another
    // instance ends the record. So a recorded instance need not wait again to read.
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
