// SPDX-License-Identifier: Apache-2.0
// Options and results of StencilSolver runs.
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

/// The number of steps of a run, and its checks.
struct StencilRun {
  std::int64_t niter = 1000;  ///< largest number of steps, including those before first_step; >= 0
  std::int64_t nccheck = 1;   ///< steps between norms, from step 0 on; at least 1
  /// Number of steps between additional checks of the norm, which is recorded only if it is not
  /// finite. 0: no additional checks.
  std::int64_t check_every = 0;
  std::int64_t first_step = 0;     ///< steps that the field has already taken; at least 0
  std::optional<double> tol = {};  ///< stop after the first norm <= tol (finite, >= 0)
  /// Called from time to time, on the calling thread, with the latest norm that has arrived.
  std::function<void(const NormRecord&)> progress = {};
};

/// The fused steps, processes and transports of a solver.
struct StencilSetup {
  int steps_per_pass = 1;          ///< number of fused steps, 1 to 8 (1 to 3 in 3D); 0: the fastest
  Communicator communicator = {};  ///< all processes that have subdomains
  comm::Transport transport = comm::Transport::automatic;      ///< transport between subdomains
  comm::GpuAwareMpi gpu_aware = comm::GpuAwareMpi::automatic;  ///< device memory in MPI messages
};

/// Throws InvalidArgument for a wrong option, naming the option, its value and the allowed values.
void validate(const StencilRun& run);

/// Why a run ended.
enum class StencilStatus {
  completed,        ///< niter steps done, no tolerance given
  converged,        ///< a norm <= tol was met
  iteration_limit,  ///< niter steps done, tolerance not met
  not_finite,       ///< a norm was NaN or Inf: norm_history ends with it
  interrupted,      ///< stopped on request before the end
  unsolved          ///< the linear system of an implicit step was not solved
};

/// Returns the enumerator's name: "completed", "converged", "iteration_limit", "not_finite",
/// "interrupted" or "unsolved".
std::string_view name(StencilStatus status);

/// The result of a run; the same in all processes.
struct [[nodiscard]] StencilResult {
  StencilStatus status = StencilStatus::completed;  ///< why it ended
  std::int64_t iterations = 0;                      ///< steps that the field has taken in all
  double seconds = 0;                         ///< from the first step of this run to the last norm
  std::vector<NormRecord> norm_history = {};  ///< the norms taken, in the order of steps
  std::int64_t first_step = 0;                ///< steps that it had taken before this run
};

namespace detail {

/// Throws InvalidArgument unless `steps` steps can be fused in `dimensions` dimensions.
void require_steps_per_pass(int steps, int dimensions);

/// Throws InvalidArgument unless value >= least.
void require_at_least(const char* option, std::int64_t value, std::int64_t least);

/// Returns whether the last norm is not finite or meets the tolerance.
bool ends(const std::vector<NormRecord>& history, std::optional<double> tol);

}  // namespace detail
}  // namespace kolam::grid
