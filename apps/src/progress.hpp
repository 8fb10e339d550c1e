// SPDX-License-Identifier: Apache-2.0
// A progress line on stderr for long runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <kolam/grid/norm_log.hpp>
#include <string_view>

#include "options.hpp"

namespace kolam::app {

/// Returns whether to show progress; `automatic`: if stderr is a terminal that can erase.
bool shows_progress(ProgressMode mode);

/// Rewrites one line in place, at most five times a second; the destructor erases it.
class Progress {
 public:
  /// Prepares for a run of `command`, "jacobi", of at most `niter` steps; silent unless `shown`.
  Progress(bool shown, std::string_view command, std::int64_t niter)
      : shown_(shown), command_(command), niter_(niter) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Shows progress at `latest`, the newest norm. The rate counts from the first call, to exclude
  /// set-up and first touches.
  void show(const grid::NormRecord& latest);

 private:
  using Clock = std::chrono::steady_clock;

  bool shown_;
  std::string_view command_;
  bool on_screen_ = false;
  bool started_ = false;
  std::int64_t niter_;
  std::int64_t first_iteration_ = 0;
  Clock::time_point start_{};
  Clock::time_point last_{};
};

}  // namespace kolam::app
