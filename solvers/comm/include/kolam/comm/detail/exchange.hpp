// SPDX-License-Identifier: Apache-2.0
// The plan of an exchange between the parts of a problem. Halos of grids and shared unknowns of
// meshes differ only in the values that their messages carry.
#pragma once

#include <cstddef>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/detail/channel.hpp>
#include <kolam/comm/detail/neighbours.hpp>
#include <kolam/comm/detail/transports_in_use.hpp>
#include <kolam/comm/partition.hpp>
#include <kolam/comm/transport.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kolam::comm::detail {

/// A message from one part to another, at least one of them in this process.
template <ExecutionSpace Exec>
struct Message {
  std::optional<std::size_t> from;         // indices among the parts of this process
  std::optional<std::size_t> to;           //
  Path path;                               //
  Ends<Exec> ends;                         //
  std::unique_ptr<Channel<Exec>> channel;  // none on the direct path

  bool by_mpi() const { return path == Path::mpi || path == Path::mpi_staged; }
  bool is_local() const { return from && to && !by_mpi(); }
};

/// Messages in phases; each phase needs the values of earlier phases. An exchange calls expect,
/// send, depart, arrive and settle for each phase, in all processes. They call f(message, number)
/// for the messages of the phase with an end here, in the order in which they were added.
template <ExecutionSpace Exec>
class Exchange {
 public:
  /// `instances`: one for each part of this process. Messages have `name` in profilers and errors.
  /// Throws InvalidArgument for another number of instances and for Transport::mpi without
  /// messages, and CommunicationError for GpuAwareMpi::on if no message arrives.
  Exchange(std::string name, const std::vector<Exec>& instances, const Partition& partition,
           const Communicator& communicator, Transport asked, GpuAwareMpi gpu_aware,
           std::size_t phases = 1);

  /// Adds a message between two parts. `side`, less than `sides`, distinguishes messages from one
  /// part to another. Two processes add the messages between them in the same order. Throws
  /// InvalidArgument if MPI has too few tags, and DeviceUnavailable as path_of does.
  void add(std::size_t phase, int from, int to, int side = 0, int sides = 1);

  std::size_t phases() const { return phases_.size(); }
  const Partition& partition() const { return partition_; }
  const Communicator& communicator() const { return communicator_; }
  const std::vector<Exec>& instances() const { return instances_; }

  /// Calls f, which calls Channel::expect, for the messages to this process.
  template <class F>
  void expect(std::size_t phase, const F& f) {
    each(phase, [&](Message<Exec>& m, std::size_t i) {
      if (m.to) f(m, i);
    });
  }
  /// Calls f, which packs and calls Channel::send, then `take`, as in arrive, for the messages
  /// within this process.
  template <class F, class Take>
  void send(std::size_t phase, const F& f, const Take& take) {
    each(phase, [&](Message<Exec>& m, std::size_t i) {
      if (m.from) f(m, i);
    });
    // Receivers copy after the work that senders launched up to here. At the same point of the next
    // exchange, senders wait for the receivers' copies of this one.
    neighbours_.record();
    neighbours_.meet(phase);
    each(phase, [&](Message<Exec>& m, std::size_t i) {
      if (m.is_local()) take(m, i);
    });
  }
  /// Sends MPI messages, after a wait on the host until they are packed.
  void depart(std::size_t phase) {
    each(phase, [&](Message<Exec>& m, std::size_t) {
      if (!m.from || !m.by_mpi()) return;
      neighbours_.wait(*m.from);
      m.channel->depart();
    });
  }
  /// Calls `take`, which calls Channel::arrive and unpacks, for MPI messages. Waits for them.
  template <class Take>
  void arrive(std::size_t phase, const Take& take) {
    each(phase, [&](Message<Exec>& m, std::size_t i) {
      if (m.to && m.by_mpi()) take(m, i);
    });
  }
  /// Waits until the values that this process sent may change.
  void settle(std::size_t phase) {
    each(phase, [&](Message<Exec>& m, std::size_t) {
      if (m.from && m.by_mpi()) m.channel->settle();
    });
  }
  /// Makes the instances of parts wait for those of their neighbours.
  void meet() {
    neighbours_.record();
    for (std::size_t phase = 0; phase < phases(); ++phase) neighbours_.meet(phase);
  }

  /// See HaloExchange::transport.
  std::string transport() const { return ways_.in_words(); }

 private:
  template <class F>
  void each(std::size_t phase, const F& f) {
    for (std::size_t i = 0; i < phases_[phase].size(); ++i) f(phases_[phase][i], i);
  }

  std::string name_;
  std::vector<Exec> instances_;
  Partition partition_;
  Communicator communicator_;
  Transport asked_;
  bool gpu_aware_;
  std::vector<std::vector<Message<Exec>>> phases_;
  Neighbours<Exec> neighbours_;
  TransportsInUse<Exec> ways_;
};

}  // namespace kolam::comm::detail
