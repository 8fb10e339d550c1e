// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <exception>
#include <kolam/io/async_checkpoint.hpp>
#include <thread>

namespace kolam {

class AsyncCheckpoint::Thread {
 public:
  Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() {
    if (thread_.joinable()) thread_.join();
  }

  void start(std::function<void()> job) {
    wait();
    busy_ = true;
    thread_ = std::thread([this, job = std::move(job)]() mutable {
      try {
        job();
      } catch (...) {
        error_ = std::current_exception();
      }
      job = nullptr;  // the copies' memory, before anybody is told
      busy_ = false;
    });
  }

  void wait() {
    if (thread_.joinable()) thread_.join();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  [[nodiscard]] bool busy() const { return busy_; }

 private:
  std::exception_ptr error_;  // the thread's, until it is joined
  std::atomic<bool> busy_{false};
  std::thread thread_;
};

AsyncCheckpoint::AsyncCheckpoint() : thread_(std::make_unique<Thread>()) {}
AsyncCheckpoint::~AsyncCheckpoint() = default;

bool AsyncCheckpoint::busy() const { return thread_->busy(); }
void AsyncCheckpoint::wait() { thread_->wait(); }
void AsyncCheckpoint::start(std::function<void()> job) { thread_->start(std::move(job)); }

}  // namespace kolam
