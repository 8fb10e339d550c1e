// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <kolam/comm/device_threads.hpp>
#include <kolam/core/error.hpp>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace kolam::comm {
namespace {

// One end of a message.
struct End {
  int from, to, tag;
  void* data;  // the destination, or the source, which is only read
  std::size_t bytes;
  bool sends;
  End* other = nullptr;  // set once both ends exist
  bool taking = false;   // the receiver is copying
  bool done = false;
};

// The shared state of the threads. A thread reads at another's pointer only while the other waits.
struct Meeting {
  Meeting(int count, detail::CopyBytes by)
      : copy(std::move(by)), given(static_cast<std::size_t>(count)) {}

  detail::CopyBytes copy;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<const void*> given;  // pointer of each rank, for all
  std::size_t arrived = 0;
  std::size_t turn = 0;
  std::list<std::unique_ptr<End>> ends;
  bool broken = false;

  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
    changed.wait(lock, [&] { return broken || ready(); });
    if (!ready()) {
      throw CommunicationError("another part of the problem ended with an error, which tells more");
    }
  }
  void barrier(std::unique_lock<std::mutex>& lock) {
    const std::size_t mine = turn;
    if (++arrived == given.size()) {
      arrived = 0;
      ++turn;
      changed.notify_all();
    }
    wait(lock, [&] { return turn != mine; });
  }
};

class Threads final : public detail::ProcessGroup {
 public:
  Threads(std::shared_ptr<Meeting> meeting, int rank) : meeting_(std::move(meeting)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_->given.size()); }
  int host_rank() const override { return rank(); }
  int host_size() const override { return size(); }

  void barrier() const override {
    std::unique_lock lock(meeting_->mutex);
    meeting_->barrier(lock);
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) const override {
    give(mine, [&](const std::vector<const void*>& given) {
      for (std::size_t i = 0; i < given.size(); ++i)
        if (bytes > 0) std::memcpy(static_cast<char*>(all) + i * bytes, given[i], bytes);
    });
  }
  void broadcast(void* data, std::size_t bytes, int root) const override {
    give(data, [&](const std::vector<const void*>& given) {
      if (root != rank_ && bytes > 0)
        std::memcpy(data, given[static_cast<std::size_t>(root)], bytes);
    });
  }
  [[noreturn]] void abort(int exit_code) const override { std::_Exit(exit_code); }

  bool has_messages() const override { return true; }
  int largest_tag() const override { return std::numeric_limits<int>::max(); }
  bool claims_device_memory() const override { return true; }
  void send(const void* data, std::size_t bytes, int to, int tag, Request& request) const override {
    begin({rank_, to, tag, const_cast<void*>(data), bytes, true}, request);  // (only read)
  }
  void receive(void* data, std::size_t bytes, int from, int tag, Request& request) const override {
    begin({from, rank_, tag, data, bytes, false}, request);
  }
  void wait(Request& request) const override {
    if (!request.pending) return;
    std::unique_lock lock(meeting_->mutex);
    End& mine = end_of(request);
    if (mine.sends) {
      meeting_->wait(lock, [&] { return mine.done; });
    } else {
      meeting_->wait(lock, [&] { return mine.other != nullptr; });
      End& theirs = *mine.other;  // exists until it is done
      if (theirs.bytes != mine.bytes) {
        throw CommunicationError("a message of " + std::to_string(theirs.bytes) + " bytes where " +
                                 std::to_string(mine.bytes) + " are expected");
      }
      mine.taking = true;
      lock.unlock();
      if (mine.bytes > 0) meeting_->copy(rank_, mine.data, theirs.data, mine.bytes);
      lock.lock();
      mine.taking = false;
      theirs.done = true;
      meeting_->changed.notify_all();
    }
    forget(request);
  }
  void abandon(Request& request) const noexcept override {
    if (!request.pending) return;
    std::unique_lock lock(meeting_->mutex);
    if (End* const other = end_of(request).other; other != nullptr) {
      meeting_->changed.wait(lock, [&] { return !other->taking; });
      other->done = true;
      other->other = nullptr;
      meeting_->changed.notify_all();
    }
    forget(request);
  }

 private:
  template <class Take>
  void give(const void* mine, const Take& take) const {
    std::unique_lock lock(meeting_->mutex);
    meeting_->given[static_cast<std::size_t>(rank_)] = mine;
    meeting_->barrier(lock);
    take(meeting_->given);
    meeting_->barrier(lock);
  }

  void begin(const End& end, Request& request) const {
    if (request.pending) {
      throw CommunicationError("a message begins before the last one has been waited for");
    }
    const std::lock_guard lock(meeting_->mutex);
    auto& ends = meeting_->ends;
    ends.push_back(std::make_unique<End>(end));
    End* const mine = ends.back().get();
    std::memcpy(request.handle.data(), &mine, sizeof(mine));
    request.pending = true;
    // Match the first end that waits for this message, so that messages do not overtake each other.
    const auto other = std::find_if(ends.begin(), ends.end(), [&](const auto& e) {
      return e->other == nullptr && !e->done && e->sends != end.sends && e->from == end.from &&
             e->to == end.to && e->tag == end.tag;
    });
    if (other == ends.end()) return;
    mine->other = other->get();
    (*other)->other = mine;
    meeting_->changed.notify_all();
  }

  // Both need the lock.
  static End& end_of(const Request& request) {
    End* end = nullptr;
    std::memcpy(&end, request.handle.data(), sizeof(end));
    return *end;
  }
  void forget(Request& request) const {
    const End* const mine = &end_of(request);
    request.pending = false;
    std::erase_if(meeting_->ends, [&](const auto& e) { return e.get() == mine; });
  }

  std::shared_ptr<Meeting> meeting_;
  int rank_;
};

}  // namespace

void detail::run_threads(int count, const CopyBytes& copy,
                         const std::function<void(const Communicator&)>& body) {
  if (count < 1) {
    throw InvalidArgument("on_devices: " + std::to_string(count) + " parts; there must be 1");
  }
  const auto meeting = std::make_shared<Meeting>(count, copy);
  std::exception_ptr first;
  const auto noting = [&](const auto& f) {
    try {
      f();
    } catch (...) {
      const std::lock_guard lock(meeting->mutex);
      if (!first) first = std::current_exception();
      meeting->broken = true;
      meeting->changed.notify_all();
    }
  };
  const auto run = [&](int rank) {
    noting([&] { body(Communicator(std::make_shared<Threads>(meeting, rank))); });
  };
  std::vector<std::thread> threads;
  noting([&] {
    for (int rank = 1; rank < count; ++rank) threads.emplace_back(run, rank);
  });
  run(0);
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace kolam::comm
