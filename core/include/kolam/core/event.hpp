// SPDX-License-Identifier: Apache-2.0
// A point in the work of one instance that other instances can wait for.
#pragma once

#include <kolam/core/execution.hpp>
#include <memory>
#include <string>

namespace kolam {

/// A reusable event, created once and recorded any number of times, for loops of steps. On CUDA and
/// HIP it is a vendor event, and instances wait for each other without the host; on other backends
/// the host waits. For an occasional wait, AnyInstance::wait_for is simpler.
template <ExecutionSpace Exec>
class Event {
 public:
  /// Creates an event without a record: waits return at once.
  Event();
  /// Destroys the event without waiting for the recorded work.
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ///@{
  /// Moves the event; the source may only be destroyed or assigned to.
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ///@}

  /// Records the work launched on `instance` so far; replaces the previous record.
  void record(const Exec& instance);

  /// Makes later work on the instance `later` wait for the recorded work; does nothing if there is
  /// no record. Returns whether the host waited; Kokkos' tools then show `why`.
  bool order_before(const Exec& later, const std::string& why) const;

  /// Waits on the host for the recorded work.
  void wait(const std::string& why) const;

 private:
  struct Mark;
  std::unique_ptr<Mark> mark_;
};

}  // namespace kolam
