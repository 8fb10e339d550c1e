// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <exception>
#include <kolam/io/async_checkpoint.hpp>
#include <thread>
#include <utility>

#include "checkpoint_writer.hpp"

namespace kolam {

class AsyncCheckpoint::Thread {
 public:
  explicit Thread(Communicator communicator) : communicator_(std::move(communicator)) {}
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() {
    if (thread_.joinable()) thread_.join();
  }

  const Communicator& communicator() const { return communicator_; }
  bool busy() const { return busy_; }

  void start(std::unique_ptr<CheckpointWriter> writer, std::shared_ptr<const void> memory) {
    writer_ = std::move(writer);
    memory_ = std::move(memory);
    busy_ = true;
    thread_ = std::thread([this] {
      writer_->write_values();
      if (communicator_.size() == 1) commit();
      busy_ = false;
    });
  }

  void wait() {
    if (thread_.joinable()) thread_.join();
    memory_.reset();  // here, because Views count owners in the thread that made them
    if (writer_) commit();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void commit() {
    try {
      writer_->commit();
    } catch (...) {
      error_ = std::current_exception();
    }
    writer_.reset();
  }

  Communicator communicator_;
  std::unique_ptr<CheckpointWriter> writer_;  // only the thread uses it until it is joined
  std::shared_ptr<const void> memory_;
  std::exception_ptr error_;
  std::atomic<bool> busy_{false};
  std::thread thread_;
};

AsyncCheckpoint::AsyncCheckpoint(const Communicator& communicator)
    : thread_(std::make_unique<Thread>(communicator)) {}
AsyncCheckpoint::~AsyncCheckpoint() = default;

bool AsyncCheckpoint::busy() const { return thread_->busy(); }
void AsyncCheckpoint::wait() { thread_->wait(); }

template <class T, int N>
void AsyncCheckpoint::write(const std::filesystem::path& path, const CheckpointHeader& header,
                            const std::vector<comm::FieldBlocks<T, N>>& fields,
                            std::shared_ptr<const void> memory) {
  wait();
  thread_->start(begin_checkpoint(path, header, fields, thread_->communicator()),
                 std::move(memory));
}

template void AsyncCheckpoint::write(const std::filesystem::path&, const CheckpointHeader&,
                                     const std::vector<comm::FieldBlocks<float, 2>>&,
                                     std::shared_ptr<const void>);
template void AsyncCheckpoint::write(const std::filesystem::path&, const CheckpointHeader&,
                                     const std::vector<comm::FieldBlocks<float, 3>>&,
                                     std::shared_ptr<const void>);
template void AsyncCheckpoint::write(const std::filesystem::path&, const CheckpointHeader&,
                                     const std::vector<comm::FieldBlocks<double, 2>>&,
                                     std::shared_ptr<const void>);
template void AsyncCheckpoint::write(const std::filesystem::path&, const CheckpointHeader&,
                                     const std::vector<comm::FieldBlocks<double, 3>>&,
                                     std::shared_ptr<const void>);

}  // namespace kolam
