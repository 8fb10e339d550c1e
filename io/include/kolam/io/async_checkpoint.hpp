// SPDX-License-Identifier: Apache-2.0
// Checkpoints that are written while the next steps run.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <memory>
#include <vector>

namespace kolam {

/// Writes checkpoints in a thread of its own, one at a time. The values to be written are copies on
/// the host that the steps leave alone, so this takes as much memory again as the fields do; where
/// there is not so much, call write_checkpoint.
/// \code
///   kolam::AsyncCheckpoint checkpoints;
///   ... checkpoints.write(path, header, fields_of(*copy), copy);  // copy: a std::shared_ptr
///   ... checkpoints.wait();
/// \endcode
/// The thread sends no messages. So with several processes write() and wait() are called by all of
/// them together, and the checkpoint is at its path when wait(), or the next write(), has returned.
class AsyncCheckpoint {
 public:
  /// For checkpoints that these processes write together.
  explicit AsyncCheckpoint(const Communicator& communicator = {});
  AsyncCheckpoint(AsyncCheckpoint&&) = delete;
  /// Waits for the last write. Its error is lost here, and with several processes the checkpoint:
  /// call wait() before.
  ~AsyncCheckpoint();

  /// Begins to write (see write_checkpoint) and returns. `memory` owns what `fields` point to; it
  /// is let go by wait(), or the next write(). Waits for the write before, if that is still under
  /// way, and throws what that one threw: then nothing new is begun, and the next call may try
  /// again.
  template <class T, int N>
  void write(const std::filesystem::path& path, const CheckpointHeader& header,
             const std::vector<comm::FieldBlocks<T, N>>& fields,
             std::shared_ptr<const void> memory);

  /// Whether a write is under way in this process. A step that finds it so need not wait: it may
  /// skip a checkpoint.
  bool busy() const;

  /// Waits for the write that is under way and throws what it threw. Each error is thrown once.
  void wait();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kolam
