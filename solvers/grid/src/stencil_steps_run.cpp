// SPDX-License-Identifier: Apache-2.0
// The loop of a run: how many steps, which norms, when to end.
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Timer.hpp>
#include <cmath>
#include <cstdint>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/grid/detail/stencil_steps.hpp>
#include <utility>

#include "subdomain_norms.hpp"

namespace kolam::grid::detail {
namespace {

// Adds the norms that have arrived to the history, up to the one that ends the run.
void add(const std::vector<NormRecord>& arrived, const StencilRun& run,
         std::vector<NormRecord>& history) {
  bool any = false;
  for (const NormRecord& record : arrived) {
    const bool is_kept = record.iteration % run.nccheck == 0 || !std::isfinite(record.norm);
    if (!is_kept) continue;
    if (ends(history, run.tol)) return;
    history.push_back(record);
    any = true;
  }
  if (any && run.progress) run.progress(history.back());
}

}  // namespace

template <class T, int N, ExecutionSpace Exec>
StencilResult StencilSteps<T, N, Exec>::run(const StencilRun& run) {
  const Kokkos::Profiling::ScopedRegion region("kolam::StencilSolver::run");
  validate(run);
  // On one subdomain the device itself compares each norm with the tolerance and skips steps
  // launched in advance; otherwise the host waits for the norms that it compares.
  const bool device_compares = run.tol && run.check_every == 0 &&
                               decomposition_.subdomains() == 1 && !fuses() &&
                               communicator().size() == 1;
  Norms single = step_norms(device_compares ? run.tol : std::nullopt);
  Norms fused = fuses() ? fused_norms() : Norms(communicator());
  StencilResult result{run.tol ? StencilStatus::iteration_limit : StencilStatus::completed,
                       0,
                       0,
                       {},
                       run.first_step};
  const auto take = [&](Norms& norms) { add(norms.take(), run, result.norm_history); };
  const auto ended = [&] { return ends(result.norm_history, run.tol); };
  const auto is_compared = [&](std::int64_t i) { return i % run.nccheck == 0; };
  const auto is_looked_at = [&](std::int64_t i) {
    return is_compared(i) || (run.check_every > 0 && i % run.check_every == 0);
  };

  Kokkos::Timer timer;
  std::int64_t steps = run.first_step;
  std::int64_t last_block = steps;  // where the last temporal block began
  Norms* under_way = nullptr;       // norms of the last step or temporal block
  // Norms are taken in the order of the steps.
  const auto finish_before = [&](Norms& next) {
    if (under_way != nullptr && under_way != &next) {
      under_way->finish();
      take(*under_way);
    }
    under_way = &next;
  };
  while (steps < run.niter && !ended()) {
    // (Temporal blocks begin at multiples of their steps, so that a run continued from a checkpoint
    // has the same norms as one that was never interrupted.)
    const bool block =
        fuses() && steps % steps_per_pass() == 0 && run.niter - steps >= steps_per_pass();
    Norms& norms = block ? fused : single;
    finish_before(norms);
    if (ended()) break;
    bool waits = false;
    if (block) {
      last_block = steps;
      temporal_block(norms);
      norms.record(steps, steps_per_pass());
      steps += steps_per_pass();
      waits = run.tol.has_value();
    } else {
      const bool check = is_looked_at(steps);
      step(check ? &norms : nullptr);
      if (check) norms.record(steps);
      waits = run.tol && !device_compares && is_compared(steps);
      ++steps;
    }
    if (waits)
      norms.finish();
    else
      norms.update();
    take(norms);
  }
  fused.finish();
  take(fused);
  single.finish();
  take(single);
  this->fence("kolam::StencilSolver::run");
  result.seconds = communicator().max(timer.seconds());
  result.iterations = steps;
  if (!ended()) return result;

  const NormRecord& last = result.norm_history.back();
  const bool finite = std::isfinite(last.norm);
  result.status = finite ? StencilStatus::converged : StencilStatus::not_finite;
  if (!run.tol) return result;
  result.iterations = last.iteration + 1;
  if (device_compares) {
    // The steps launched after the last one did nothing; an odd number of them left the field
    // in new_u.
    if ((steps - result.iterations) % 2 == 1) swap();
  } else if (result.iterations < steps) {
    // The temporal block went further; repeat its first steps from its input, which still exists.
    swap();
    for (std::int64_t i = last_block; i < result.iterations; ++i) step(nullptr);
    this->fence("kolam::StencilSolver::run");
  }
  return result;
}

#define KOLAM_INSTANTIATE(EXEC)                                                 \
  template StencilResult StencilSteps<float, 2, EXEC>::run(const StencilRun&);  \
  template StencilResult StencilSteps<float, 3, EXEC>::run(const StencilRun&);  \
  template StencilResult StencilSteps<double, 2, EXEC>::run(const StencilRun&); \
  template StencilResult StencilSteps<double, 3, EXEC>::run(const StencilRun&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam::grid::detail
