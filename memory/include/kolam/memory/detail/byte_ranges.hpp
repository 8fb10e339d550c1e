// SPDX-License-Identifier: Apache-2.0
// Sets of bytes of one allocation.
#pragma once

#include <cstddef>
#include <vector>

namespace kolam::detail {

/// The bytes [begin, end).
struct ByteRange {
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::size_t size() const { return end - begin; }
  bool operator==(const ByteRange&) const = default;
};

/// A subset of [0, size), none of it at first. All of it and none of it are told by a bit; anything
/// between is a sorted list of ranges that neither overlap nor touch.
class ByteRanges {
 public:
  explicit ByteRanges(std::size_t size) : size_(size) {}

  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] bool none() const { return !all_ && parts_.empty(); }
  [[nodiscard]] bool contains(ByteRange range) const {
    return all_ || range.size() == 0 || parts_contain(range);
  }
  /// Whether it has any of these bytes.
  [[nodiscard]] bool touches(ByteRange range) const {
    return range.size() > 0 && (all_ || parts_touch(range));
  }
  /// What lies in `range`: of this set, or of the bytes that this set lacks. Ascending.
  [[nodiscard]] std::vector<ByteRange> present(ByteRange range) const;
  [[nodiscard]] std::vector<ByteRange> missing(ByteRange range) const;

  /// Makes room, so that the next `steps` of add and remove cannot fail.
  void reserve(std::size_t steps) { parts_.reserve(parts_.size() + steps + 1); }
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

 private:
  [[nodiscard]] bool parts_contain(ByteRange range) const;
  [[nodiscard]] bool parts_touch(ByteRange range) const;
  void add_part(ByteRange range);
  void remove_part(ByteRange range);

  std::size_t size_;
  bool all_ = false;
  std::vector<ByteRange> parts_;  // empty if all_
};

}  // namespace kolam::detail
