// SPDX-License-Identifier: Apache-2.0
// The norms of a loop of steps, computed on the field's device and read a few steps later.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <deque>
#include <kolam/kernels/stencil/norms.hpp>
#include <optional>
#include <vector>

namespace kolam::grid {

/// The norm of one step: sqrt(sum over interior points of (new - old)^2), accumulated in double.
struct NormRecord {
  std::int64_t iteration;  ///< number of the step, from 0
  double norm;             ///< the norm; NaN or Inf if a value is one
};

/// Collects the partial sums of steps, turns a batch of them into norms with one kernel, and lets
/// the host read the norms from pinned memory once they have arrived. No step waits for the host;
/// the host waits only while more than two batches (64 with a tolerance) are under way.
///
/// With a tolerance a batch is one step, and the device itself raises `stop()` when a norm meets
/// it, so that steps launched in advance do nothing.
///
/// Functions that wait for a norm throw Error if the device's work has ended and the norm has not
/// arrived.
template <ExecutionSpace Exec>
class NormLog {
 public:
  /// The memory space of the partial sums.
  using Space = typename Exec::memory_space;

  /// Allocates batches of steps with `sums_per_step` partial sums each; `together` steps are
  /// recorded at once, 1 if there is a tolerance.
  NormLog(const Exec& exec, index_t sums_per_step, std::optional<double> tol, int together = 1);

  ///@{
  /// Returns the memory for the partial sums of the steps that are recorded next: [sums_per_step]
  /// of one step, or [sums_per_step, together] of several.
  Kokkos::View<double*, Space> partial_sums() const;
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> partial_sums_together() const;
  ///@}
  /// Returns a flag that is non-zero on the device if later steps must do nothing; empty without a
  /// tolerance.
  Kokkos::View<const int, Space> stop() const { return stop_; }

  /// Records that `together` steps from `iteration` on have been launched and their norms are
  /// wanted.
  void record(std::int64_t iteration);
  /// Takes the norms that have arrived, and waits only while too many batches are under way.
  /// Returns whether any had. Cheap enough for every step.
  bool update();
  /// Waits for all norms.
  void finish();

  /// Returns the norms that have arrived, up to and including the first that ends the loop.
  const std::vector<NormRecord>& records() const { return records_; }
  /// Returns whether a norm has arrived that is not finite or meets the tolerance.
  bool ended() const { return ended_; }

  /// Returns the device memory of a log in bytes.
  static std::uint64_t bytes(index_t sums_per_step, bool with_tol, int together = 1);

 private:
  struct Batch {
    index_t first_slot;
    std::vector<std::int64_t> iterations;
  };

  void launch_batch();
  bool arrived(const Batch& batch) const;
  void take_oldest();
  double wait_for(index_t slot) const;

  Exec exec_;
  std::optional<double> tol_;
  int together_;
  int batch_size_;
  std::size_t ahead_;  // batches that may be under way
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> partial_sums_;
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> slots_;
  Kokkos::View<int, Space> stop_;
  index_t next_slot_ = 0;
  std::vector<std::int64_t> current_;
  std::deque<Batch> launched_;
  std::vector<NormRecord> records_;
  bool ended_ = false;
};

}  // namespace kolam::grid
