// SPDX-License-Identifier: Apache-2.0
// Steps of a stencil over the subdomains of a grid: halos, overlap, temporal blocking, norms.
//
//   kolam::grid::StencilSolver solver(kolam::make_instances<Exec>(4), Smooth{},
//                                     kolam::comm::Decomposition<2>({nx, ny}, {1, 4}));
//   solver.initialise(KOKKOS_LAMBDA(const kolam::grid::GridPoint<2>& p) {
//     return p[0] < 0 ? 1.0 : 0.0;
//   });
//   solver.run({.niter = 1000});
//   std::vector<double> u = solver.gather();
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/partition.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/grid/detail/subdomain.hpp>
#include <kolam/grid/detail/subdomain_norms.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/grid/stencil_run.hpp>
#include <kolam/grid/stepped_field.hpp>
#include <kolam/kernels/stencil/fused_steps.hpp>
#include <kolam/kernels/stencil/norms.hpp>
#include <kolam/kernels/stencil/stencil.hpp>
#include <kolam/kernels/stencil/sweep.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kolam::grid {

/// A field of T on the points of a grid, cut into one subdomain for each instance, and the steps of
/// a stencil on it.
///
/// Reproducible: the field is bitwise the same for every decomposition, number of fused steps and
/// number of threads, if the compiler always rounds the stencil's own arithmetic in the same way
/// (if sums contain products: -ffp-contract=off, and for CUDA --fmad=false). Norms are bitwise the
/// same for one decomposition, number of fused steps and kind of device, and agree to about 1e-13
/// (relative) between others.
///
/// A step moves 2 D_u + D_k bytes: the field in and out, and the coefficients in. Several fused
/// steps together move about as much. The host does not wait for steps, except to compare norms
/// with a tolerance on several subdomains or after fused steps.
template <class S, class T, ExecutionSpace Exec>
class StencilSolver final : public SteppedField<T> {
 public:
  static_assert(StencilOf<S, T>, "a stencil is a struct as in kolam/kernels/stencil/stencil.hpp");
  static constexpr int dims = S::dimensions;  ///< dimensions of the grid, 2 or 3
  using typename SteppedField<T>::Read;
  using typename SteppedField<T>::Values;

  /// Makes a solver without memory for fields. `instances`: one for each subdomain of this process,
  /// which are its Partition share among the processes of setup.communicator. All of them call
  /// every function together. Throws InvalidArgument, and as HaloExchange does.
  StencilSolver(const std::vector<Exec>& instances, const S& stencil,
                const comm::Decomposition<dims>& decomposition, const StencilSetup& setup = {});

  /// Sets the field to f(GridPoint<dims>), called on the device for every point of the grid, and in
  /// dimensions that are not periodic also for the boundary around it, at -1 and at the extent.
  /// Throws OutOfMemory if a device has too little memory for its subdomains.
  template <class F>
  void initialise(const F& f) {
    for (Subdomain& d : subdomains_) {
      d.fill(decomposition_, d.u, f);
      d.fill(decomposition_, d.new_u, f);
    }
    fence("kolam::StencilSolver::initialise");
  }
  /// Sets coefficient `k` of the stencil, from 0, in the same way.
  template <class F>
  void set_coefficient(int k, const F& f) {
    for (Subdomain& d : subdomains_)
      d.fill(decomposition_, d.coefficients.at(static_cast<std::size_t>(k)), f);
    fence("kolam::StencilSolver::set_coefficient");
  }

  /// Advances the field. Throws InvalidArgument, see validate; AccessError before `initialise`, and
  /// before `set_coefficient` of each coefficient.
  StencilResult run(const StencilRun& run) override;

  HostField<T> on_host(Values values = Values::copied) const override;
  void load(const Read& read) override;
  /// Returns a copy with one layer of points around it: `boundary`(GridPoint<dims>) beyond
  /// dimensions that are not periodic, the values of the other end beyond those that are. Point (0,
  /// 0) of the grid is (1, 1) there, and the extents are larger by 2.
  template <class F>
  HostField<T> with_boundary(const F& boundary) const;
  /// Returns the values at all points of the grid, x fastest, on the host of rank 0; nothing
  /// elsewhere.
  std::vector<T> gather() const {
    return kolam::comm::gather(communicator(), extents(), on_host(Values::borrowed).blocks);
  }
  FieldNorms norms() const override;

  Extents<3> extents() const override {
    Extents<3> all{1, 1, 1};
    std::copy(decomposition_.extents().begin(), decomposition_.extents().end(), all.begin());
    return all;
  }
  int steps_per_pass() const override { return steps_per_pass_; }
  const Communicator& communicator() const override { return setup_.communicator; }
  /// Returns the transports of halos, in words, see HaloExchange::transport.
  std::string transport() const;
  /// Returns the decomposition of the grid.
  const comm::Decomposition<dims>& decomposition() const { return decomposition_; }

 private:
  using Subdomain = detail::Subdomain<S, T, Exec>;
  using Halo = HaloExchange<dims, KokkosInstance<Exec>>;
  using Logs = detail::SubdomainNorms<Exec>;

  void swap() {
    for (Subdomain& d : subdomains_) std::swap(d.u, d.new_u);
  }
  void fence(const char* why) const {
    for (const Subdomain& d : subdomains_) d.exec.fence(why);
  }

  Logs step_logs(std::optional<double> tol) const;
  Logs block_logs() const;
  template <class F>
  void with_steps(const F& f) const;
  void step(Logs* logs);
  void temporal_block(Logs& logs);
  template <class F>
  void go_on(bool stores_ghosts, const F& sweep);
  void follow_neighbours() const;
  void mark();

  Halo make_halo() const;
  bool sweeps_reach_neighbours(const std::vector<Exec>& instances) const;
  void take_operands(bool stores_ghosts);
  using HostView = Kokkos::View<T*, Kokkos::HostSpace>;
  static HostView host_copy(const Subdomain& d);
  comm::FieldBlock<T, 3> block_of(const Subdomain& d, const T* memory) const;

  S stencil_;
  comm::Decomposition<dims> decomposition_;
  StencilSetup setup_;
  int steps_per_pass_;
  bool overlap_ = false;  // the interior is swept during halo exchanges
  bool direct_ = false;   // kernels store directly into the neighbours' ghosts
  bool ordered_ = false;  // events keep the order of these kernels
  std::vector<Subdomain> subdomains_;
  std::vector<StencilOperands<S, T, Exec>> operands_;  // operands of the current step
  std::optional<Halo> halo_;                           // none if no step needs it
};
/// Deduces a field of double; name the type for another one: StencilSolver<Smooth, float, Exec>.
template <class S, int N, ExecutionSpace Exec>
StencilSolver(const std::vector<Exec>&, const S&, const comm::Decomposition<N>&,
              const StencilSetup& = {}) -> StencilSolver<S, double, Exec>;

/// Returns the number of fused steps that StencilSolver takes if setup.steps_per_pass is 0.
template <class S, class T, ExecutionSpace Exec>
int best_steps_per_pass(const comm::Decomposition<S::dimensions>& decomposition) {
  index_t least = best_fused_steps<S, T, Exec>;
  index_t points = 1;
  for (int d = 0; d < S::dimensions; ++d) {
    const auto i = static_cast<std::size_t>(d);
    points *= decomposition.extents()[i];
    if (decomposition.parts()[i] > 1 || decomposition.periodic(d))
      least = std::min(least, decomposition.extents()[i] / decomposition.parts()[i]);
  }
  const bool in_cache = !has_block_threads<Exec> &&
                        !exceeds_cache(2 * static_cast<std::uint64_t>(points) * sizeof(T));
  return in_cache ? 1 : static_cast<int>(std::max<index_t>(least, 1));
}

template <class S, class T, ExecutionSpace Exec>
StencilSolver<S, T, Exec>::StencilSolver(const std::vector<Exec>& instances, const S& stencil,
                                         const comm::Decomposition<dims>& decomposition,
                                         const StencilSetup& setup)
    : stencil_(stencil),
      decomposition_(decomposition),
      setup_(setup),
      steps_per_pass_(setup.steps_per_pass == 0 ? best_steps_per_pass<S, T, Exec>(decomposition)
                                                : setup.steps_per_pass) {
  require_running("StencilSolver");
  detail::require_steps_per_pass(steps_per_pass_, dims);
  const int count = decomposition.subdomains();
  const comm::Partition::Share share =
      comm::Partition(count, communicator().size()).share(communicator().rank());
  if (instances.size() != static_cast<std::size_t>(share.count)) {
    throw InvalidArgument("StencilSolver: " + std::to_string(instances.size()) + " instances for " +
                          std::to_string(share.count) + " subdomains; give one for each");
  }
  bool neighbours = false;
  bool only_slowest = true;
  for (std::size_t k = 0; k < dims; ++k) {
    const bool open = decomposition.parts()[k] > 1 || decomposition.periodic(static_cast<int>(k));
    neighbours = neighbours || open;
    only_slowest = only_slowest && (k == dims - 1 || !open);
  }
  direct_ = neighbours && only_slowest && sweeps_reach_neighbours(instances);
  ordered_ = direct_ && detail::is_gpu<Exec> && count > 1;
  // (In temporal blocks, separate sweeps of boundaries a few columns or rows wide take longer than
  // their halos.)
  const bool pays = steps_per_pass_ == 1 || only_slowest;
  overlap_ = detail::is_gpu<Exec> && count > 1 && !direct_ && pays;
  std::vector<Exec> inner = instances;
  if constexpr (!std::same_as<Exec, HostTeams>) {
    if (overlap_)
      for (Exec& exec : inner) exec = instance_beside(exec);
  }
  subdomains_.reserve(instances.size());
  for (int s = 0; s < share.count; ++s) {
    const auto i = static_cast<std::size_t>(s);
    Subdomain& d = subdomains_.emplace_back(decomposition, share.first + s, steps_per_pass_,
                                            instances[i], inner[i]);
    d.outer = overlap_ ? d.boundary : std::vector{d.layout.all()};
  }
  // (Single steps between temporal blocks need messages to fill ghosts of several layers.)
  if (neighbours && (!direct_ || steps_per_pass_ > 1)) halo_.emplace(make_halo());
}

template <class S, class T, ExecutionSpace Exec>
auto StencilSolver<S, T, Exec>::make_halo() const -> Halo {
  std::vector<KokkosInstance<Exec>> instances;
  instances.reserve(subdomains_.size());
  for (const Subdomain& d : subdomains_) instances.push_back(kokkos_instance(d.exec));
  return Halo(instances, decomposition_, steps_per_pass_,
              stencil_corners<S> || steps_per_pass_ > 1 ? Ghosts::corners : Ghosts::faces,
              setup_.communicator, setup_.transport, setup_.gpu_aware);
}

// Returns whether a sweep on any of the instances can store into the memory of all others.
template <class S, class T, ExecutionSpace Exec>
bool StencilSolver<S, T, Exec>::sweeps_reach_neighbours(const std::vector<Exec>& instances) const {
  const bool may =
      setup_.transport == comm::Transport::automatic || setup_.transport == comm::Transport::peer;
  if (!may || communicator().size() > 1) return false;
  for (const Exec& here : instances) {
    for (const Exec& there : instances) {
#ifdef KOKKOS_ENABLE_IMPL_CUDA_MALLOC_ASYNC
      // Such memory is accessible to its own device only.
      if (device_number(kokkos_instance(here)) != device_number(kokkos_instance(there)))
        return false;
#endif
      if (!connect(kokkos_instance(here), kokkos_instance(there))) return false;
    }
  }
  return true;
}

template <class S, class T, ExecutionSpace Exec>
std::string StencilSolver<S, T, Exec>::transport() const {
  if (subdomains_.size() <= 1 && (direct_ || !halo_)) return "none needed";
  if (!direct_) return halo_->transport();
  std::vector<int> devices;
  for (const Subdomain& d : subdomains_) devices.push_back(device_number(kokkos_instance(d.exec)));
  std::sort(devices.begin(), devices.end());
  const auto count = std::unique(devices.begin(), devices.end()) - devices.begin();
  const std::string where = !detail::is_gpu<Exec> ? "one host"
                            : count == 1
                                ? "one device"
                                : "peer-to-peer between " + std::to_string(count) + " devices";
  return where + ", stored by the sweeps";
}

// Takes the intents of all subdomains before any work, because sweeps store into their neighbours'
// ghosts.
template <class S, class T, ExecutionSpace Exec>
void StencilSolver<S, T, Exec>::take_operands(bool stores_ghosts) {
  operands_.clear();
  for (Subdomain& d : subdomains_) operands_.push_back(d.operands());
  if (!stores_ghosts) return;
  const auto layer = [&](int neighbour, bool past_last) {
    const StencilOperands<S, T, Exec>& of = operands_[static_cast<std::size_t>(neighbour)];
    const index_t number = past_last ? of.layout.own[dims - 1] : -of.layout.depth;
    return of.new_u.data() + of.layout.origin + number * of.layout.stride[dims - 1];
  };
  for (std::size_t s = 0; s < subdomains_.size(); ++s) {
    const Subdomain& d = subdomains_[s];
    if (d.before) operands_[s].low_ghosts = layer(*d.before, true);
    if (d.after) operands_[s].high_ghosts = layer(*d.after, false);
  }
}

template <class S, class T, ExecutionSpace Exec>
StencilResult StencilSolver<S, T, Exec>::run(const StencilRun& run) {
  const Kokkos::Profiling::ScopedRegion region("kolam::StencilSolver::run");
  validate(run);
  const bool blocked = steps_per_pass_ > 1;
  // On one subdomain the device itself compares each norm with the tolerance and skips steps
  // launched in advance; otherwise the host waits for the norms that it compares.
  const bool device_compares = run.tol && run.check_every == 0 &&
                               decomposition_.subdomains() == 1 && !blocked &&
                               communicator().size() == 1;
  Logs step_norms = step_logs(device_compares ? run.tol : std::nullopt);
  Logs block_norms = blocked ? block_logs() : Logs(communicator());
  StencilResult result{run.tol ? StencilStatus::iteration_limit : StencilStatus::completed,
                       0,
                       0,
                       {},
                       run.first_step};
  const auto is_kept = [&](std::int64_t i) { return i % run.nccheck == 0; };
  const auto is_looked_at = [&](std::int64_t i) {
    return is_kept(i) || (run.check_every > 0 && i % run.check_every == 0);
  };
  // Takes the norms that the run asks for.
  const auto take = [&](const Logs& logs, std::size_t& taken) {
    bool any = false;
    for (; taken < logs.records().size(); ++taken) {
      const NormRecord& record = logs.records()[taken];
      if (!is_kept(record.iteration) && std::isfinite(record.norm)) continue;
      if (detail::ends(result.norm_history, run.tol)) return any;
      result.norm_history.push_back(record);
      any = true;
    }
    if (any && run.progress) run.progress(result.norm_history.back());
    return any;
  };

  Kokkos::Timer timer;
  std::size_t blocks_taken = 0;
  std::size_t steps_taken = 0;
  std::int64_t steps = run.first_step;
  std::int64_t last_block = steps;  // where the last temporal block began
  bool blocks_under_way = false;
  bool steps_under_way = false;
  const auto ended = [&] { return detail::ends(result.norm_history, run.tol); };
  while (steps < run.niter && !ended()) {
    // (Temporal blocks begin at multiples of their steps, so that a run continued from a checkpoint
    // has the same norms as one that was never interrupted.)
    if (blocked && steps % steps_per_pass_ == 0 && run.niter - steps >= steps_per_pass_) {
      if (std::exchange(steps_under_way, false)) {
        step_norms.finish();  // in order
        take(step_norms, steps_taken);
        if (ended()) break;
      }
      last_block = steps;
      blocks_under_way = true;
      temporal_block(block_norms);
      block_norms.record(steps, steps_per_pass_);
      steps += steps_per_pass_;
      if (run.tol)
        block_norms.finish();
      else
        block_norms.update();
      take(block_norms, blocks_taken);
      continue;
    }
    if (std::exchange(blocks_under_way, false)) {
      block_norms.finish();
      take(block_norms, blocks_taken);
      if (ended()) break;
    }
    const bool check = is_looked_at(steps);
    step(check ? &step_norms : nullptr);
    if (check) step_norms.record(steps);
    steps_under_way = true;
    ++steps;
    if (run.tol && !device_compares && is_kept(steps - 1))
      step_norms.finish();
    else
      step_norms.update();
    take(step_norms, steps_taken);
  }
  block_norms.finish();
  take(block_norms, blocks_taken);
  step_norms.finish();
  take(step_norms, steps_taken);
  fence("kolam::StencilSolver::run");
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
    fence("kolam::StencilSolver::run");
  }
  return result;
}

template <class S, class T, ExecutionSpace Exec>
void StencilSolver<S, T, Exec>::step(Logs* logs) {
  go_on(direct_ && !halo_, [&](std::size_t s, const Exec& exec, const auto& operands,
                               const auto& parts, bool behind_outer) {
    SweepControl<Exec> control;
    if (logs != nullptr) {
      const auto sums = (*logs)[s].partial_sums();
      const index_t first =
          behind_outer ? stencil_partial_sums<T, Exec>(subdomains_[s].outer) : index_t{0};
      control.stop = (*logs)[s].stop();
      control.partial_sums =
          Kokkos::subview(sums, std::pair(first, first + stencil_partial_sums<T, Exec>(parts)));
    }
    stencil_sweep<T>(exec, stencil_, operands, parts, control);
  });
}

template <class S, class T, ExecutionSpace Exec>
void StencilSolver<S, T, Exec>::temporal_block(Logs& logs) {
  with_steps([&]<int Steps>() {
    go_on(direct_, [&](std::size_t s, const Exec& exec, const auto& operands, const auto& parts,
                       bool behind_outer) {
      const Subdomain& d = subdomains_[s];
      const auto sums = logs[s].partial_sums_together();
      const index_t first =
          behind_outer ? fused_steps_sums<S, T, Steps>(exec, d.outer) : index_t{0};
      const std::pair rows(first, first + fused_steps_sums<S, T, Steps>(exec, parts));
      fused_steps<T, Steps>(exec, stencil_, operands, d.fixed, parts,
                            Kokkos::subview(sums, rows, Kokkos::ALL));
    });
  });
}

// Makes a step or a temporal block of all subdomains, and their exchange. Calls sweep(subdomain,
// instance, operands, parts, whether these are the interior after the outer parts).
template <class S, class T, ExecutionSpace Exec>
template <class F>
void StencilSolver<S, T, Exec>::go_on(bool stores_ghosts, const F& sweep) {
  follow_neighbours();
  take_operands(stores_ghosts);
  for (std::size_t s = 0; s < subdomains_.size(); ++s) {
    Subdomain& d = subdomains_[s];
    if (overlap_) d.inner_follows_exec();
    sweep(s, d.exec, operands_[s], d.outer, false);
    if (overlap_) sweep(s, d.inner, operands_[s], d.interior, true);
  }
  if (halo_ && !stores_ghosts) {
    typename Halo::template Fields<T> fields;
    for (const auto& operands : operands_)
      fields.push_back(with_ghosts<dims>(operands.layout, operands.new_u));
    halo_->template exchange<T>(fields);
  }
  if (overlap_)
    for (Subdomain& d : subdomains_) d.exec_follows_inner();
  mark();
  swap();
}

// Orders kernels that store ghosts: each reads ghosts that its neighbours' last kernels stored, and
// overwrites ghosts that those have read.
template <class S, class T, ExecutionSpace Exec>
void StencilSolver<S, T, Exec>::follow_neighbours() const {
  if (!ordered_) return;
  for (const Subdomain& d : subdomains_) {
    if (d.before) d.follow(subdomains_[static_cast<std::size_t>(*d.before)]);
    if (d.after && d.after != d.before) d.follow(subdomains_[static_cast<std::size_t>(*d.after)]);
  }
}
template <class S, class T, ExecutionSpace Exec>
void StencilSolver<S, T, Exec>::mark() {
  if (!ordered_) return;
  for (Subdomain& d : subdomains_) d.mark();
}

// Calls f.operator()<Steps>() with the number of fused steps.
template <class S, class T, ExecutionSpace Exec>
template <class F>
void StencilSolver<S, T, Exec>::with_steps(const F& f) const {
  [&]<int... More>(std::integer_sequence<int, More...>) {
    static_cast<void>(
        ((steps_per_pass_ == More + 2 && (f.template operator()<More + 2>(), true)) || ...));
  }(std::make_integer_sequence<int, most_steps_per_pass(dims) - 1>{});
}

template <class S, class T, ExecutionSpace Exec>
auto StencilSolver<S, T, Exec>::step_logs(std::optional<double> tol) const -> Logs {
  Logs logs(communicator());
  for (const Subdomain& d : subdomains_) {
    index_t sums = stencil_partial_sums<T, Exec>(d.outer);
    if (overlap_) sums += stencil_partial_sums<T, Exec>(d.interior);
    logs.add(d.exec, sums, tol, 1);
  }
  return logs;
}

template <class S, class T, ExecutionSpace Exec>
auto StencilSolver<S, T, Exec>::block_logs() const -> Logs {
  Logs logs(communicator());
  with_steps([&]<int Steps>() {
    for (const Subdomain& d : subdomains_) {
      index_t sums = fused_steps_sums<S, T, Steps>(d.exec, d.outer);
      if (overlap_) sums += fused_steps_sums<S, T, Steps>(d.exec, d.interior);
      logs.add(d.exec, sums, std::nullopt, Steps);
    }
  });
  return logs;
}

template <class S, class T, ExecutionSpace Exec>
FieldNorms StencilSolver<S, T, Exec>::norms() const {
  FieldNorms all{0, 0};
  for (const Subdomain& d : subdomains_) {
    const FieldNorms norms = field_norms<T, dims>(d.exec, d.layout, d.u.read(d.exec));
    all.sum += norms.sum;
    all.max = norms.max > all.max || std::isnan(norms.max) ? norms.max : all.max;
  }
  return {communicator().sum(all.sum), communicator().max(all.max)};
}

}  // namespace kolam::grid

#include <kolam/grid/detail/stencil_solver_host.hpp>
