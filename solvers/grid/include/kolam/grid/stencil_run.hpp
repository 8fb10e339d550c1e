// SPDX-License-Identifier: Apache-2.0
// What a StencilSolver is asked to do, and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/transport.hpp>
#include <kolam/grid/norm_log.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace kolam::grid {

/// How many steps, and what is looked at on the way.
struct StencilRun {
  std::int64_t niter = 1000;  ///< steps at most, those before first_step counted; at least 0
  std::int64_t nccheck = 1;   ///< the norm is taken every nccheck steps, from step 0; at least 1
  /// The norm is looked at every check_every steps as well, for values that are not finite, and
  /// only then recorded. 0: as often as it is taken.
  std::int64_t check_every = 0;
  std::int64_t first_step = 0;     ///< steps that the field has seen already; at least 0
  std::optional<double> tol = {};  ///< stop after the first norm <= tol (finite, >= 0)
  /// Called on the calling thread now and then with the latest norm that has arrived.
  std::function<void(const NormRecord&)> progress = {};
};

/// Who works, and how halos travel.
struct StencilSetup {
  int steps_per_pass = 1;          ///< 1 to 8 (in three dimensions 1 to 3); 0: the fastest
  Communicator communicator = {};  ///< all processes that have subdomains
  comm::Transport transport = comm::Transport::automatic;      ///< between subdomains
  comm::GpuAwareMpi gpu_aware = comm::GpuAwareMpi::automatic;  ///< of MPI's messages
};

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const StencilRun& run);

/// Why a run ended.
enum class StencilStatus {
  completed,        ///< niter steps done, no tolerance asked for
  converged,        ///< a norm <= tol was met
  iteration_limit,  ///< niter steps done, tolerance not met
  not_finite,       ///< a norm was NaN or Inf: norm_history ends with it
  interrupted,      ///< asked to stop before the end
  unsolved          ///< the linear system of an implicit step was not solved
};

/// "completed", "converged", "iteration_limit", "not_finite", "interrupted" or "unsolved".
std::string_view name(StencilStatus status);

/// What came of a run; the same in all processes.
struct [[nodiscard]] StencilResult {
  StencilStatus status = StencilStatus::completed;  ///< why it ended
  std::int64_t iterations = 0;                      ///< steps that the field has seen
  double seconds = 0;                         ///< from the first step of this run to the last norm
  std::vector<NormRecord> norm_history = {};  ///< the norms taken, in the order of steps
  std::int64_t first_step = 0;                ///< steps that it had seen before this run
};

namespace detail {

/// Throws InvalidArgument unless so many steps may be fused in so many dimensions.
void require_steps_per_pass(int steps, int dimensions);

/// Throws InvalidArgument unless value >= least.
void require_at_least(const char* option, std::int64_t value, std::int64_t least);

/// Whether the last norm is not finite or meets the tolerance.
bool ends(const std::vector<NormRecord>& history, std::optional<double> tol);

}  // namespace detail
}  // namespace kolam::grid
