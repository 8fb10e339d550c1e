// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <sstream>
#include <string>

namespace kolam::grid {

std::string_view name(StencilStatus status) {
  switch (status) {
    case StencilStatus::completed:
      return "completed";
    case StencilStatus::converged:
      return "converged";
    case StencilStatus::iteration_limit:
      return "iteration_limit";
    case StencilStatus::interrupted:
      return "interrupted";
    case StencilStatus::unsolved:
      return "unsolved";
    case StencilStatus::not_finite:
      break;
  }
  return "not_finite";
}

void validate(const StencilRun& run) {
  detail::require_at_least("niter", run.niter, 0);
  detail::require_at_least("nccheck", run.nccheck, 1);
  detail::require_at_least("check_every", run.check_every, 0);
  detail::require_at_least("first_step", run.first_step, 0);
  if (run.tol && !(std::isfinite(*run.tol) && *run.tol >= 0)) {
    std::ostringstream value;
    value << *run.tol;
    throw InvalidArgument("tol is " + value.str() +
                          "; it must be a finite number, and not negative");
  }
}

namespace detail {

void require_at_least(const char* option, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  throw InvalidArgument(std::string(option) + " is " + std::to_string(value) +
                        "; it must be at least " + std::to_string(least));
}

void require_steps_per_pass(int steps, int dimensions) {
  const int most = most_steps_per_pass(dimensions);
  if (steps >= 1 && steps <= most) return;
  throw InvalidArgument(std::to_string(steps) + " steps per pass; there may be 1 to " +
                        std::to_string(most) + " in " + std::to_string(dimensions) + " dimensions");
}

bool ends(const std::vector<NormRecord>& history, std::optional<double> tol) {
  if (history.empty()) return false;
  const double norm = history.back().norm;
  return !std::isfinite(norm) || (tol && norm <= *tol);
}

}  // namespace detail
}  // namespace kolam::grid
