// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/grid/norm_log.hpp>
#include <thread>

namespace kolam::grid {
namespace {

constexpr std::size_t batches_ahead = 2;
constexpr std::size_t steps_ahead_with_tol = 64;
constexpr std::int64_t batch_bytes = std::int64_t{16} << 20;  // of partial sums
constexpr int largest_batch = 64;

int batch_size(index_t sums_per_step, bool with_tol, int together) {
  if (with_tol) return 1;
  const auto steps = static_cast<int>(std::clamp<std::int64_t>(
      batch_bytes / (8 * std::max<index_t>(1, sums_per_step)), 1, largest_batch));
  return std::max(steps / together, 1) * together;
}

}  // namespace

template <ExecutionSpace Exec>
std::uint64_t NormLog<Exec>::bytes(index_t sums_per_step, bool with_tol, int together) {
  return 8 * static_cast<std::uint64_t>(sums_per_step) *
         static_cast<std::uint64_t>(batch_size(sums_per_step, with_tol, together));
}

template <ExecutionSpace Exec>
NormLog<Exec>::NormLog(const Exec& exec, index_t sums_per_step, std::optional<double> tol,
                       int together)
    : exec_(exec),
      tol_(tol),
      together_(together),
      batch_size_(batch_size(sums_per_step, tol.has_value(), together)),
      ahead_(tol ? steps_ahead_with_tol : batches_ahead),
      partial_sums_(kolam::detail::allocate_view<decltype(partial_sums_)>(
          exec, "kolam::partial_sums", sums_per_step, batch_size_)),
      slots_("kolam::norms", (ahead_ + 1) * static_cast<std::size_t>(batch_size_)) {
  Kokkos::deep_copy(slots_, norm_pending);
  if (tol_) stop_ = kolam::detail::allocate_zeros<Kokkos::View<int, Space>>(exec, "kolam::stop");
}

template <ExecutionSpace Exec>
auto NormLog<Exec>::partial_sums() const -> Kokkos::View<double*, Space> {
  return Kokkos::subview(partial_sums_, Kokkos::ALL, current_.size());
}

template <ExecutionSpace Exec>
auto NormLog<Exec>::partial_sums_together() const
    -> Kokkos::View<double**, Kokkos::LayoutLeft, Space> {
  const std::size_t first = current_.size();
  return Kokkos::subview(partial_sums_, Kokkos::ALL,
                         std::pair(first, first + static_cast<std::size_t>(together_)));
}

template <ExecutionSpace Exec>
void NormLog<Exec>::record(std::int64_t iteration) {
  for (int step = 0; step < together_; ++step) current_.push_back(iteration + step);
  if (current_.size() == static_cast<std::size_t>(batch_size_)) launch_batch();
}

template <ExecutionSpace Exec>
bool NormLog<Exec>::update() {
  const std::size_t before = launched_.size();
  while (!launched_.empty() && (launched_.size() > ahead_ || arrived(launched_.front())))
    take_oldest();
  return launched_.size() < before;
}

template <ExecutionSpace Exec>
void NormLog<Exec>::finish() {
  if (!current_.empty()) launch_batch();
  while (!launched_.empty()) take_oldest();
}

template <ExecutionSpace Exec>
void NormLog<Exec>::launch_batch() {
  while (launched_.size() > ahead_) take_oldest();  // before their slots are used again
  const auto steps = static_cast<int>(current_.size());
  finish_norms<Exec>(exec_, partial_sums_, steps, slots_, next_slot_, stop_,
                     tol_.value_or(norm_pending));
  launched_.push_back({next_slot_, std::move(current_)});
  current_.clear();
  next_slot_ = (next_slot_ + batch_size_) % static_cast<index_t>(slots_.extent(0));
}

// One kernel writes a batch's norms in any order, so the last one does not imply the others;
// take_oldest waits for each.
template <ExecutionSpace Exec>
bool NormLog<Exec>::arrived(const Batch& batch) const {
  const auto last = batch.first_slot + static_cast<index_t>(batch.iterations.size()) - 1;
  return std::atomic_ref<double>(slots_(last)).load(std::memory_order_acquire) != norm_pending;
}

template <ExecutionSpace Exec>
void NormLog<Exec>::take_oldest() {
  const Batch batch = std::move(launched_.front());
  launched_.pop_front();
  index_t slot = batch.first_slot;
  for (const std::int64_t iteration : batch.iterations) {
    const double norm = wait_for(slot);
    slots_(slot++) = norm_pending;
    if (ended_ || norm == norm_skipped) continue;
    records_.push_back({iteration, norm});
    ended_ = !std::isfinite(norm) || (tol_ && norm <= *tol_);
  }
}

template <ExecutionSpace Exec>
double NormLog<Exec>::wait_for(index_t slot) const {
  // Polling costs the device nothing. If no norm arrives for long, the device may have failed: a
  // fence would report it.
  constexpr double patience = 5;
  const std::atomic_ref<double> arrival(slots_(slot));
  Kokkos::Timer timer;
  double norm = arrival.load(std::memory_order_acquire);
  for (int polls = 1; norm == norm_pending; ++polls) {
    if (polls % 256 == 0) std::this_thread::yield();
    if (polls % 65536 == 0 && timer.seconds() > patience) {
      exec_.fence("kolam::NormLog");
      norm = arrival.load(std::memory_order_acquire);
      if (norm == norm_pending) throw Error("NormLog: a norm was launched but never arrived");
      break;
    }
    norm = arrival.load(std::memory_order_acquire);
  }
  return norm;
}

#define KOLAM_INSTANTIATE(EXEC) template class NormLog<EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam::grid
