// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <kolam/comm/partition.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/grid/detail/stencil_steps.hpp>
#include <kolam/kernels/stencil/sweep.hpp>
#include <string>
#include <utility>
#include <vector>

#include "subdomain_norms.hpp"

namespace kolam::grid::detail {

template <int N>
int best_steps_per_pass(const comm::Decomposition<N>& decomposition, int on_large_grids,
                        std::size_t element_size, bool on_gpu) {
  index_t least = on_large_grids;
  index_t points = 1;
  for (int d = 0; d < N; ++d) {
    const auto i = static_cast<std::size_t>(d);
    points *= decomposition.extents()[i];
    if (decomposition.parts()[i] > 1 || decomposition.periodic(d))
      least = std::min(least, decomposition.extents()[i] / decomposition.parts()[i]);
  }
  const bool in_cache =
      !on_gpu && !exceeds_cache(2 * static_cast<std::uint64_t>(points) * element_size);
  return in_cache ? 1 : static_cast<int>(std::max<index_t>(least, 1));
}

template <class T, int N, ExecutionSpace Exec>
StencilSteps<T, N, Exec>::StencilSteps(const std::vector<Exec>& instances,
                                       const comm::Decomposition<N>& decomposition,
                                       const StencilSetup& setup, int coefficients, Ghosts ghosts)
    : decomposition_(decomposition), setup_(setup), ghosts_(fuses() ? Ghosts::corners : ghosts) {
  require_running("StencilSolver");
  require_steps_per_pass(steps_per_pass(), N);
  const int count = decomposition.subdomains();
  const comm::Partition::Share share =
      comm::Partition(count, communicator().size()).share(communicator().rank());
  if (instances.size() != static_cast<std::size_t>(share.count)) {
    throw InvalidArgument("StencilSolver: " + std::to_string(instances.size()) + " instances for " +
                          std::to_string(share.count) + " subdomains; give one for each");
  }
  bool neighbours = false;
  bool only_slowest = true;
  for (std::size_t k = 0; k < N; ++k) {
    const bool open = decomposition.parts()[k] > 1 || decomposition.periodic(static_cast<int>(k));
    neighbours = neighbours || open;
    only_slowest = only_slowest && (k == N - 1 || !open);
  }
  direct_ = neighbours && only_slowest && sweeps_reach_neighbours(instances);
  ordered_ = direct_ && is_gpu<Exec> && count > 1;
  // (In temporal blocks, separate sweeps of boundaries a few columns or rows wide take longer than
  // their halos.)
  const bool pays = !fuses() || only_slowest;
  overlap_ = is_gpu<Exec> && count > 1 && !direct_ && pays;
  std::vector<Exec> inner = instances;
  if constexpr (!std::same_as<Exec, HostTeams>) {
    if (overlap_)
      for (Exec& exec : inner) exec = instance_beside(exec);
  }
  subdomains_.reserve(instances.size());
  for (int s = 0; s < share.count; ++s) {
    const auto i = static_cast<std::size_t>(s);
    auto& d = subdomains_.emplace_back(decomposition, share.first + s, steps_per_pass(),
                                       coefficients, instances[i], inner[i]);
    d.outer = overlap_ ? d.boundary : std::vector{d.layout.all()};
  }
  operands_.resize(instances.size());
  // (Single steps between temporal blocks need messages to fill ghosts of several layers.)
  if (neighbours && (!direct_ || fuses())) halo_.emplace(make_halo());
}

template <class T, int N, ExecutionSpace Exec>
StencilSteps<T, N, Exec>::~StencilSteps() = default;
template <class T, int N, ExecutionSpace Exec>
StencilSteps<T, N, Exec>::StencilSteps(StencilSteps&&) noexcept = default;
template <class T, int N, ExecutionSpace Exec>
StencilSteps<T, N, Exec>& StencilSteps<T, N, Exec>::operator=(StencilSteps&&) noexcept = default;

template <class T, int N, ExecutionSpace Exec>
auto StencilSteps<T, N, Exec>::make_halo() const -> Halo {
  std::vector<KokkosInstance<Exec>> instances;
  instances.reserve(subdomains_.size());
  for (const auto& d : subdomains_) instances.push_back(kokkos_instance(d.exec));
  return Halo(instances, decomposition_, steps_per_pass(), ghosts_, setup_.communicator,
              setup_.transport, setup_.gpu_aware);
}

// Returns whether a sweep on any of the instances can store into the memory of all others.
template <class T, int N, ExecutionSpace Exec>
bool StencilSteps<T, N, Exec>::sweeps_reach_neighbours(const std::vector<Exec>& instances) const {
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

template <class T, int N, ExecutionSpace Exec>
std::string StencilSteps<T, N, Exec>::transport() const {
  if (subdomains_.size() <= 1 && (direct_ || !halo_)) return "none needed";
  if (!direct_) return halo_->transport();
  std::vector<int> devices;
  for (const auto& d : subdomains_) devices.push_back(device_number(kokkos_instance(d.exec)));
  std::sort(devices.begin(), devices.end());
  const auto count = std::unique(devices.begin(), devices.end()) - devices.begin();
  const std::string where = !is_gpu<Exec> ? "one host"
                            : count == 1
                                ? "one device"
                                : "peer-to-peer between " + std::to_string(count) + " devices";
  return where + ", stored by the sweeps";
}

template <class T, int N, ExecutionSpace Exec>
Extents<3> StencilSteps<T, N, Exec>::extents() const {
  Extents<3> all{1, 1, 1};
  std::copy(decomposition_.extents().begin(), decomposition_.extents().end(), all.begin());
  return all;
}

template <class T, int N, ExecutionSpace Exec>
FieldNorms StencilSteps<T, N, Exec>::norms() const {
  FieldNorms all{0, 0};
  for (const auto& d : subdomains_) {
    const FieldNorms norms = field_norms<T, N>(d.exec, d.layout, d.u.read(d.exec));
    all.sum += norms.sum;
    all.max = norms.max > all.max || std::isnan(norms.max) ? norms.max : all.max;
  }
  return {communicator().sum(all.sum), communicator().max(all.max)};
}

template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::step(Norms* norms) {
  advance(direct_ && !halo_,
          [&](std::size_t s, const Exec& exec, const Boxes& parts, bool after_outer) {
            SweepControl<Exec> control;
            if (norms != nullptr) {
              const auto sums = (*norms)[s].partial_sums();
              const index_t first =
                  after_outer ? stencil_partial_sums<T, Exec>(subdomains_[s].outer) : index_t{0};
              control.stop = (*norms)[s].stop();
              control.partial_sums = Kokkos::subview(
                  sums, std::pair(first, first + stencil_partial_sums<T, Exec>(parts)));
            }
            sweep(exec, operands_[s], parts, control);
          });
}

template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::temporal_block(Norms& norms) {
  advance(direct_, [&](std::size_t s, const Exec& exec, const Boxes& parts, bool after_outer) {
    const auto& d = subdomains_[s];
    const index_t first = after_outer ? fused_sums(exec, d.outer) : index_t{0};
    const std::pair rows(first, first + fused_sums(exec, parts));
    sweep_fused(exec, operands_[s], d.fixed, parts,
                Kokkos::subview(norms[s].partial_sums_together(), rows, Kokkos::ALL));
  });
}

// Makes a step or a temporal block of all subdomains, and their exchange. Calls sweep(subdomain,
// instance, parts, whether these are the interior after the outer parts).
template <class T, int N, ExecutionSpace Exec>
template <class F>
void StencilSteps<T, N, Exec>::advance(bool stores_ghosts, const F& sweep) {
  follow_neighbours();
  take_operands(stores_ghosts);
  for (std::size_t s = 0; s < subdomains_.size(); ++s) {
    auto& d = subdomains_[s];
    if (overlap_) d.inner_follows_exec();
    sweep(s, d.exec, d.outer, false);
    if (overlap_) sweep(s, d.inner, d.interior, true);
  }
  if (halo_ && !stores_ghosts) {
    typename Halo::template Fields<T> fields;
    for (const Operands& operands : operands_)
      fields.push_back(with_ghosts<N>(operands.layout, operands.new_u));
    halo_->template exchange<T>(fields);
  }
  if (overlap_)
    for (auto& d : subdomains_) d.exec_follows_inner();
  mark();
  swap();
}

// Takes the intents of all subdomains before any work, because sweeps store into their neighbours'
// ghosts.
template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::take_operands(bool stores_ghosts) {
  for (std::size_t s = 0; s < subdomains_.size(); ++s) subdomains_[s].take(operands_[s]);
  const auto layer = [&](int neighbour, bool past_last) {
    const Operands& of = operands_[static_cast<std::size_t>(neighbour)];
    const index_t number = past_last ? of.layout.own[N - 1] : -of.layout.depth;
    return of.new_u.data() + of.layout.origin + number * of.layout.stride[N - 1];
  };
  for (std::size_t s = 0; s < subdomains_.size(); ++s) {
    const auto& d = subdomains_[s];
    operands_[s].low_ghosts = stores_ghosts && d.before ? layer(*d.before, true) : nullptr;
    operands_[s].high_ghosts = stores_ghosts && d.after ? layer(*d.after, false) : nullptr;
  }
}

template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::swap() {
  for (auto& d : subdomains_) std::swap(d.u, d.new_u);
}

// Orders kernels that store ghosts: each reads ghosts that its neighbours' last kernels stored, and
// overwrites ghosts that those have read.
template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::follow_neighbours() const {
  if (!ordered_) return;
  for (const auto& d : subdomains_) {
    if (d.before) d.follow(subdomains_[static_cast<std::size_t>(*d.before)]);
    if (d.after && d.after != d.before) d.follow(subdomains_[static_cast<std::size_t>(*d.after)]);
  }
}
template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::mark() {
  if (!ordered_) return;
  for (auto& d : subdomains_) d.mark();
}

template <class T, int N, ExecutionSpace Exec>
auto StencilSteps<T, N, Exec>::step_norms(std::optional<double> tol) const -> Norms {
  Norms norms(communicator());
  for (const auto& d : subdomains_) {
    index_t sums = stencil_partial_sums<T, Exec>(d.outer);
    if (overlap_) sums += stencil_partial_sums<T, Exec>(d.interior);
    norms.add(d.exec, sums, tol, 1);
  }
  return norms;
}

template <class T, int N, ExecutionSpace Exec>
auto StencilSteps<T, N, Exec>::fused_norms() const -> Norms {
  Norms norms(communicator());
  for (const auto& d : subdomains_) {
    index_t sums = fused_sums(d.exec, d.outer);
    if (overlap_) sums += fused_sums(d.exec, d.interior);
    norms.add(d.exec, sums, std::nullopt, steps_per_pass());
  }
  return norms;
}

#define KOLAM_INSTANTIATE(EXEC)                 \
  template class StencilSteps<float, 2, EXEC>;  \
  template class StencilSteps<float, 3, EXEC>;  \
  template class StencilSteps<double, 2, EXEC>; \
  template class StencilSteps<double, 3, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

template int best_steps_per_pass<2>(const comm::Decomposition<2>&, int, std::size_t, bool);
template int best_steps_per_pass<3>(const comm::Decomposition<3>&, int, std::size_t, bool);

}  // namespace kolam::grid::detail
