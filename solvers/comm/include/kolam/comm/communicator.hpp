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

/// Types whose values mean the same in every process: trivially copyable, no pointers, no views.
template <class T>
concept Portable =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::ranges::view<T>;

/// A group of processes that work together. A default-constructed group is this process alone;
/// `Processes` (processes.hpp) has the group of a program under mpiexec, and
/// `communicator(MPI_Comm)` (transport/mpi.hpp) makes one from the caller's. Cheap to copy.
///
/// The members from all_gather to barrier are collective: every process calls them, in the same
/// order, and waits for the others. All other members are local. Throws CommunicationError if MPI
/// reports an error (see abort_on_exception), and InvalidArgument if all_gather or broadcast gets
/// 2 GiB or more.
class Communicator {
 public:
  /// Makes the group of this process alone.
  Communicator();
  /// \cond
  explicit Communicator(std::shared_ptr<const detail::ProcessGroup> group);
  /// \endcond

  /// Returns the number of this process, 0 to size() - 1.
  int rank() const { return group_->rank(); }
  /// Returns the number of processes.
  int size() const { return group_->size(); }
  ///@{
  /// The same among the processes of the group on this host, which share its devices.
  int host_rank() const { return group_->host_rank(); }
  int host_size() const { return group_->host_size(); }
  ///@}

  /// Returns the value of every process, by rank.
  template <Portable T>
  std::vector<T> all_gather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    group_->all_gather(&value, sizeof(T), all.data());
    return all;
  }

  /// Returns the sum over all processes, added in the order of ranks, so its bits depend only on
  /// the values.
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  T sum(T value) const {
    const std::vector<T> all = all_gather(value);
    T result = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) result += all[i];
    return result;
  }
  /// Replaces each value by its sum, as above, in one message. All processes pass equally many.
  void sum(std::span<double> values) const;

  ///@{
  /// Returns the largest or smallest value; NaN if any process passes NaN.
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
  /// Returns the value of `root`. Texts may differ in length between processes.
  template <Portable T>
  T broadcast(T value, int root = 0) const {
    group_->broadcast(&value, sizeof(T), root);
    return value;
  }
  std::string broadcast(const std::string& text, int root = 0) const;
  ///@}
  /// Overwrites `values` with those of `root`. Their number is the same in all processes.
  template <Portable T>
  void broadcast(std::span<T> values, int root = 0) const {
    group_->broadcast(values.data(), values.size_bytes(), root);
  }

  /// Returns the bytes of every process, by rank, on rank 0, and nothing elsewhere. Processes may
  /// pass different numbers of bytes.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) const;

  /// Waits until all processes have called it.
  void barrier() const { group_->barrier(); }

  /// Ends all processes at once, this one with `exit_code`. Calls std::exit in a single process.
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

/// Calls f() and returns its result. If f throws in one of several processes, writes the
/// exception's text and the rank to stderr and ends all processes with `exit_code`, because the
/// others would wait forever. In a single process the exception propagates. Catch exceptions that
/// all processes throw alike (for a wrong option) inside `f`.
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

/// Returns the number of devices of Exec for this process, at least 1: the processes of a host
/// share its devices.
template <ExecutionSpace Exec>
int devices_here(const Communicator& communicator) {
  if constexpr (std::same_as<Exec, HostTeams>) {
    return 1;
  } else {
    return std::max(devices<Exec>() / communicator.host_size(), 1);
  }
}

/// Calls f(), in all processes; if f throws in any of them, all throw. A process whose f threw
/// rethrows that exception; the others throw the text of the lowest rank that failed, as
/// InvalidArgument or FileError if it was one, otherwise as Error.
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
