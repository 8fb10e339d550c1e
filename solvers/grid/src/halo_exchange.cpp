// SPDX-License-Identifier: Apache-2.0
#include <kolam/comm/detail/exchange.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/memory/emulation.hpp>
#include <utility>
#include <variant>

#include "halo_transfer.hpp"

namespace kolam::grid {

template <int N, ExecutionSpace Exec>
struct HaloExchange<N, Exec>::Implementation {
  template <class T>
  using Several = std::vector<Fields<T>>;
  using Message = comm::detail::Message<Exec>;

  Implementation(const std::vector<Exec>& some, const comm::Decomposition<N>& decomposition,
                 int depth, Ghosts ghosts, const Communicator& processes, comm::Transport asked,
                 comm::GpuAwareMpi gpu_aware);
  template <class One>
  void require(const std::vector<One>& several) const;
  void require_count(std::size_t fields) const;
  void require_layout(std::size_t subdomain, const std::string& label,
                      const FieldLayout<N>& layout) const;

  // The two halves of a phase; the first completes local transfers. One: Fields of some type.
  template <class One>
  void begin(std::size_t phase, const std::vector<One>& fields);
  template <class One>
  void complete(std::size_t phase, const std::vector<One>& fields);

  int depth;
  comm::detail::Exchange<Exec> messages;
  std::vector<std::vector<detail::HaloTransferOf<N, Exec>>> transfers;  // transfer of each message
  std::vector<Extents<N>> least;                                        // least extents of fields
  std::variant<std::monostate, Several<float>, Several<double>> started;
};

template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>::Implementation::Implementation(const std::vector<Exec>& some,
                                                      const comm::Decomposition<N>& decomposition,
                                                      int layers, Ghosts ghosts,
                                                      const Communicator& processes,
                                                      comm::Transport asked,
                                                      comm::GpuAwareMpi gpu_aware)
    : depth(layers),
      messages("HaloExchange", some, comm::Partition(decomposition.subdomains(), processes.size()),
               processes, asked, gpu_aware, ghosts == Ghosts::corners ? N : 1),
      transfers(messages.phases()) {
  if (depth < 1) {
    throw InvalidArgument("HaloExchange: depth " + std::to_string(depth) +
                          "; it must be at least 1");
  }
  const auto [first, count] = messages.partition().share(processes.rank());
  for (int s = first; s < first + count; ++s) {
    least.push_back(comm::LocalGrid<N>(decomposition, s, depth).extents());
  }
  const auto plans = detail::plan_halo(decomposition, depth, ghosts, first, count);
  for (std::size_t phase = 0; phase < plans.size(); ++phase) {
    for (const detail::HaloTransfer<N>& plan : plans[phase]) {
      messages.add(phase, plan.from, plan.to, plan.side, 2 * N);
      transfers[phase].emplace_back(plan);
    }
  }
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::Implementation::require_count(std::size_t fields) const {
  const std::size_t subdomains = least.size();
  if (fields == subdomains) return;
  throw InvalidArgument("HaloExchange::start: " + std::to_string(fields) + " fields for " +
                        std::to_string(subdomains) + " subdomains; give one for each");
}

template <int N, ExecutionSpace Exec>
template <class One>
void HaloExchange<N, Exec>::Implementation::require(const std::vector<One>& several) const {
  if (started.index() != 0) {
    throw InvalidArgument("HaloExchange::start: the last exchange has not finished; call finish()");
  }
  for (const One& fields : several) {
    require_count(fields.size());
    for (std::size_t s = 0; s < fields.size(); ++s) {
      for (std::size_t d = 0; d < N; ++d) {
        if (fields[s].extent(d) >= static_cast<std::size_t>(least[s][d])) continue;
        throw InvalidArgument("HaloExchange::start: field '" + fields[s].label() + "' has " +
                              std::to_string(fields[s].extent(d)) + " points along " + "xyz"[d] +
                              "; subdomain and ghosts need " + std::to_string(least[s][d]));
      }
    }
  }
}

template <int N, ExecutionSpace Exec>
template <class One>
void HaloExchange<N, Exec>::Implementation::begin(std::size_t phase,
                                                  const std::vector<One>& fields) {
  auto& of = transfers[phase];
  typename detail::HaloTransferOf<N, Exec>::template Copies<One> copies;
  messages.expect(phase, [&](const Message& m, std::size_t i) { of[i].expect(m, fields); });
  messages.send(
      phase, [&](const Message& m, std::size_t i) { of[i].send(m, fields); },
      [&](const Message& m, std::size_t i) { of[i].arrive(m, fields, copies); });
  copies.launch();
  messages.depart(phase);
}

template <int N, ExecutionSpace Exec>
template <class One>
void HaloExchange<N, Exec>::Implementation::complete(std::size_t phase,
                                                     const std::vector<One>& fields) {
  typename detail::HaloTransferOf<N, Exec>::template Copies<One> copies;
  messages.arrive(phase, [&](const Message& m, std::size_t i) {
    transfers[phase][i].arrive(m, fields, copies);
  });
  copies.launch();
  messages.settle(phase);
}

template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>::HaloExchange(const std::vector<Exec>& instances,
                                    const comm::Decomposition<N>& decomposition, int depth,
                                    Ghosts ghosts, const Communicator& communicator,
                                    comm::Transport transport, comm::GpuAwareMpi gpu_aware)
    : implementation_(std::make_unique<Implementation>(instances, decomposition, depth, ghosts,
                                                       communicator, transport, gpu_aware)) {}

template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>::~HaloExchange() = default;
template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>::HaloExchange(HaloExchange&&) noexcept = default;
template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>& HaloExchange<N, Exec>::operator=(HaloExchange&&) noexcept = default;

template <int N, ExecutionSpace Exec>
template <class T>
void HaloExchange<N, Exec>::start_all(std::vector<Fields<T>> fields) {
  implementation_->require(fields);
  const BothSides scope;  // (MPI accesses memory that strict emulation reserves for devices)
  implementation_->begin(0, fields);
  implementation_->started = std::move(fields);
}

template <int N, ExecutionSpace Exec>
template <class T>
void HaloExchange<N, Exec>::start_arrays(const std::vector<Arrays<T>>& several) {
  std::vector<Fields<T>> views;
  for (const Arrays<T>& fields : several) {
    implementation_->require_count(fields.size());
    Fields<T>& each = views.emplace_back();
    for (std::size_t s = 0; s < fields.size(); ++s) {
      grid::Field<T, N>& field = fields[s];
      implementation_->require_layout(s, field.array().label(), field.layout());
      each.push_back(
          with_ghosts(field.layout(), field.read_write(implementation_->messages.instances()[s])));
    }
  }
  start_all<T>(std::move(views));
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::Implementation::require_layout(std::size_t subdomain,
                                                           const std::string& label,
                                                           const FieldLayout<N>& layout) const {
  const Extents<N>& needed = least[subdomain];
  const auto own = [&](std::size_t d) { return needed[d] - 2 * depth; };
  const auto text = [](const auto& points, index_t layers) {
    std::string result;
    for (std::size_t d = 0; d < N; ++d) result += (d > 0 ? " x " : "") + std::to_string(points(d));
    return result + " points with ghosts of depth " + std::to_string(layers);
  };
  bool same = layout.depth == depth;
  for (std::size_t d = 0; d < N; ++d) same = same && layout.own[d] == own(d);
  if (same) return;
  throw InvalidArgument("HaloExchange::start: field '" + label + "' has " +
                        text([&](std::size_t d) { return layout.own[d]; }, layout.depth) +
                        "; its subdomain has " + text(own, depth));
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::finish() {
  Implementation& it = *implementation_;
  const auto started = std::exchange(it.started, std::monostate{});
  const BothSides scope;
  std::visit(
      [&](const auto& fields) {
        if constexpr (std::is_same_v<std::decay_t<decltype(fields)>, std::monostate>) {
          throw InvalidArgument(
              "HaloExchange::finish: no exchange was started; call start(fields)");
        } else {
          it.complete(0, fields);
          for (std::size_t phase = 1; phase < it.messages.phases(); ++phase) {
            it.begin(phase, fields);
            it.complete(phase, fields);
          }
        }
      },
      started);
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::release() {
  implementation_->messages.meet();
}

template <int N, ExecutionSpace Exec>
std::string HaloExchange<N, Exec>::transport() const {
  return implementation_->messages.transport();
}

#define KOLAM_INSTANTIATE_FOR(N, EXEC)                                                  \
  template class HaloExchange<N, EXEC>;                                                 \
  template void HaloExchange<N, EXEC>::start_all<float>(std::vector<Fields<float>>);    \
  template void HaloExchange<N, EXEC>::start_all<double>(std::vector<Fields<double>>);  \
  template void HaloExchange<N, EXEC>::start_arrays(const std::vector<Arrays<float>>&); \
  template void HaloExchange<N, EXEC>::start_arrays(const std::vector<Arrays<double>>&);
#define KOLAM_INSTANTIATE(EXEC)  \
  KOLAM_INSTANTIATE_FOR(2, EXEC) \
  KOLAM_INSTANTIATE_FOR(3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::grid
