// SPDX-License-Identifier: Apache-2.0
// The processes that work on one problem.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <exception>
#include <kolam/comm/detail/process_group.hpp>
#include <kolam/core/instances.hpp>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::comm {

/// What has the same meaning in every process: no pointer, and no view of something.
template <class T>
concept Portable =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::ranges::view<T>;

/// Handed to whatever works together with other processes. Made by default it is this process
/// alone; `Processes` (processes.hpp) gives that of a program under mpiexec, and
/// `communicator(MPI_Comm)` (transport/mpi.hpp) that of a user. Cheap to copy.
///
/// What sends or adds up, from all_gather to barrier, is called by every process, in the same
/// order, and waits for the others; the rest is of this process alone. Throws CommunicationError
/// where MPI reports an error (see abort_on_exception), and InvalidArgument where all_gather or
/// broadcast is given 2 GiB or more.
class Communicator {
 public:
  /// This process alone.
  Communicator();
  /// \cond
  explicit Communicator(std::shared_ptr<const detail::ProcessGroup> group);
  /// \endcond

  /// The number of this process, 0 to size() - 1.
  int rank() const { return group_->rank(); }
  /// How many processes there are.
  int size() const { return group_->size(); }
  ///@{
  /// Among the processes of this one that run on the same host; they share its devices.
  int host_rank() const { return group_->host_rank(); }
  int host_size() const { return group_->host_size(); }
  ///@}

  /// The value of every process, by rank.
  template <Portable T>
  std::vector<T> all_gather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    group_->all_gather(&value, sizeof(T), all.data());
    return all;
  }

  /// Added in the order of ranks, so that the bits depend on the values alone.
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  T sum(T value) const {
    const std::vector<T> all = all_gather(value);
    T result = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) result += all[i];
    return result;
  }
  /// Each of the values, as above, in one message. Their number is the same everywhere.
  void sum(std::span<double> values) const;

  ///@{
  /// The largest and the smallest; NaN if any process has one.
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  T max(T value) const {
    return first_of(value, [](T a, T b) { return a > b; });
  }
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  T min(T value) const {
    return first_of(value, [](T a, T b) { return a < b; });
  }
  ///@}

  ///@{
  /// What `root` has; a text may have another length elsewhere.
  template <Portable T>
  T broadcast(T value, int root = 0) const {
    group_->broadcast(&value, sizeof(T), root);
    return value;
  }
  std::string broadcast(const std::string& text, int root = 0) const;
  ///@}
  /// Into `values`, whose size is the same everywhere.
  template <Portable T>
  void broadcast(std::span<T> values, int root = 0) const {
    group_->broadcast(values.data(), values.size_bytes(), root);
  }

  /// On rank 0 the bytes of every process, by rank; elsewhere nothing. They may differ in number.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) const;

  /// Returns when all processes have come here.
  void barrier() const { group_->barrier(); }

  /// Ends all processes at once, this one with `exit_code`. Alone it is std::exit.
  [[noreturn]] void abort(int exit_code) const;

  /// \cond
  const detail::ProcessGroup& group() const { return *group_; }
  /// \endcond

 private:
  template <class T, class Before>
  T first_of(T value, Before before) const {
    const std::vector<T> all = all_gather(value);
    T result = all.front();
    for (const T each : all) {
      if (each != each || before(each, result)) result = each;
      if (result != result) break;
    }
    return result;
  }

  std::shared_ptr<const detail::ProcessGroup> group_;
};

namespace detail {
void throw_together(const Communicator& communicator, const std::exception_ptr& own);
[[noreturn]] void abort_for(const Communicator& communicator, const char* what, int exit_code);
}  // namespace detail

/// Calls f() and returns what it returns. If it throws where there are several processes, the
/// others would wait for this one for ever: its text goes to stderr, with the rank, and all are
/// ended with `exit_code`. Alone, the exception passes. An exception that all processes throw
/// alike (of an option that is wrong) is better caught inside `f`.
template <class F>
decltype(auto) abort_on_exception(const Communicator& communicator, F&& f, int exit_code = 4) {
  try {
    return std::forward<F>(f)();
  } catch (const std::exception& error) {
    if (communicator.size() == 1) throw;
    detail::abort_for(communicator, error.what(), exit_code);
  } catch (...) {
    if (communicator.size() == 1) throw;
    detail::abort_for(communicator, "an unknown exception", exit_code);
  }
}

/// Devices of Exec for this process, of those that it shares with others on its host: at least one.
template <ExecutionSpace Exec>
int devices_here(const Communicator& communicator) {
  if constexpr (std::same_as<Exec, HostTeams>) {
    return 1;
  } else {
    return std::max(devices<Exec>() / communicator.host_size(), 1);
  }
}

/// Calls f() in every process; if it throws in any of them, all throw: its own exception where
/// there was one, elsewhere what the first of those processes said (InvalidArgument and FileError
/// as such, others as Error).
template <class F>
void throw_together(const Communicator& communicator, F&& f) {
  std::exception_ptr own;
  try {
    std::forward<F>(f)();
  } catch (...) {
    own = std::current_exception();
  }
  detail::throw_together(communicator, own);
}

}  // namespace kolam::comm

namespace kolam {
using comm::Communicator;
}  // namespace kolam
