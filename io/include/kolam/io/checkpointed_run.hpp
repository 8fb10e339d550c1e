// SPDX-License-Identifier: Apache-2.0
// Long runs: saved as they go, stopped by a signal, continued where they were.
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

/// What a run goes on from, where it is saved, and how often.
struct CheckpointPlan {
  std::string program = {};  ///< whose state it is: a checkpoint of another is refused
  std::map<std::string, CheckpointValue> parameters = {};  ///< which must be the same, by name
  std::filesystem::path restart = {};  ///< the checkpoint to go on from; empty: the field as it is
  std::filesystem::path file = {};     ///< see write_checkpoint; empty: the run is not saved
  ///@{
  /// Saved every so many steps, and every so many seconds; 0: not for that. Always at the end.
  std::int64_t every_steps = 0;
  double every_seconds = 0;
  ///@}
  const StopRequest* stop = nullptr;  ///< a request, of any process, saves the run and ends it
  /// Called by all processes when the run could not be saved. It goes on, and tries again when it
  /// is to be saved next. Without this the error is thrown.
  std::function<void(const FileError&)> on_error = {};
};

/// Runs `field` up to run.niter steps, those before the checkpoint counted. The result has the
/// norms of all of them; the field is bitwise that of a run that was never interrupted, whatever
/// the subdomains and processes then and now, and so are the norms where those and steps_per_pass
/// are the same (to about 1e-13 where they are not, and for up to steps_per_pass norms if the run
/// was saved at its end in the middle of a pass).
///
/// Values are copied to the host and written while the next steps run; where a copy does not fit
/// into the host's memory, the steps wait. A field that is not finite is never saved: the run ends
/// with StencilStatus::not_finite. Between two parts of a run of half a second the host waits for
/// the device. Called by all processes together, with the same plan.
///
/// Throws FileError, naming the file and the reason, if it cannot go on from it, InvalidArgument
/// for a plan or a run that is none, and what the field throws. T is float or double.
template <class T>
grid::StencilResult run_with_checkpoints(grid::SteppedField<T>& field, const grid::StencilRun& run,
                                         const CheckpointPlan& plan);

/// Throws InvalidArgument, naming the option, its value and the values allowed.
void validate(const CheckpointPlan& plan);

}  // namespace kolam
