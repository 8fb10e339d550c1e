// SPDX-License-Identifier: Apache-2.0
// An execution space for tests: blocks run on the host by as many threads of control as they have.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/index.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam {

/// Runs every block with all its threads, one at a time: in rank order each runs up to its next
/// barrier, ascending in even blocks and descending in odd ones. So a missing `sync` gives a wrong
/// result every time instead of once in a while. They are fibers, with a stack of 1 MiB each, in the
/// thread that launches. Flat loops run backwards.
///
/// Use it wherever a kernel takes an execution space: `forall_2d(kolam::HostTeams{}, ...)`.
struct HostTeams {
  using execution_space = HostTeams;       ///< itself, as Kokkos' spaces say it
  using memory_space = Kokkos::HostSpace;  ///< where its blocks work
  /// Where the scratch of a block would be.
  using scratch_memory_space = Kokkos::ScratchMemorySpace<Kokkos::DefaultHostExecutionSpace>;
  /// "HostTeams".
  static const char* name() { return "HostTeams"; }
  /// Does nothing: a loop has ended when the call that launched it returns.
  void fence(const std::string& = {}) const {}
};

namespace detail {

class Fibers;

/// The turns of one team: who may run now, and whether all meet the same barriers.
class Turns {
 public:
  /// `label` names the loop in errors.
  Turns(int size, std::string label);
  ~Turns();

  /// Runs body(rank) of all ranks in turns; rethrows the first exception.
  void run(const std::function<void(int)>& body);
  /// Hands the turn on and returns when all others have come to their next barrier as well. Here
  /// and in end_block the last one throws Error if some wait inside a block and some at its end.
  void barrier(int rank) { meet(rank, inside_block); }
  /// The same among the threads of one row, `lanes` ranks in a line, alone: as on a device, it is
  /// no barrier for the others.
  void row_barrier(int rank, int lanes);
  /// The barrier at the end of a block; the order of the next block is reversed.
  void end_block(int rank, index_t block);

  /// Replaces every thread's `value`, of at most 16 bytes, by all of them joined in rank order.
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

  /// Replaces every thread's `value`, of at most 16 bytes, by that of the thread `distance` ranks
  /// further on, if there is one in its row of 32.
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
  std::vector<index_t> ended_;  // the block that each rank has come to the end of
  std::vector<bool> gone_;
  std::vector<Slot> slots_;
};

}  // namespace detail
}  // namespace kolam
