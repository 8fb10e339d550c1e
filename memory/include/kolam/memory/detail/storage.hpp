// SPDX-License-Identifier: Apache-2.0
// The memory behind an array: both sides, allocated when first asked for, and which of their bytes
// are valid. Free of the element type, so it is compiled once.
#pragma once

#include <cstddef>
#include <kolam/memory/detail/byte_ranges.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/transfers.hpp>
#include <memory>
#include <string>

namespace kolam::detail {

class Storage {
 public:
  Storage(std::string label, std::size_t bytes);
  /// Of memory that is there already on one side, full of values; `owner` keeps it alive.
  Storage(std::string label, std::size_t bytes, Side side, void* memory,
          std::shared_ptr<void> owner);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  Storage(Storage&&) = delete;
  Storage& operator=(Storage&&) = delete;

  /// The memory of `side` with the newest values in `range`; those on the other side only are
  /// copied. Throws AccessError if some were never written.
  [[nodiscard]] const void* read(Side side, ByteRange range) {
    refresh(side, range, true);
    return memory_[index(side)];
  }
  /// The memory of `side`, where the caller replaces what is in `range`; there the other side
  /// becomes stale.
  [[nodiscard]] void* write(Side side, ByteRange range) {
    if (valid_[index(side)].all() && valid_[1 - index(side)].none()) return memory_[index(side)];
    if (memory_[index(side)] == nullptr) allocate(side);
    if (range.size() != bytes_) {  // both or neither of the following
      valid_[0].reserve();
      valid_[1].reserve();
    }
    valid_[index(side)].add(range);
    valid_[1 - index(side)].remove(range);
    return memory_[index(side)];
  }
  /// read, then write. Values never written are garbage.
  [[nodiscard]] void* read_write(Side side, ByteRange range) {
    refresh(side, range, false);
    return write(side, range);
  }

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] bool valid(Side side, ByteRange range) const {
    return valid_[index(side)].contains(range);
  }
  [[nodiscard]] const Transfers& transfers() const { return counts_; }

 private:
  static constexpr std::size_t index(Side side) { return side == Side::host ? 0 : 1; }
  void refresh(Side side, ByteRange range, bool all_written) {
    if (valid(side, range)) {
      counts_.copies_avoided += range.size() > 0 ? 1 : 0;
    } else {
      if (all_written) require_written(range);
      copy_stale(side, range);
    }
  }
  void allocate(Side side);
  void require_written(ByteRange range) const;
  void copy_stale(Side side, ByteRange range);

  std::string label_;
  std::size_t bytes_;
  void* memory_[2] = {nullptr, nullptr};
  bool lent_[2] = {false, false};
  std::shared_ptr<void> owner_;  // of what is lent, if somebody is
  ByteRanges valid_[2];
  Transfers counts_;
};

}  // namespace kolam::detail
