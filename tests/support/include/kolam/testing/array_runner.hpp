// SPDX-License-Identifier: Apache-2.0
// Runs array operations on real arrays.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/memory/array.hpp>
#include <kolam/testing/array_steps.hpp>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kolam::testing {

/// An array of any type that a step can make.
using ArraySlot = std::variant<std::monostate, Array<int>, Array<int, 1, Kokkos::LayoutStride>,
                               Array<int, 2>, Array<int, 2, Kokkos::LayoutStride>>;

template <class A>
inline constexpr int rank_of = 0;
template <int N, class Layout>
inline constexpr int rank_of<Array<int, N, Layout>> = N;

/// Returns the box of a step in the form that an array of type A takes.
template <class A>
auto box_of(const std::array<std::array<int, 2>, 2>& box) {
  if constexpr (rank_of<A> == 1) {
    return Range{box[0][0], box[0][1]};
  } else {
    return std::array<Range, 2>{{{box[0][0], box[0][1]}, {box[1][0], box[1][1]}}};
  }
}

/// The arrays and scopes of a sequence of steps, with the memory that the arrays borrow.
class ArrayRunner {
 public:
  /// `second` is Where::second.
  explicit ArrayRunner(const Kokkos::DefaultExecutionSpace& second) : second_(second) {}
  ~ArrayRunner();
  ArrayRunner(const ArrayRunner&) = delete;
  ArrayRunner& operator=(const ArrayRunner&) = delete;
  ArrayRunner(ArrayRunner&&) = delete;
  ArrayRunner& operator=(ArrayRunner&&) = delete;

  /// Runs a step that has an effect, and returns the values that it read. An array that it makes
  /// gets the label.
  std::vector<int> apply(const Step& step, const std::string& label);
  const ArraySlot& array(std::size_t slot) const { return arrays_[slot]; }

 private:
  std::optional<SyncPolicy> policy(Policy policy) const;
  ArraySlot made(const Step& step, const std::string& label);
  template <class A>
  ArraySlot derived(A& from, const Step& step);
  template <class To, class From>
  void copy(To& to, const From& from, Where where);
  template <class A>
  std::vector<int> use(A& array, const Step& step);
  template <class Side, class A>
  std::vector<int> use_at(const Side& where, A& array, const Step& step);

  Kokkos::DefaultExecutionSpace second_;
  std::vector<std::vector<int>> host_memory_;  // borrowed memory, which outlives the arrays
  std::vector<Kokkos::View<int*, DeviceSide::memory_space>> device_memory_;
  std::array<ArraySlot, slots> arrays_;
  std::vector<std::unique_ptr<SyncScope>> scopes_;
  std::vector<std::unique_ptr<MemoryScope>> memory_scopes_;
};

}  // namespace kolam::testing
