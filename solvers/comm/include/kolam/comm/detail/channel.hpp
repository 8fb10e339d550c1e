// SPDX-License-Identifier: Apache-2.0
// The one interface of all transports: it carries the bytes of one message.
#pragma once

#include <cstddef>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/transport.hpp>
#include <kolam/core/execution.hpp>
#include <memory>

namespace kolam::comm::detail {

/// From one subdomain to a side of another, as often as there are exchanges. Each exchange calls
/// these in turn, each one for all messages before the next; a process calls those for the ends
/// that it owns. None of them but depart, settle and MPI's arrive waits on the host.
template <ExecutionSpace Exec>
class Channel {
 public:
  Channel() = default;
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  Channel(Channel&&) = delete;
  Channel& operator=(Channel&&) = delete;

  /// Receiver: `bytes` are to come, to `target` on its device.
  virtual void expect(char* target, std::size_t bytes) = 0;
  /// Sender: they lie in `source` on its device when the work launched on its instance is done.
  virtual void send(const char* source, std::size_t bytes) = 0;
  /// Sender: that work is done.
  virtual void depart() {}
  /// Receiver: when the work that it launches now is done, `target` is filled. The sender's
  /// instance has been waited for if it is in this process.
  virtual void arrive() = 0;
  /// Sender: `source` is free again, for the host as well.
  virtual void settle() {}
};

/// The ends of a channel. The instance of an end in another process is not looked at.
template <ExecutionSpace Exec>
struct Ends {
  Exec sender;
  Exec receiver;
  int sender_rank;
  int receiver_rank;
  int tag;  // no two messages between two processes have the same
};

/// None for Path::direct. `communicator` is kept.
template <ExecutionSpace Exec>
std::unique_ptr<Channel<Exec>> make_channel(Path path, const Ends<Exec>& ends,
                                            const Communicator& communicator);

/// Whether messages of `communicator` may begin and end in the memory of `exec`, found out by
/// sending one; true for a host. Throws CommunicationError if `asked` is on and they may not.
template <ExecutionSpace Exec>
bool is_gpu_aware(const Communicator& communicator, const Exec& exec, GpuAwareMpi asked);

}  // namespace kolam::comm::detail
