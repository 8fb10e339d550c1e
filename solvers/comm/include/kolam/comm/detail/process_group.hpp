// SPDX-License-Identifier: Apache-2.0
// What a Communicator is made of: processes that send bytes to each other.
#pragma once

#include <array>
#include <cstddef>

namespace kolam::comm::detail {

/// The functions of all processes are called by each of them, in the same order. They throw
/// CommunicationError where a process cannot be reached.
class ProcessGroup {
 public:
  /// A message under way; whoever starts one waits for it, or abandons it.
  struct Request {
    alignas(8) std::array<std::byte, 8> handle{};  // what the library calls a request
    bool pending = false;
  };

  ProcessGroup() = default;
  virtual ~ProcessGroup() = default;
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  ProcessGroup(ProcessGroup&&) = delete;
  ProcessGroup& operator=(ProcessGroup&&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The same among those of the group that share this host.
  virtual int host_rank() const = 0;
  virtual int host_size() const = 0;

  virtual void barrier() const = 0;
  /// `all` has room for size() times `bytes`, which are the same everywhere.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) const = 0;
  virtual void broadcast(void* data, std::size_t bytes, int root) const = 0;
  [[noreturn]] virtual void abort(int exit_code) const = 0;

  /// Whether there are messages at all, the largest tag that they may have, and whether the library
  /// says that they may begin and end in the memory of a device.
  virtual bool has_messages() const = 0;
  virtual int largest_tag() const = 0;
  virtual bool claims_device_memory() const = 0;
  /// The memory must stay as it is until wait() has come back. Throws CommunicationError if the
  /// last message of `request` has not been waited for.
  virtual void send(const void* data, std::size_t bytes, int to, int tag,
                    Request& request) const = 0;
  virtual void receive(void* data, std::size_t bytes, int from, int tag,
                       Request& request) const = 0;
  virtual void wait(Request& request) const = 0;
  /// For destructors: nobody waits for this one any more.
  virtual void abandon(Request& request) const noexcept = 0;
};

}  // namespace kolam::comm::detail
