// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kolam::detail {

/// Returns whether the user or a launcher has chosen where OpenMP threads run.
bool binding_chosen();

/// A binding of each OpenMP thread to its own processor, if there are as many threads as processors
/// that this process may use; with fewer threads, the scheduler finds idle processors better.
/// (libgomp reads OMP_PROC_BIND before main, so setting the variable here would be too late.)
/// The destructor restores the affinity of the calling thread.
class ThreadBinding {
 public:
  ThreadBinding();
  ~ThreadBinding();
  ThreadBinding(const ThreadBinding&) = delete;
  ThreadBinding& operator=(const ThreadBinding&) = delete;
  ThreadBinding(ThreadBinding&&) = delete;
  ThreadBinding& operator=(ThreadBinding&&) = delete;

 private:
  [[maybe_unused]] bool bound_ = false;
};

}  // namespace kolam::detail
