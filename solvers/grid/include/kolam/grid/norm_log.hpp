// SPDX-License-Identifier: Apache-2.0
// The norms of a loop of steps, computed where the field is and read a few steps late.
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
  std::int64_t iteration;  ///< 0 is the first step
  double norm;             ///< NaN or Inf where a value was
};

/// Collects the partial sums of steps, turns a batch of them into norms with one kernel, and lets
/// the host pick the norms up from pinned memory when they have arrived: no step waits for the
/// host, which waits only while more than two batches (with a tolerance, 64) are on their way.
///
/// With a tolerance a batch is one step, and the device itself raises `stop()` when the norm is
/// met, so that the steps that were launched in advance do nothing.
///
/// What waits for a norm throws Error if the device's work has ended and none has arrived.
template <ExecutionSpace Exec>
class NormLog {
 public:
  /// Where the partial sums are.
  using Space = typename Exec::memory_space;

  /// Room for batches of steps with `sums_per_step` partial sums each; `together` steps are
  /// recorded at once. With a tolerance `together` is 1.
  NormLog(const Exec& exec, index_t sums_per_step, std::optional<double> tol, int together = 1);

  ///@{
  /// Where the partial sums of the steps go that are recorded next: [sums_per_step] of one step,
  /// [sums_per_step, together] of several.
  Kokkos::View<double*, Space> partial_sums() const;
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> partial_sums_together() const;
  ///@}
  /// Non-zero on the device when the steps that follow shall do nothing; empty without a tolerance.
  Kokkos::View<const int, Space> stop() const { return stop_; }

  /// Says that the step `iteration`, whose norm is wanted, has been launched; with `together`, as
  /// many steps from there on.
  void record(std::int64_t iteration);
  /// Takes the norms that have arrived, and waits only while too many batches are on their way.
  /// Returns whether there were any. Cheap enough for every step.
  bool update();
  /// Waits for all norms.
  void finish();

  /// The norms that have arrived, up to and including the first that ends the loop.
  const std::vector<NormRecord>& records() const { return records_; }
  /// Whether a norm has arrived that is not finite or meets the tolerance.
  bool ended() const { return ended_; }

  /// Device bytes that a log takes.
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
  std::size_t ahead_;  // batches that may be on their way
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
