// SPDX-License-Identifier: Apache-2.0
// write_checkpoint in three steps; the long one needs no other process.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <memory>
#include <vector>

namespace kolam {

/// A checkpoint that is being written. It leaves no file unless it is committed.
class CheckpointWriter {
 public:
  CheckpointWriter() = default;
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  CheckpointWriter(CheckpointWriter&&) = delete;
  CheckpointWriter& operator=(CheckpointWriter&&) = delete;
  virtual ~CheckpointWriter() = default;

  /// Writes the values of this process, in any thread. commit() throws its error, if there is one.
  virtual void write_values() noexcept = 0;
  /// Puts the checkpoint at its path. All processes call it together.
  virtual void commit() = 0;
};

/// Begins a checkpoint. All processes call it together. Throws as write_checkpoint does.
template <class T, int N>
std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path& path, const CheckpointHeader& header,
    const std::vector<comm::FieldBlocks<T, N>>& fields, const Communicator& communicator);

}  // namespace kolam
