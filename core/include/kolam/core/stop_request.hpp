// SPDX-License-Identifier: Apache-2.0
// The wish of a user or a batch system that a run ends early.
#pragma once

#include <csignal>
#include <string_view>

namespace kolam {

/// While one lives, SIGTERM and SIGINT (Ctrl-C) do not end the program at once: they are noted, and
/// loops that ask can write a checkpoint and leave. Whoever cannot wait sends a second one of them,
/// which then does what it does by default.
/// \code
///   const kolam::StopRequest stop;
///   while (step < last && !stop.requested()) advance(step++);
///   if (stop.requested()) write_checkpoint(...);
/// \endcode
/// A signal that was ignored before (a job in the background, nohup) stays ignored. The handlers
/// that were there before come back with the destruction.
class [[nodiscard]] StopRequest {
 public:
  /// Throws InvalidArgument if there is one already: signals belong to the whole program.
  StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  ~StopRequest();

  /// Whether a signal came. Costs one read of memory; may be asked by any thread.
  bool requested() const noexcept { return signal() != 0; }
  /// The first signal that came, SIGTERM or SIGINT; 0 before.
  int signal() const noexcept;
  /// Its name, "SIGTERM" or "SIGINT"; empty before.
  std::string_view name() const noexcept;

 private:
  struct sigaction terminate_before_{};
  struct sigaction interrupt_before_{};
};

}  // namespace kolam
