// SPDX-License-Identifier: Apache-2.0
#include <kolam/comm/detail/transports_in_use.hpp>
#include <kolam/comm/partition.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/memory/emulation.hpp>
#include <utility>
#include <variant>

#include "halo_transfer.hpp"
#include "neighbours.hpp"

namespace kolam::grid {

template <int N, ExecutionSpace Exec>
struct HaloExchange<N, Exec>::Implementation {
  template <class T>
  using Several = std::vector<Fields<T>>;
  using Message = detail::HaloTransferOf<N, Exec>;

  Implementation(const std::vector<Exec>& some, const comm::Decomposition<N>& decomposition,
                 int depth, Ghosts ghosts, const Communicator& processes, comm::Transport asked,
                 comm::GpuAwareMpi gpu_aware);
  void add(std::size_t phase, const detail::HaloTransfer<N>& plan, comm::Transport asked,
           bool gpu_aware);
  template <class One>
  void require(const std::vector<One>& several) const;
  void require_count(std::size_t fields) const;
  void require_layout(std::size_t subdomain, const std::string& label,
                      const FieldLayout<N>& layout) const;

  // One: Fields of some type. The two halves of a phase. What is local is done in the first.
  template <class One>
  void begin(std::size_t phase, const std::vector<One>& fields);
  template <class One>
  void complete(std::size_t phase, const std::vector<One>& fields);

  template <class F>
  void for_each(std::size_t phase, F f) {
    for (Message& message : phases[phase]) f(message);
  }

  std::vector<Exec> instances;
  int depth;
  Communicator communicator;
  comm::Partition partition;
  std::vector<Extents<N>> least;  // of the fields
  detail::Neighbours<Exec> neighbours;
  std::vector<std::vector<Message>> phases;
  comm::detail::TransportsInUse<Exec> ways;
  std::variant<std::monostate, Several<float>, Several<double>> started;
};

template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>::Implementation::Implementation(const std::vector<Exec>& some,
                                                      const comm::Decomposition<N>& decomposition,
                                                      int layers, Ghosts ghosts,
                                                      const Communicator& processes,
                                                      comm::Transport asked,
                                                      comm::GpuAwareMpi gpu_aware)
    : instances(some),
      depth(layers),
      communicator(processes),
      partition(decomposition.subdomains(), processes.size()),
      neighbours(some, ghosts == Ghosts::corners ? N : 1),
      phases(neighbours.phases()) {
  const auto [first, count] = partition.share(communicator.rank());
  if (instances.size() != static_cast<std::size_t>(count)) {
    throw InvalidArgument("HaloExchange: " + std::to_string(instances.size()) + " instances for " +
                          std::to_string(count) + " subdomains; give one for each");
  }
  if (depth < 1) {
    throw InvalidArgument("HaloExchange: depth " + std::to_string(depth) +
                          "; it must be at least 1");
  }
  if (asked == comm::Transport::mpi && !communicator.group().has_messages()) {
    throw InvalidArgument(
        "transport 'mpi' in a program that runs without MPI; start it with mpiexec, with MPI in "
        "the build, or use 'auto'");
  }
  for (int s = first; s < first + count; ++s) {
    least.push_back(comm::LocalGrid<N>(decomposition, s, depth).extents());
  }
  const auto plans = detail::plan_halo(decomposition, depth, ghosts, first, count);
  const bool messages = communicator.size() > 1 || asked == comm::Transport::mpi;
  const bool aware = messages && count > 0 &&
                     comm::detail::is_gpu_aware(communicator, instances.front(), gpu_aware);
  for (std::size_t phase = 0; phase < plans.size(); ++phase) {
    for (const detail::HaloTransfer<N>& plan : plans[phase]) add(phase, plan, asked, aware);
  }
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::Implementation::add(std::size_t phase,
                                                const detail::HaloTransfer<N>& plan,
                                                comm::Transport asked, bool gpu_aware) {
  const int from_rank = partition.owner(plan.from);
  const int to_rank = partition.owner(plan.to);
  const auto place = [&](int subdomain, int owner) -> std::optional<std::size_t> {
    if (owner != communicator.rank()) return std::nullopt;
    return static_cast<std::size_t>(subdomain - partition.share(owner).first);
  };
  const auto from = place(plan.from, from_rank);
  const auto to = place(plan.to, to_rank);
  const Exec& sender = instances[from ? *from : *to];
  const Exec& receiver = instances[to ? *to : *from];
  comm::Pair pair{from_rank == to_rank, device_number(sender) == device_number(receiver), true,
                  gpu_aware};
  if (pair.one_process && !pair.one_device) pair.connected = connect(receiver, sender);
  const comm::Path path = comm::path_of(asked, pair);
  // Between two processes there may be several messages, even from one subdomain to one other (two
  // that are neighbours on both sides): the receiver and its side tell them apart.
  const int tag = (plan.to - partition.share(to_rank).first) * 2 * N + plan.side;
  const comm::detail::Ends<Exec> ends{sender, receiver, from_rank, to_rank, tag};
  const Message& message = phases[phase].emplace_back(plan, from, to, path, ends, communicator);
  if (message.by_mpi() && tag > communicator.group().largest_tag()) {
    throw InvalidArgument("HaloExchange: " + std::to_string(instances.size()) +
                          " subdomains in a process need more tags than this MPI has (" +
                          std::to_string(communicator.group().largest_tag()) +
                          "); use more processes or fewer subdomains");
  }
  // (Who gets something from a neighbour gives it something as well: both wait for each other.)
  if (from && to) neighbours.connect(phase, *to, *from);
  if (from && message.by_mpi()) neighbours.expect_host();
  ways.add(path, ends);
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::Implementation::require_count(std::size_t fields) const {
  if (fields == instances.size()) return;
  throw InvalidArgument("HaloExchange::start: " + std::to_string(fields) + " fields for " +
                        std::to_string(instances.size()) + " subdomains; give one for each");
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
  const auto is_local = [](const Message& m) { return m.from() && m.to() && !m.by_mpi(); };
  for_each(phase, [&](Message& m) {
    if (m.to()) m.expect(fields);
  });
  for_each(phase, [&](Message& m) {
    if (m.from()) m.send(fields);
  });
  // Nobody takes points or packed bytes before the one who gives them has come here; and by the
  // next exchange, who gave them knows in the same way that they were taken.
  neighbours.record();
  neighbours.meet(phase);
  for_each(phase, [&](Message& m) {
    if (is_local(m)) m.arrive(fields);
  });
  for_each(phase, [&](Message& m) {
    if (!m.from() || !m.by_mpi()) return;
    neighbours.wait(*m.from());
    m.depart();
  });
}

template <int N, ExecutionSpace Exec>
template <class One>
void HaloExchange<N, Exec>::Implementation::complete(std::size_t phase,
                                                     const std::vector<One>& fields) {
  for_each(phase, [&](Message& m) {
    if (m.to() && m.by_mpi()) m.arrive(fields);
  });
  for_each(phase, [&](Message& m) {
    if (m.from() && m.by_mpi()) m.settle();
  });
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
  const BothSides scope;  // (MPI takes and puts what strict emulation lets devices touch alone)
  implementation_->begin(0, fields);
  implementation_->started = std::move(fields);
}

template <int N, ExecutionSpace Exec>
template <class T>
void HaloExchange<N, Exec>::start_arrays(
    const std::vector<std::vector<grid::Field<T, N>>*>& several) {
  std::vector<Fields<T>> views;
  for (std::vector<grid::Field<T, N>>* const fields : several) {
    implementation_->require_count(fields->size());
    Fields<T>& each = views.emplace_back();
    for (std::size_t s = 0; s < fields->size(); ++s) {
      grid::Field<T, N>& field = (*fields)[s];
      implementation_->require_layout(s, field.array().label(), field.layout());
      each.push_back(with_ghosts(field.layout(), field.read_write(implementation_->instances[s])));
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
          for (std::size_t phase = 1; phase < it.phases.size(); ++phase) {
            it.begin(phase, fields);
            it.complete(phase, fields);
          }
        }
      },
      started);
}

template <int N, ExecutionSpace Exec>
void HaloExchange<N, Exec>::release() {
  detail::Neighbours<Exec>& neighbours = implementation_->neighbours;
  neighbours.record();
  for (std::size_t phase = 0; phase < neighbours.phases(); ++phase) neighbours.meet(phase);
}

template <int N, ExecutionSpace Exec>
std::string HaloExchange<N, Exec>::transport() const {
  return implementation_->ways.in_words();
}

#define KOLAM_INSTANTIATE_FOR(N, EXEC)                                                 \
  template class HaloExchange<N, EXEC>;                                                \
  template void HaloExchange<N, EXEC>::start_all<float>(std::vector<Fields<float>>);   \
  template void HaloExchange<N, EXEC>::start_all<double>(std::vector<Fields<double>>); \
  template void HaloExchange<N, EXEC>::start_arrays<float>(                            \
      const std::vector<std::vector<grid::Field<float, N>>*>&);                        \
  template void HaloExchange<N, EXEC>::start_arrays<double>(                           \
      const std::vector<std::vector<grid::Field<double, N>>*>&);
#define KOLAM_INSTANTIATE(EXEC)  \
  KOLAM_INSTANTIATE_FOR(2, EXEC) \
  KOLAM_INSTANTIATE_FOR(3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::grid
