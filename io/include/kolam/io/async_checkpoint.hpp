// SPDX-License-Identifier: Apache-2.0
// Checkpoints written in the background while the next steps run.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <memory>
#include <vector>

namespace kolam {

/// Writes checkpoints in its own thread, one at a time. The values to be written are copies on the
/// host, so that steps can go on; they take as much memory as the fields. If they do not fit, call
/// write_checkpoint instead.
/// \code
///   kolam::AsyncCheckpoint checkpoints;
///   ... checkpoints.write(path, header, fields_of(*copy), copy);  // copy: a std::shared_ptr
///   ... checkpoints.wait();
/// \endcode
/// The thread sends no messages. With several processes, all of them therefore call write() and
/// wait() together, and the checkpoint is at its path when wait() or the next write() has returned.
class AsyncCheckpoint {
 public:
  /// Prepares checkpoints that the processes of `communicator` write together.
  explicit AsyncCheckpoint(const Communicator& communicator = {});
  AsyncCheckpoint(AsyncCheckpoint&&) = delete;
  /// Waits for the last write. An error is lost here, and with several processes the checkpoint is
  /// lost as well: call wait() first.
  ~AsyncCheckpoint();

  /// Begins a write (see write_checkpoint) and returns. `memory` owns the values of `fields`;
  /// wait() or the next write() releases it. Waits for the previous write if it is still under way,
  /// and throws its error: then no new write begins, and the next call may try again.
  template <class T, int N>
  void write(const std::filesystem::path& path, const CheckpointHeader& header,
             const std::vector<comm::FieldBlocks<T, N>>& fields,
             std::shared_ptr<const void> memory);

  /// Returns whether a write is under way in this process. A run may then skip a checkpoint instead
  /// of waiting.
  bool busy() const;

  /// Waits for the write that is under way and throws its error. Each error is thrown once.
  void wait();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kolam
