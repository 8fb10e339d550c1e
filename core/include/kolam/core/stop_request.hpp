// SPDX-License-Identifier: Apache-2.0
// Requests of a user or a batch system to end a run early.
#pragma once

#include <csignal>
#include <string_view>

namespace kolam {

/// A handler of SIGTERM and SIGINT (Ctrl-C). While it exists, the first such signal does not end
/// the program: it is recorded, and loops that query it can write a checkpoint and end. A second
/// signal has its default effect.
/// \code
///   const kolam::StopRequest stop;
///   while (step < last && !stop.requested()) advance(step++);
///   if (stop.requested()) write_checkpoint(...);
/// \endcode
/// A signal that was ignored before (a job in the background, nohup) stays ignored. The destructor
/// restores the previous handlers.
class [[nodiscard]] StopRequest {
 public:
  /// Throws InvalidArgument if another StopRequest exists: signals belong to the whole program.
  StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  ~StopRequest();

  /// Returns whether a signal has arrived. Costs one read of memory; any thread may call it.
  bool requested() const noexcept { return signal() != 0; }
  /// Returns the first signal that arrived, SIGTERM or SIGINT; 0 if none has.
  int signal() const noexcept;
  /// Returns the name of that signal, "SIGTERM" or "SIGINT"; empty if none has arrived.
  std::string_view name() const noexcept;

 private:
  struct sigaction terminate_before_{};
  struct sigaction interrupt_before_{};
};

}  // namespace kolam
