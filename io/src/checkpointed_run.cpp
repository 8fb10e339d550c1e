// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <kolam/core/device.hpp>
#include <kolam/io/async_checkpoint.hpp>
#include <kolam/io/checkpointed_run.hpp>
#include <utility>

namespace kolam {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double part_seconds = 0.5;  // length of a part, between two checks of signals and clocks
constexpr const char* field_name = "u";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class T>
class Run {
 public:
  Run(grid::SteppedField<T>& field, const grid::StencilRun& run, const CheckpointPlan& plan)
      : field_(field), run_(run), plan_(plan), background_(field.communicator()) {
    result_.status =
        run.tol ? grid::StencilStatus::iteration_limit : grid::StencilStatus::completed;
    result_.iterations = result_.first_step = saved_step_ = run.first_step;
  }

  // Loads the field and the norms from the checkpoint.
  void restart() {
    std::optional<CheckpointReader> reader;
    comm::throw_together(field_.communicator(), [&] {
      reader.emplace(plan_.restart);
      reader->template require<T>(header());
      const std::int64_t step = reader->header().step;
      if (step < 0 || step > run_.niter) {
        throw InvalidArgument(
            fmt::format("checkpoint '{}' is of step {}, and the run is to end at step {}; let it "
                        "take more steps",
                        plan_.restart.string(), step, run_.niter));
      }
    });
    field_.load([&](const Box<3>& box, T* to, const comm::Pitches<3>& pitches) {
      reader->template read<3>(field_name, box, to, pitches);
    });
    result_.iterations = result_.first_step = saved_step_ = reader->header().step;
    result_.norm_history = reader->header().norm_history;
  }

  grid::StencilResult all() {
    const bool converged = grid::detail::ends(result_.norm_history, run_.tol);
    if (converged) result_.status = grid::StencilStatus::converged;
    for (bool goes_on = !converged; goes_on && result_.iterations < run_.niter;) {
      goes_on = advance(next_stop());
      if (goes_on && !plan_.file.empty()) goes_on = look_around();
    }
    if (!plan_.file.empty()) {
      attempt([&] { background_.wait(); });
      if (result_.status != grid::StencilStatus::not_finite) save(false);
    }
    return std::move(result_);
  }

 private:
  CheckpointHeader header() const {
    const Extents<3> extents = field_.extents();
    return {.program = plan_.program,
            .extents = {extents.begin(), extents.end()},
            .step = result_.iterations,
            .parameters = plan_.parameters,
            .norm_history = result_.norm_history};
  }

  // The end of a temporal block at or after `step`: a run continued there has the same blocks.
  std::int64_t aligned(std::int64_t step) const {
    const std::int64_t pass = field_.steps_per_pass();
    const std::int64_t over = step % pass;
    return over == 0 ? step : step + (pass - over);
  }
  // Returns the first step after `step` at which the run is saved.
  std::int64_t next_save(std::int64_t step) const {
    const std::int64_t every = plan_.every_steps;
    return every == 0 ? run_.niter : aligned((step / every + 1) * every);
  }
  std::int64_t next_stop() const {
    if (plan_.file.empty()) return run_.niter;
    const std::int64_t end = std::min(run_.niter, next_save(result_.iterations));
    return end - result_.iterations <= part_ ? end
                                             : std::min(end, aligned(result_.iterations + part_));
  }

  // Advances to step `end` and returns whether there is more to do.
  bool advance(std::int64_t end) {
    grid::StencilRun part = run_;
    part.first_step = result_.iterations;
    part.niter = end;
    grid::StencilResult done = field_.run(part);
    const std::int64_t steps = done.iterations - result_.iterations;
    result_.iterations = done.iterations;
    result_.seconds += done.seconds;
    result_.norm_history.insert(result_.norm_history.end(), done.norm_history.begin(),
                                done.norm_history.end());
    result_.status = done.status;
    // All processes have the same seconds.
    const double fitting = part_seconds / std::max(done.seconds, 1e-9) * static_cast<double>(steps);
    part_ =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(fitting), 1, 2 * std::max(part_, steps));
    return done.status == grid::StencilStatus::completed ||
           done.status == grid::StencilStatus::iteration_limit;
  }

  struct Look {
    bool stop;
    bool busy;
    bool late;
  };
  // Runs between two parts. Returns, in all processes alike, whether the run goes on.
  bool look_around() {
    const bool late = plan_.every_seconds > 0 && seconds_since(last_) >= plan_.every_seconds;
    const std::vector<Look> all = field_.communicator().all_gather(
        Look{plan_.stop != nullptr && plan_.stop->requested(), background_.busy(), late});
    const auto any = [&](bool Look::* what) {
      return std::any_of(all.begin(), all.end(), [&](const Look& look) { return look.*what; });
    };
    if (any(&Look::stop)) {
      result_.status = grid::StencilStatus::interrupted;
      return false;
    }
    if (!any(&Look::busy)) attempt([&] { background_.wait(); });
    const bool due =
        plan_.every_steps > 0 &&
        result_.iterations >= aligned((saved_step_ / plan_.every_steps + 1) * plan_.every_steps);
    return result_.iterations == run_.niter || !(due || all.front().late) || save(true);
  }

  // Saves the field unless it is not finite; returns whether the run may go on.
  bool save(bool beside) {
    if (!std::isfinite(field_.norms().sum)) {
      result_.status = grid::StencilStatus::not_finite;
      return false;
    }
    last_ = Clock::now();
    saved_step_ = result_.iterations;
    attempt([&] {
      const Communicator& all = field_.communicator();
      if (beside && all.min(has_room() ? 1 : 0) == 1) {
        grid::HostField<T> copy = field_.on_host();
        background_.write<T, 3>(plan_.file, header(), {{field_name, copy.blocks}}, copy.memory);
        return;
      }
      const grid::HostField<T> values = field_.on_host(grid::SteppedField<T>::Values::borrowed);
      background_.wait();
      write_checkpoint<T, 3>(plan_.file, header(), {{field_name, values.blocks}}, all);
    });
    return true;
  }

  // Returns whether host memory has space for a copy of the field.
  bool has_room() const {
    const Extents<3> extents = field_.extents();
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(extents[0] * extents[1] * extents[2]) * sizeof(T);
    const Communicator& all = field_.communicator();
    const auto here = static_cast<std::uint64_t>(all.host_size());
    const auto share = bytes / static_cast<std::uint64_t>(all.size()) * here;
    const Device host = device_of(backend_of<Kokkos::DefaultHostExecutionSpace>);
    return share + share / 4 < host.memory_available;
  }

  template <class F>
  void attempt(const F& f) {
    try {
      f();
    } catch (const FileError& error) {
      if (!plan_.on_error) throw;
      plan_.on_error(error);
    }
  }

  grid::SteppedField<T>& field_;
  const grid::StencilRun& run_;
  const CheckpointPlan& plan_;
  AsyncCheckpoint background_;
  grid::StencilResult result_;
  std::int64_t part_ = 1;  // steps that take about part_seconds
  std::int64_t saved_step_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace

void validate(const CheckpointPlan& plan) {
  grid::detail::require_at_least("every_steps", plan.every_steps, 0);
  if (!(std::isfinite(plan.every_seconds) && plan.every_seconds >= 0)) {
    throw InvalidArgument(fmt::format(
        "every_seconds is {}; it must be a finite number, and not negative", plan.every_seconds));
  }
}

template <class T>
grid::StencilResult run_with_checkpoints(grid::SteppedField<T>& field, const grid::StencilRun& run,
                                         const CheckpointPlan& plan) {
  validate(run);
  validate(plan);
  Run<T> whole(field, run, plan);
  if (!plan.restart.empty()) whole.restart();
  return whole.all();
}

template grid::StencilResult run_with_checkpoints(grid::SteppedField<float>&,
                                                  const grid::StencilRun&, const CheckpointPlan&);
template grid::StencilResult run_with_checkpoints(grid::SteppedField<double>&,
                                                  const grid::StencilRun&, const CheckpointPlan&);

}  // namespace kolam
