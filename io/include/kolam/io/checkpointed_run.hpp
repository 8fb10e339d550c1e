// SPDX-License-Identifier: Apache-2.0
// Long runs that are saved at intervals, stopped by a signal and continued from a checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <kolam/core/error.hpp>
#include <kolam/core/stop_request.hpp>
#include <kolam/grid/stepped_field.hpp>
#include <kolam/io/checkpoint.hpp>
#include <map>
#include <string>

namespace kolam {

/// The checkpoint from which a run continues, where it is saved, and how often.
struct CheckpointPlan {
  std::string program = {};  ///< program name; others' checkpoints are rejected
  std::map<std::string, CheckpointValue> parameters = {};  ///< must agree, by name
  std::filesystem::path restart = {};  ///< checkpoint to continue from; empty: none
  std::filesystem::path file = {};     ///< see write_checkpoint; empty: the run is not saved
  ///@{
  /// Interval of saves in steps and in seconds; 0: no interval. A run is also saved at its end.
  std::int64_t every_steps = 0;
  double every_seconds = 0;
  ///@}
  const StopRequest* stop = nullptr;  ///< with `file`: a request in any process saves and ends
  /// Called by all processes if a save fails. The run goes on and tries again at the next save.
  /// Without this function, the error is thrown.
  std::function<void(const FileError&)> on_error = {};
};

/// Runs `field` up to step run.niter, which counts the steps before the checkpoint, and returns the
/// norms of all of these steps. The field is bitwise that of a run without interruption, for any
/// subdomains and processes before and after. The norms are bitwise the same if subdomains,
/// processes and steps_per_pass are; otherwise they agree to about 1e-13, as do up to
/// steps_per_pass norms if the saved run ended within a temporal block.
///
/// Values are copied to the host and written while the next steps run; if a copy does not fit into
/// host memory, the steps wait. A field that is not finite is never saved: the run ends with
/// StencilStatus::not_finite. A run that is saved proceeds in parts of about half a second, and the
/// host waits for the device after each. All processes call it together, with the same plan.
///
/// Throws FileError, naming the file and the reason, if the run cannot continue from the
/// checkpoint, InvalidArgument if the plan or the run is invalid, and errors of the field. T is
/// float or double.
template <class T>
grid::StencilResult run_with_checkpoints(grid::SteppedField<T>& field, const grid::StencilRun& run,
                                         const CheckpointPlan& plan);

/// Throws InvalidArgument, naming the option, its value and the allowed values, if any is invalid.
void validate(const CheckpointPlan& plan);

}  // namespace kolam
