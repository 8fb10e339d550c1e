// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace kolam::app {
namespace {

constexpr std::chrono::milliseconds interval{200};
constexpr const char* erase = "\r\x1b[K";

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds > 360000) return fmt::format("{:.0f} h", seconds / 3600);
  const auto total = std::llround(seconds);
  return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

}  // namespace

bool shows_progress(ProgressMode mode) {
  if (mode != ProgressMode::automatic) return mode == ProgressMode::on;
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

Progress::~Progress() {
  if (on_screen_) std::fputs(erase, stderr);
}

void Progress::show(const grid::NormRecord& latest) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (!started_) {
    started_ = true;
    start_ = last_ = now;
    first_iteration_ = latest.iteration;
    return;
  }
  if (now - last_ < interval || latest.iteration <= first_iteration_) return;
  last_ = now;
  on_screen_ = true;
  const double rate = static_cast<double>(latest.iteration - first_iteration_) /
                      std::chrono::duration<double>(now - start_).count();
  const double left = static_cast<double>(niter_ - latest.iteration - 1) / rate;
  // At most 80 columns: a narrow terminal would wrap the line, and part would not be erased.
  const std::string line =
      fmt::format("{}{}: step {} of {}, {:.4g} steps/s, norm {:.4g}, {} left", erase, command_,
                  latest.iteration + 1, niter_, rate, latest.norm, duration(left));
  std::fputs(line.c_str(), stderr);
}

}  // namespace kolam::app
