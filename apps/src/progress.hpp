// SPDX-License-Identifier: Apache-2.0
// A line on stderr that shows how far a long run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <kolam/grid/norm_log.hpp>
#include <string_view>

#include "options.hpp"

namespace kolam::app {

/// Whether a progress line is wanted: `automatic` means that stderr is a terminal that can erase.
bool shows_progress(ProgressMode mode);

/// Rewrites one line in place, five times a second at most, and erases it when it goes.
class Progress {
 public:
  /// For a run of `niter` steps at most of `command`, "jacobi"; silent unless `shown`.
  Progress(bool shown, std::string_view command, std::int64_t niter)
      : shown_(shown), command_(command), niter_(niter) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// `latest` is the newest norm known. The rate counts from the first call, so that set-up and
  /// first touches do not spoil it.
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
