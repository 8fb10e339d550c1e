// SPDX-License-Identifier: Apache-2.0
// A point in the work of one instance, for which others can wait.
#pragma once

#include <kolam/core/execution.hpp>
#include <memory>
#include <string>

namespace kolam {

/// Made once and recorded as often as wanted: what a loop of steps waits with. On CUDA and HIP it
/// is an event of the vendor, and one instance waits for another without the host; elsewhere the
/// host waits. To wait once in a while, Instance::wait_for is simpler.
template <ExecutionSpace Exec>
class Event {
 public:
  /// Nothing is recorded yet: waits return at once.
  Event();
  /// Waits for nothing.
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ///@{
  /// Moves the mark; the source may only be destroyed or assigned to.
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ///@}

  /// From now on this stands for the work launched on `instance` so far.
  void record(const Exec& instance);

  /// Work launched on `later` from now on starts after the work that this stands for; at once if
  /// nothing was recorded. Returns whether the host waited. `why` is shown by Kokkos' tools then.
  bool order_before(const Exec& later, const std::string& why) const;

  /// Waits for that work on the host.
  void wait(const std::string& why) const;

 private:
  struct Mark;
  std::unique_ptr<Mark> mark_;
};

}  // namespace kolam
