// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <kolam/comm/detail/bytes.hpp>
#include <kolam/comm/detail/channel.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <string>
#include <vector>

namespace kolam::comm::detail {
namespace {

template <class Exec>
using Memory = typename Exec::memory_space;
template <class Exec>
using Pinned = typename PinnedMemory<Exec>::type;

// The receiver's device copies from the sender's.
template <class Exec>
class PeerChannel final : public Channel<Exec> {
 public:
  explicit PeerChannel(const Ends<Exec>& ends) : ends_(ends) {}
  void expect(char* target, std::size_t bytes) override {
    target_ = target;
    bytes_ = bytes;
  }
  void send(const char* source, std::size_t) override { source_ = source; }
  void arrive() override {
    copy_bytes<Memory<Exec>, Memory<Exec>>(ends_.receiver, target_, source_, bytes_);
  }

 private:
  Ends<Exec> ends_;
  const char* source_ = nullptr;
  char* target_ = nullptr;
  std::size_t bytes_ = 0;
};

// Two pinned buffers, used by exchanges in turn. By the time a buffer is used again, the receiver
// has been waited for once (HaloExchange makes all neighbours wait for each other), or the host has
// seen that its work is done.
template <class Exec>
class Stage {
 public:
  // Returns the next buffer; called before work with it is launched on `exec`.
  char* next(const Exec& exec, std::size_t bytes) {
    turn_ = 1 - turn_;
    if (rooms_[turn_].size() < bytes) exec.fence("kolam::halo grows");
    return rooms_[turn_].of(exec, bytes);
  }

 private:
  std::array<PinnedWorkspace<Exec>, 2> rooms_;
  std::size_t turn_ = 0;
};

template <class Exec>
class StagedChannel final : public Channel<Exec> {
 public:
  explicit StagedChannel(const Ends<Exec>& ends) : ends_(ends) {}
  void expect(char* target, std::size_t) override { target_ = target; }
  void send(const char* source, std::size_t bytes) override {
    bytes_ = bytes;
    stage_ = stages_.next(ends_.sender, bytes);
    copy_bytes<Pinned<Exec>, Memory<Exec>>(ends_.sender, stage_, source, bytes);
  }
  void arrive() override {
    copy_bytes<Memory<Exec>, Pinned<Exec>>(ends_.receiver, target_, stage_, bytes_);
  }

 private:
  Ends<Exec> ends_;
  Stage<Exec> stages_;
  char* stage_ = nullptr;
  char* target_ = nullptr;
  std::size_t bytes_ = 0;
};

// An MPI message. A process uses only the members of the ends that it owns.
template <class Exec>
class MpiChannel final : public Channel<Exec> {
 public:
  MpiChannel(const Ends<Exec>& ends, const Communicator& communicator, bool staged)
      : ends_(ends), communicator_(communicator), staged_(staged) {}
  ~MpiChannel() override {
    communicator_.group().abandon(coming_);
    communicator_.group().abandon(going_);
  }
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;
  MpiChannel(MpiChannel&&) = delete;
  MpiChannel& operator=(MpiChannel&&) = delete;

  void expect(char* target, std::size_t bytes) override {
    target_ = target;
    bytes_coming_ = bytes;
    come_to_ = staged_ ? arrivals_.next(ends_.receiver, bytes) : target;
    communicator_.group().receive(come_to_, bytes, ends_.sender_rank, ends_.tag, coming_);
  }
  void send(const char* source, std::size_t bytes) override {
    bytes_going_ = bytes;
    go_from_ = source;
    if (!staged_) return;
    char* const stage = departures_.next(ends_.sender, bytes);
    copy_bytes<Pinned<Exec>, Memory<Exec>>(ends_.sender, stage, source, bytes);
    go_from_ = stage;
  }
  void depart() override {
    communicator_.group().send(go_from_, bytes_going_, ends_.receiver_rank, ends_.tag, going_);
  }
  void arrive() override {
    communicator_.group().wait(coming_);
    if (!staged_) return;
    copy_bytes<Memory<Exec>, Pinned<Exec>>(ends_.receiver, target_, come_to_, bytes_coming_);
  }
  void settle() override { communicator_.group().wait(going_); }

 private:
  Ends<Exec> ends_;
  Communicator communicator_;
  bool staged_;
  Stage<Exec> departures_;
  Stage<Exec> arrivals_;
  const char* go_from_ = nullptr;
  char* come_to_ = nullptr;
  char* target_ = nullptr;
  std::size_t bytes_going_ = 0;
  std::size_t bytes_coming_ = 0;
  ProcessGroup::Request going_;
  ProcessGroup::Request coming_;
};

// Returns whether a message of this process to itself arrives, from device to device memory.
template <class Exec>
bool loop_works(const ProcessGroup& group, const Exec& exec) {
  constexpr std::size_t bytes = 4096;
  constexpr int tag = 1;
  DeviceWorkspace<Exec> workspaces[2];
  PinnedWorkspace<Exec> seen_workspace;
  char* const from = workspaces[0].of(exec, bytes);
  char* const to = workspaces[1].of(exec, bytes);
  char* const seen = seen_workspace.of(exec, bytes);
  for (std::size_t i = 0; i < bytes; ++i) seen[i] = static_cast<char>(i % 101);
  copy_bytes<Memory<Exec>, Pinned<Exec>>(exec, from, seen, bytes);
  exec.fence("kolam asks whether MPI is GPU-aware");
  try {
    ProcessGroup::Request coming;
    ProcessGroup::Request going;
    group.receive(to, bytes, group.rank(), tag, coming);
    group.send(from, bytes, group.rank(), tag, going);
    group.wait(coming);
    group.wait(going);
  } catch (const CommunicationError&) {
    return false;
  }
  for (std::size_t i = 0; i < bytes; ++i) seen[i] = 0;
  copy_bytes<Pinned<Exec>, Memory<Exec>>(exec, seen, to, bytes);
  exec.fence("kolam asks whether MPI is GPU-aware");
  for (std::size_t i = 0; i < bytes; ++i) {
    if (seen[i] != static_cast<char>(i % 101)) return false;
  }
  return true;
}

}  // namespace

template <ExecutionSpace Exec>
std::unique_ptr<Channel<Exec>> make_channel(Path path, const Ends<Exec>& ends,
                                            const Communicator& communicator) {
  switch (path) {
    case Path::direct:
      break;
    case Path::peer:
      return std::make_unique<PeerChannel<Exec>>(ends);
    case Path::staged:
      return std::make_unique<StagedChannel<Exec>>(ends);
    case Path::mpi:
    case Path::mpi_staged:
      return std::make_unique<MpiChannel<Exec>>(ends, communicator, path == Path::mpi_staged);
  }
  return nullptr;
}

template <ExecutionSpace Exec>
bool is_gpu_aware(const Communicator& communicator, const Exec& exec, GpuAwareMpi asked) {
  if constexpr (Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible) {
    return true;
  } else {
    const ProcessGroup& group = communicator.group();
    if (asked == GpuAwareMpi::off || !group.has_messages()) return false;
    // An MPI without device support would end the process in the test, so ask the library first.
    if (asked == GpuAwareMpi::automatic) {
      return group.claims_device_memory() && loop_works(group, exec);
    }
    if (loop_works(group, exec)) return true;
    throw CommunicationError(
        "GPU-aware MPI is 'on', but a message from device to device does not arrive; use 'auto' or "
        "'off'");
  }
}

#define KOLAM_INSTANTIATE(EXEC)                                                       \
  template std::unique_ptr<Channel<EXEC>> make_channel<EXEC>(Path, const Ends<EXEC>&, \
                                                             const Communicator&);    \
  template bool is_gpu_aware<EXEC>(const Communicator&, const EXEC&, GpuAwareMpi);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::comm::detail
