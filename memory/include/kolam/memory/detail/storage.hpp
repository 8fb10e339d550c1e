// SPDX-License-Identifier: Apache-2.0
// The memory behind an array: both sides, allocated when first asked for, and which of them is
// valid. Free of the element type, so it is compiled once.
#pragma once

#include <cstddef>
#include <kolam/memory/side.hpp>
#include <kolam/memory/transfers.hpp>
#include <string>

namespace kolam::detail {

class Storage {
 public:
  Storage(std::string label, std::size_t bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  Storage(Storage&&) = delete;
  Storage& operator=(Storage&&) = delete;

  /// Memory of `side` with the newest values, copied there if they are on the other side only.
  [[nodiscard]] const void* read(Side side) {
    if (bytes_ > 0) {
      if (valid_[index(side)]) {
        ++counts_.copies_avoided;
      } else {
        make_valid(side);
      }
    }
    return memory_[index(side)];
  }
  /// Memory of `side`, whose values the caller replaces; the other side becomes stale.
  [[nodiscard]] void* write(Side side) {
    if (memory_[index(side)] == nullptr) allocate(side);
    valid_[index(side)] = true;
    valid_[1 - index(side)] = false;
    return memory_[index(side)];
  }
  /// read, then write. Values never written are garbage.
  [[nodiscard]] void* read_write(Side side) {
    if (valid_[0] || valid_[1]) static_cast<void>(read(side));
    return write(side);
  }

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] bool valid(Side side) const { return valid_[index(side)]; }
  [[nodiscard]] const Transfers& transfers() const { return counts_; }

 private:
  static constexpr std::size_t index(Side side) { return side == Side::host ? 0 : 1; }
  void allocate(Side side);
  void make_valid(Side side);

  std::string label_;
  std::size_t bytes_;
  void* memory_[2] = {nullptr, nullptr};
  bool valid_[2] = {false, false};
  Transfers counts_;
};

}  // namespace kolam::detail
