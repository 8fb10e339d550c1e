// SPDX-License-Identifier: Apache-2.0
// An execution space for tests, which runs blocks on the host with all their threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/index.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam {

/// An execution space that runs all threads of a block on the host, one at a time. Each thread runs
/// up to its next barrier, in ascending rank order in even blocks and descending in odd ones. A
/// missing `sync` thus gives a wrong result every time instead of occasionally. The threads are
/// fibers in the launching thread, with a stack of 1 MiB each. Flat loops run backwards.
///
/// Use it wherever a kernel takes an execution space: `forall_2d(kolam::HostTeams{}, ...)`.
struct HostTeams {
  using execution_space = HostTeams;       ///< this type, as in Kokkos' spaces
  using memory_space = Kokkos::HostSpace;  ///< memory of its blocks
  /// The scratch space, as in Kokkos' spaces.
  using scratch_memory_space = Kokkos::ScratchMemorySpace<Kokkos::DefaultHostExecutionSpace>;
  /// Returns "HostTeams".
  static const char* name() { return "HostTeams"; }
  /// Does nothing: a launch returns after its loop has ended.
  void fence(const std::string& = {}) const {}
};

namespace detail {

class Fibers;

/// The scheduler of one team: selects the thread to run and checks that all meet the same barriers.
class Turns {
 public:
  /// `label` names the loop in errors.
  Turns(int size, std::string label);
  ~Turns();

  /// Runs body(rank) for all ranks in turn; rethrows the first exception.
  void run(const std::function<void(int)>& body);
  /// Switches to the next thread; returns after all others have reached their next barrier. Here
  /// and in end_block, the last thread throws Error if some wait inside a block and some at its
  /// end.
  void barrier(int rank) { meet(rank, inside_block); }
  /// A barrier for the threads of one row of `lanes` ranks only; as on a device, other threads do
  /// not wait.
  void row_barrier(int rank, int lanes);
  /// The barrier at the end of a block; reverses the rank order for the next block.
  void end_block(int rank, index_t block);

  /// Replaces every thread's `value` (at most 16 bytes) by all values joined in rank order.
  template <class Reducer>
  void join(int rank, typename Reducer::value_type& value) {
    using Value = typename Reducer::value_type;
    *slot<Value>(rank) = value;
    barrier(rank);
    const Reducer reducer(value);
    reducer.init(value);
    for (int r = 0; r < size_; ++r) reducer.join(value, *slot<Value>(r));
    barrier(rank);
  }

  /// Replaces every thread's `value` (at most 16 bytes) by the value of the thread `distance` ranks
  /// further on, if that thread is in the same row of 32.
  template <class Value>
  void shift(int rank, Value& value, int distance) {
    constexpr int lanes = 32;
    *slot<Value>(rank) = value;
    row_barrier(rank, lanes);
    const int other = rank + distance;
    if (other >= 0 && other < size_ && other / lanes == rank / lanes) value = *slot<Value>(other);
    row_barrier(rank, lanes);
  }

 private:
  struct Slot {
    alignas(16) unsigned char bytes[16];
  };

  template <class Value>
  Value* slot(int rank) {
    static_assert(sizeof(Value) <= sizeof(Slot) && std::is_trivially_copyable_v<Value>);
    return reinterpret_cast<Value*>(slots_[static_cast<std::size_t>(rank)].bytes);
  }

  static constexpr index_t inside_block = -1;
  void meet(int rank, index_t ended);
  bool complete() const;
  int next_after(int rank);

  int size_;
  std::string label_;
  bool ascending_ = true;
  bool flip_ = false;
  std::unique_ptr<Fibers> fibers_;
  std::vector<index_t> ended_;  // per rank, the block whose end it has reached
  std::vector<bool> gone_;
  std::vector<Slot> slots_;
};

}  // namespace detail
}  // namespace kolam
