// SPDX-License-Identifier: Apache-2.0
// The implementation interface of Communicator: processes that send bytes to each other.
#pragma once

#include <array>
#include <cstddef>

namespace kolam::comm::detail {

/// A group of processes. All of them call the collective functions, in the same order. Functions
/// throw CommunicationError if a process cannot be reached.
class ProcessGroup {
 public:
  /// A message under way. The caller that starts it waits for it or abandons it.
  struct Request {
    alignas(8) std::array<std::byte, 8> handle{};  // the library's request
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
  /// The same among the processes of the group on this host.
  virtual int host_rank() const = 0;
  virtual int host_size() const = 0;

  virtual void barrier() const = 0;
  /// `all` holds size() times `bytes`; `bytes` is the same in all processes.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) const = 0;
  virtual void broadcast(void* data, std::size_t bytes, int root) const = 0;
  [[noreturn]] virtual void abort(int exit_code) const = 0;

  /// Returns whether the group can send messages, their largest tag, and whether the library claims
  /// that they may begin and end in device memory.
  virtual bool has_messages() const = 0;
  virtual int largest_tag() const = 0;
  virtual bool claims_device_memory() const = 0;
  /// Starts a message; its memory must stay as it is until wait() returns. Throws
  /// CommunicationError
  /// if the last message of `request` has not been waited for.
  virtual void send(const void* data, std::size_t bytes, int to, int tag,
                    Request& request) const = 0;
  virtual void receive(void* data, std::size_t bytes, int from, int tag,
                       Request& request) const = 0;
  virtual void wait(Request& request) const = 0;
  /// Abandons a message without waiting for it, for destructors.
  virtual void abandon(Request& request) const noexcept = 0;
};

}  // namespace kolam::comm::detail
