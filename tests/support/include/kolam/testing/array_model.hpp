// SPDX-License-Identifier: Apache-2.0
// The oracle of the memory layer: a model of the guarantees of arrays, value by value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/memory/memory_kind.hpp>
#include <kolam/memory/transfers.hpp>
#include <kolam/testing/array_steps.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kolam::testing {

/// An allocation: side 0 is the host, side 1 the device. If there is one side, it is side 0.
struct ModelMemory {
  MemoryKind kind = MemoryKind::paired;
  bool two_sides = true;
  std::vector<std::optional<int>> newest{};  // nullopt: undefined, by a read_write before any write
  std::array<std::vector<bool>, 2> valid{};
  std::array<bool, 2> present{};
  std::array<bool, 2> lent{};
  Policy policy = Policy::none;
  Transfers counts{};

  ModelMemory(MemoryKind its_kind, bool sides, std::size_t size)
      : kind(its_kind),
        two_sides(sides && its_kind != MemoryKind::shared),
        newest(size),
        valid{std::vector<bool>(size), std::vector<bool>(size)} {}

  std::size_t side(Where where) const { return two_sides && where != Where::host ? 1 : 0; }
  bool lacks(std::size_t s) const {
    return two_sides && kind == (s == 0 ? MemoryKind::device_only : MemoryKind::host_only);
  }
  bool written(std::size_t i) const { return valid[0][i] || valid[1][i]; }
  bool stale(std::size_t s, std::size_t i) const { return !valid[s][i] && valid[1 - s][i]; }
  std::uint64_t bytes() const { return newest.size() * sizeof(int); }

  void touch(std::size_t s) {
    if (present[s] || newest.empty()) return;
    present[s] = true;
    ++counts.allocations;
    counts.allocated_bytes += bytes();
    counts.bytes += bytes();
    counts.peak_bytes = std::max(counts.peak_bytes, counts.bytes);
  }
  void lend(std::size_t s, bool is_valid) {
    present[s] = lent[s] = true;
    if (is_valid) valid[s].assign(newest.size(), true);
  }
  void mark_written(std::size_t s, std::size_t i) {
    valid[s][i] = true;
    valid[1 - s][i] = false;
  }
  /// Copies the stale ones of these ascending values to side s; adjacent values form one copy.
  void refresh(std::size_t s, const std::vector<std::size_t>& values) {
    std::optional<std::size_t> last;
    for (const std::size_t i : values) {
      if (!stale(s, i)) continue;
      touch(s);
      valid[s][i] = true;
      if (!last || *last + 1 != i) ++(s == 1 ? counts.copies_to_device : counts.copies_to_host);
      (s == 1 ? counts.bytes_to_device : counts.bytes_to_host) += sizeof(int);
      last = i;
    }
  }
};

struct ModelArray {
  std::string name;  // name of the C++ variable
  std::shared_ptr<ModelMemory> memory;
  std::vector<std::size_t> values;  // positions of its values in memory, first index fastest
  std::size_t rank = 1;
  bool strided = false;
  std::array<int, 2> extents{};  // the second is 1 in one dimension

  bool valid(std::size_t s, std::size_t i) const { return memory->valid[s][values[i]]; }
  bool all_valid(std::size_t s) const {
    return std::all_of(values.begin(), values.end(), [&](auto i) { return memory->valid[s][i]; });
  }
  bool all_written() const {
    return std::all_of(values.begin(), values.end(), [&](auto i) { return memory->written(i); });
  }
  bool same_type(const ModelArray& other) const {
    return rank == other.rank && strided == other.strided;
  }
  bool contains(const std::array<std::array<int, 2>, 2>& box) const {
    for (std::size_t d = 0; d < rank; ++d) {
      if (box[d][0] < 0 || box[d][1] < box[d][0] || box[d][1] > extents[d]) return false;
    }
    return true;
  }
  /// Returns the values of a box, collected one by one, without stride arithmetic.
  ModelArray part(std::array<std::array<int, 2>, 2> box) const {
    ModelArray result = *this;
    if (rank == 1) box[1] = {0, 1};
    result.extents = {box[0][1] - box[0][0], box[1][1] - box[1][0]};
    result.values.clear();
    for (int j = box[1][0]; j < box[1][1]; ++j) {
      for (int i = box[0][0]; i < box[0][1]; ++i) {
        result.values.push_back(values[static_cast<std::size_t>(i + j * extents[0])]);
      }
    }
    result.strided = strided || rank == 2;
    return result;
  }
};

enum class Outcome { nothing, done, access_error, invalid_argument };

/// The arrays of a sequence of steps. A step that throws changes nothing.
class ArrayModel {
 public:
  explicit ArrayModel(bool two_sides) : two_sides_(two_sides) {}

  Outcome apply(const Step& step);
  /// Returns the array in a slot, if there is one.
  const std::optional<ModelArray>& array(std::size_t slot) const { return arrays_[slot]; }
  std::size_t open_scopes() const { return policies_.size(); }
  std::size_t open_memory_scopes() const { return kinds_.size(); }
  /// Returns the values that the last step read.
  const std::vector<std::optional<int>>& read() const { return read_; }

 private:
  Policy policy_of(const ModelMemory& memory) const {
    if (memory.policy != Policy::none) return memory.policy;
    return policies_.empty() ? Policy::on_access : policies_.back();
  }
  void put(std::size_t slot, ModelArray array) {
    array.name = std::string("a").append(std::to_string(made_++));
    arrays_[slot] = std::move(array);
  }
  ModelArray made(const std::shared_ptr<ModelMemory>& memory) const {
    ModelArray array{"", memory, {}, 1, false, {static_cast<int>(memory->newest.size()), 1}};
    for (std::size_t i = 0; i < memory->newest.size(); ++i) array.values.push_back(i);
    return array;
  }
  /// Returns the empty array that a move leaves in its source.
  ModelArray none_of(const ModelArray& array) const {
    const auto memory = std::make_shared<ModelMemory>(MemoryKind::paired, two_sides_, 0);
    return {array.name, memory, {}, array.rank, array.strided, {0, array.rank == 1 ? 1 : 0}};
  }

  Outcome apply_to(std::optional<ModelArray>& array, const Step& step);
  Outcome make(const Step& step);
  Outcome derive(const ModelArray& array, const Step& step);
  Outcome intent(Op op, const ModelArray& array, Where where, int value);
  Outcome drop(ModelMemory& memory, const Step& step);
  Outcome deep_copy(const ModelArray& to, const ModelArray& from);
  Outcome resize(ModelArray& array, int size);
  void copy_values(const ModelArray& to, const ModelArray& from, std::size_t count);

  bool two_sides_;
  int made_ = 0;
  std::array<std::optional<ModelArray>, slots> arrays_;
  std::vector<Policy> policies_;
  std::vector<MemoryKind> kinds_;
  std::vector<std::optional<int>> read_;
};

}  // namespace kolam::testing
