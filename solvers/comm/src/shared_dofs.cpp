// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <kolam/comm/detail/bytes.hpp>
#include <kolam/comm/detail/exchange.hpp>
#include <kolam/comm/shared_dofs.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <map>

namespace kolam::comm {
namespace {

// Another process, and its range of the messages sent and received: [first, first + count).
struct Neighbour {
  int rank;
  index_t first;
  index_t count;
};

template <class Exec>
struct Lists {
  template <class I>
  using Numbers = Kokkos::View<const I*, typename Exec::memory_space>;
  Numbers<int> sent;    // unknowns, neighbour by neighbour
  Numbers<int> shared;  // unknowns, each once
  Numbers<int> first;   // start of each shared unknown in `places`; then the end
  Numbers<int> places;  // by rank: offsets in the received values, or -1 for the own value
};

// Packs a vector [entries, components] into messages, [sent, components] with components fastest.
template <class T, class Exec>
void pack(const Exec& exec, const Lists<Exec>& lists, index_t entries, int components,
          const Kokkos::View<T*, typename Exec::memory_space>& y, T* out) {
  const auto sent = lists.sent;
  forall(
      exec, "kolam::SharedDofs: pack", static_cast<index_t>(sent.extent(0)) * components,
      KOKKOS_LAMBDA(index_t n) { out[n] = y(sent(n / components) + n % components * entries); });
}
template <class T, class Exec>
void add_up(const Exec& exec, const Lists<Exec>& lists, index_t entries, int components,
            const Kokkos::View<T*, typename Exec::memory_space>& y, const T* in) {
  const Lists<Exec> all = lists;
  forall(
      exec, "kolam::SharedDofs: add", static_cast<index_t>(all.shared.extent(0)) * components,
      KOKKOS_LAMBDA(index_t n) {
        const index_t i = n / components;
        const index_t c = n % components;
        const index_t entry = all.shared(i) + c * entries;
        const T own = y(entry);
        T sum = 0;
        for (int k = all.first(i); k < all.first(i + 1); ++k) {
          const index_t place = all.places(k);
          sum += place < 0 ? own : in[place * components + c];
        }
        y(entry) = sum;
      });
}

void require_shared(const SharedNodes& nodes, index_t node_count) {
  const int size = nodes.communicator.size();
  std::vector<int> ranks;
  for (const NodesSharedWith& other : nodes.shared) {
    if (other.rank < 0 || other.rank >= size || other.rank == nodes.communicator.rank() ||
        std::count(ranks.begin(), ranks.end(), other.rank) > 0) {
      throw InvalidArgument(fmt::format(
          "process {} shares nodes with process {}; give each other one of 0 to {} once at most",
          nodes.communicator.rank(), other.rank, size - 1));
    }
    ranks.push_back(other.rank);
    for (const index_t node : other.nodes) {
      if (node >= 0 && node < node_count) continue;
      throw InvalidArgument(
          fmt::format("process {} shares node {} with process {}; it has {} nodes",
                      nodes.communicator.rank(), node, other.rank, node_count));
    }
  }
}

// Throws in all processes unless the two of each pair share equally many unknowns.
void require_agreement(const Communicator& communicator, const std::vector<Neighbour>& neighbours) {
  struct Share {
    int from, to;
    index_t count;
  };
  std::vector<Share> mine;
  for (const Neighbour& n : neighbours) mine.push_back({communicator.rank(), n.rank, n.count});
  const auto all = communicator.gather(std::as_bytes(std::span(mine)));
  std::string wrong;
  if (communicator.rank() == 0) {
    std::map<std::pair<int, int>, index_t> counts;
    for (const auto& bytes : all) {
      std::vector<Share> shares(bytes.size() / sizeof(Share));
      std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(shares)).begin());
      for (const Share& share : shares) counts[{share.from, share.to}] = share.count;
    }
    for (const auto& [pair, count] : counts) {
      const auto other = counts.find({pair.second, pair.first});
      const index_t theirs = other == counts.end() ? 0 : other->second;
      if (theirs == count) continue;
      wrong = fmt::format(
          "process {} shares {} unknowns with process {}, which shares {} with it; both must list "
          "the same nodes",
          pair.first, count, pair.second, theirs);
      break;
    }
  }
  wrong = communicator.broadcast(wrong);
  if (!wrong.empty()) throw InvalidArgument(wrong);
}

}  // namespace

template <ExecutionSpace Exec>
struct SharedDofs<Exec>::Implementation {
  Implementation(const Exec& instance, const SharedNodes& nodes,
                 const std::vector<int>& dof_of_node, index_t owned_here, index_t dofs)
      : exec(instance),
        messages("SharedDofs", {instance},
                 Partition(nodes.communicator.size(), nodes.communicator.size()),
                 nodes.communicator, Transport::automatic, GpuAwareMpi::automatic),
        owned(owned_here),
        entries(dofs) {
    throw_together(communicator(),
                   [&] { require_shared(nodes, static_cast<index_t>(dof_of_node.size())); });
    std::vector<NodesSharedWith> others = nodes.shared;
    std::sort(others.begin(), others.end(),
              [](const NodesSharedWith& a, const NodesSharedWith& b) { return a.rank < b.rank; });
    std::vector<int> sent;
    std::map<int, std::vector<int>> places;  // by shared unknown, then by rank
    const auto add_own = [&](std::vector<int>& of_one) {
      if (std::count(of_one.begin(), of_one.end(), -1) == 0) of_one.push_back(-1);
    };
    for (const NodesSharedWith& other : others) {
      const auto first = static_cast<index_t>(sent.size());
      for (const index_t node : other.nodes) {
        const int dof = dof_of_node[static_cast<std::size_t>(node)];
        if (dof < 0) continue;
        std::vector<int>& of_one = places[dof];
        if (other.rank > communicator().rank()) add_own(of_one);
        of_one.push_back(static_cast<int>(sent.size()));
        sent.push_back(dof);
      }
      neighbours.push_back({other.rank, first, static_cast<index_t>(sent.size()) - first});
    }
    require_agreement(communicator(), neighbours);
    std::erase_if(neighbours, [](const Neighbour& n) { return n.count == 0; });

    std::vector<int> shared, starts{0}, flat;
    for (auto& [dof, of_one] : places) {
      add_own(of_one);
      shared.push_back(dof);
      flat.insert(flat.end(), of_one.begin(), of_one.end());
      starts.push_back(static_cast<int>(flat.size()));
    }
    const auto upload = [&](const char* label, const std::vector<int>& numbers) {
      return kolam::detail::to_space<int>(exec, label, numbers);
    };
    lists = {upload("kolam::sent unknowns", sent), upload("kolam::shared unknowns", shared),
             upload("kolam::first places", starts), upload("kolam::places", flat)};
    for (const Neighbour& other : neighbours) {
      messages.add(0, communicator().rank(), other.rank);
      messages.add(0, other.rank, communicator().rank());
    }
  }

  const Communicator& communicator() const { return messages.communicator(); }

  using Message = detail::Message<Exec>;
  // (Each neighbour has two consecutive messages: to it and from it.)
  const Neighbour& neighbour(std::size_t message) const { return neighbours[message / 2]; }
  static void take(const Message& m, std::size_t) { m.channel->arrive(); }

  template <class T>
  void begin_add(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) {
    const std::size_t each = sizeof(T) * static_cast<std::size_t>(components);
    const auto workspace = [&](detail::DeviceWorkspace<Exec>& some) {
      const std::size_t bytes = lists.sent.extent(0) * each;
      if (some.size() < bytes) exec.fence("kolam::SharedDofs grows");
      return some.of(exec, bytes);
    };
    turn = 1 - turn;
    came = workspace(inbox[turn]);
    char* const out = workspace(outbox);
    const auto at = [&](std::size_t i) {
      return static_cast<std::size_t>(neighbour(i).first) * each;
    };
    const auto bytes = [&](std::size_t i) {
      return static_cast<std::size_t>(neighbour(i).count) * each;
    };
    messages.expect(
        0, [&](const Message& m, std::size_t i) { m.channel->expect(came + at(i), bytes(i)); });
    pack<T>(exec, lists, entries, components, y, reinterpret_cast<T*>(out));
    messages.send(
        0, [&](const Message& m, std::size_t i) { m.channel->send(out + at(i), bytes(i)); }, take);
    messages.depart(0);
  }
  template <class T>
  void end_add(const Kokkos::View<T*, typename Exec::memory_space>& y, int components) {
    messages.arrive(0, take);
    add_up<T>(exec, lists, entries, components, y, reinterpret_cast<const T*>(came));
    messages.settle(0);
  }

  Exec exec;
  detail::Exchange<Exec> messages;
  index_t owned;
  index_t entries;
  std::vector<Neighbour> neighbours;
  Lists<Exec> lists;
  // Receive buffers of this sum and the next: the first may still be in use when the next is
  // posted.
  std::array<detail::DeviceWorkspace<Exec>, 2> inbox;
  detail::DeviceWorkspace<Exec> outbox;
  std::size_t turn = 0;
  char* came = nullptr;  // receive buffer of the current sum
};

template <ExecutionSpace Exec>
SharedDofs<Exec>::SharedDofs(
    const Exec& exec, const SharedNodes& nodes,
    const Kokkos::View<const int*, typename Exec::memory_space>& dof_of_node, index_t owned,
    index_t dofs) {
  const auto there = kolam::detail::readable_on_host(dof_of_node);
  implementation_ = std::make_unique<Implementation>(
      exec, nodes, std::vector<int>(there.data(), there.data() + there.extent(0)), owned, dofs);
}
template <ExecutionSpace Exec>
SharedDofs<Exec>::~SharedDofs() = default;

template <ExecutionSpace Exec>
const Communicator& SharedDofs<Exec>::communicator() const {
  return implementation_->communicator();
}
template <ExecutionSpace Exec>
index_t SharedDofs<Exec>::owned() const {
  return implementation_->owned;
}

template <ExecutionSpace Exec>
template <class T>
void SharedDofs<Exec>::keep_owned(const Kokkos::View<T*, typename Exec::memory_space>& y,
                                  int components) const {
  const index_t owned = implementation_->owned;
  const index_t entries = implementation_->entries;
  const index_t others = entries - owned;
  forall(
      implementation_->exec, "kolam::SharedDofs: keep owned", others * components,
      KOKKOS_LAMBDA(index_t n) { y(owned + n % others + n / others * entries) = T(0); });
}
template <ExecutionSpace Exec>
template <class T>
void SharedDofs<Exec>::begin_add(const Kokkos::View<T*, typename Exec::memory_space>& y,
                                 int components) const {
  implementation_->begin_add(y, components);
}
template <ExecutionSpace Exec>
template <class T>
void SharedDofs<Exec>::end_add(const Kokkos::View<T*, typename Exec::memory_space>& y,
                               int components) const {
  implementation_->end_add(y, components);
}

#define KOLAM_INSTANTIATE_FOR(T, EXEC)                                                         \
  template void SharedDofs<EXEC>::keep_owned(const Kokkos::View<T*, EXEC::memory_space>&, int) \
      const;                                                                                   \
  template void SharedDofs<EXEC>::begin_add(const Kokkos::View<T*, EXEC::memory_space>&, int)  \
      const;                                                                                   \
  template void SharedDofs<EXEC>::end_add(const Kokkos::View<T*, EXEC::memory_space>&, int) const;
#define KOLAM_INSTANTIATE(EXEC)      \
  template class SharedDofs<EXEC>;   \
  KOLAM_INSTANTIATE_FOR(float, EXEC) \
  KOLAM_INSTANTIATE_FOR(double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::comm
