// SPDX-License-Identifier: Apache-2.0
// An execution space for tests: blocks run on the host by as many real threads as they have.
#pragma once

#include <Kokkos_Core.hpp>
#include <functional>
#include <kolam/core/index.hpp>
#include <memory>
#include <semaphore>
#include <string>
#include <type_traits>
#include <vector>

namespace kolam {

/// Runs every block with all its threads, one thread at a time: in rank order each runs up to its
/// next barrier, ascending in even blocks and descending in odd ones. So a missing `sync` gives a
/// wrong result every time instead of once in a while. Flat loops run backwards, in one thread.
///
/// Use it wherever a kernel takes an execution space: `forall_2d(kolam::HostTeams{}, ...)`.
struct HostTeams {
  using execution_space = HostTeams;
  using memory_space = Kokkos::HostSpace;
  using scratch_memory_space = Kokkos::ScratchMemorySpace<Kokkos::DefaultHostExecutionSpace>;
  static const char* name() { return "HostTeams"; }
  void fence(const std::string& = {}) const {}
};

namespace detail {

/// The turns of one team: who may run now, and whether all meet the same barriers.
class Turns {
 public:
  explicit Turns(int size);

  [[nodiscard]] int size() const { return size_; }
  void wait_for_first(int rank) { gates_[static_cast<std::size_t>(rank)]->acquire(); }
  /// Hands the turn on and returns when all others have come to their next barrier as well.
  void barrier(int rank);
  /// The barrier at the end of a block; the order of the next block is reversed.
  /// Throws Error, naming `label`, if the threads of the block have met different barriers.
  void end_block(int rank, const std::string& label, index_t block);
  /// A thread that threw: the others run on without it.
  void leave(int rank);

  /// One slot per thread for values of up to 16 bytes.
  template <class T>
  T& slot(int rank) {
    static_assert(sizeof(T) <= sizeof(Slot) && std::is_trivially_copyable_v<T>);
    return *reinterpret_cast<T*>(slots_[static_cast<std::size_t>(rank)].bytes);
  }

 private:
  struct Slot {
    alignas(16) unsigned char bytes[16];
  };

  void hand_on(int rank);

  int size_;
  int arrived_ = 0;
  bool ascending_ = true;
  bool flip_ = false;
  std::vector<std::unique_ptr<std::binary_semaphore>> gates_;
  std::vector<int> barriers_;
  std::vector<bool> gone_;
  std::vector<Slot> slots_;
};

/// Runs `body(rank)` in `turns.size()` threads, one at a time; rethrows the first exception.
void run_team(Turns& turns, const std::function<void(int)>& body);

}  // namespace detail
}  // namespace kolam
