// SPDX-License-Identifier: Apache-2.0
// Sets of bytes of one allocation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kolam::detail {

/// The bytes [begin, end).
struct ByteRange {
  std::size_t begin;
  std::size_t end;

  std::size_t size() const { return end - begin; }
  bool operator==(const ByteRange&) const = default;
};

/// The bytes of a strided array: ascending ranges, not empty, none of which overlap or touch.
using RangeList = std::span<const ByteRange>;

/// A subset of [0, size), initially empty. A flag marks the full set; any other is a list of
/// ranges. Queries and changes with a RangeList take time linear in the number of ranges (times the
/// logarithm of the ranges in the set), never in the product of both numbers.
class ByteRanges {
 public:
  explicit ByteRanges(std::size_t size) : size_(size) {}

  bool all() const { return all_; }
  bool none() const { return !all_ && parts_.empty(); }
  bool contains(ByteRange range) const { return all_ || range.size() == 0 || parts_contain(range); }
  /// Returns whether the set has any of these bytes.
  bool touches(ByteRange range) const { return range.size() > 0 && (all_ || parts_touch(range)); }
  bool contains(RangeList ranges) const;
  bool touches(RangeList ranges) const;
  /// Returns the bytes of `ranges` that this set has, or that it lacks. Ascending.
  std::vector<ByteRange> present(RangeList ranges) const;
  std::vector<ByteRange> missing(RangeList ranges) const;

  /// Reserves memory, so that the next changes, of `ranges` ranges in all, cannot fail.
  void reserve(std::size_t ranges);
  void add(ByteRange range) {
    if (range.size() == size_) {
      parts_.clear();
      all_ = true;
    } else if (!all_ && range.size() > 0) {
      add_part(range);
    }
  }
  void remove(ByteRange range) {
    if (range.size() == size_) {
      parts_.clear();
      all_ = false;
    } else if (range.size() > 0 && (all_ || !parts_.empty())) {
      remove_part(range);
    }
  }
  void add(RangeList ranges);
  void remove(RangeList ranges);

 private:
  bool parts_contain(ByteRange range) const;
  bool parts_touch(ByteRange range) const;
  void add_part(ByteRange range);
  void remove_part(ByteRange range);

  std::size_t size_;
  bool all_ = false;
  std::vector<ByteRange> parts_;  // empty if all_
};

}  // namespace kolam::detail
