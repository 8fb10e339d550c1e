// SPDX-License-Identifier: Apache-2.0
// The common interface of all transports: a channel carries the bytes of one message.
#pragma once

#include <cstddef>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/transport.hpp>
#include <kolam/core/execution.hpp>
#include <memory>

namespace kolam::comm::detail {

/// Carries one message per exchange from a subdomain to one side of another. Each exchange calls
/// these functions in turn, each for all messages before the next function; a process calls those
/// of the ends that it owns. Only depart, settle and MPI's arrive wait on the host.
template <ExecutionSpace Exec>
class Channel {
 public:
  Channel() = default;
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  Channel(Channel&&) = delete;
  Channel& operator=(Channel&&) = delete;

  /// Receiver: announces a message of `bytes` to `target` on its device.
  virtual void expect(char* target, std::size_t bytes) = 0;
  /// Sender: provides the bytes, which are in `source` on its device once the work launched on its
  /// instance is done.
  virtual void send(const char* source, std::size_t bytes) = 0;
  /// Sender: called once that work is done.
  virtual void depart() {}
  /// Receiver: fills `target` by the time that the work launched here is done. If the sender is in
  /// this process, its instance has been waited for before.
  virtual void arrive() = 0;
  /// Sender: returns when `source` is free again, for the host as well.
  virtual void settle() {}
};

/// The ends of a channel. The instance of an end in another process is not used.
template <ExecutionSpace Exec>
struct Ends {
  Exec sender;
  Exec receiver;
  int sender_rank;
  int receiver_rank;
  int tag;  // unique among the messages between two processes
};

/// Returns the channel of a path, none for Path::direct. It keeps a copy of `communicator`.
template <ExecutionSpace Exec>
std::unique_ptr<Channel<Exec>> make_channel(Path path, const Ends<Exec>& ends,
                                            const Communicator& communicator);

/// Returns whether messages of `communicator` may begin and end in the memory of `exec`, tested by
/// sending one; true for a host. Throws CommunicationError if `asked` is on and the test fails.
template <ExecutionSpace Exec>
bool is_gpu_aware(const Communicator& communicator, const Exec& exec, GpuAwareMpi asked);

}  // namespace kolam::comm::detail
