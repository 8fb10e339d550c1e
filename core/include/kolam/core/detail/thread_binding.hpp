// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kolam::detail {

/// Whether the user, or a launcher, has said where OpenMP's threads shall run.
bool binding_chosen();

/// Binds each OpenMP thread to a processor of its own if there are as many threads as processors
/// that this process may use; with fewer, the system knows better which ones are idle.
/// (libgomp reads OMP_PROC_BIND before main, so setting the variable here would come too late.)
/// The destructor lets the calling thread run everywhere again.
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
