// SPDX-License-Identifier: Apache-2.0
// write_checkpoint in three steps, of which the one that takes long needs no other process.
#pragma once

#include <filesystem>
#include <kolam/io/checkpoint.hpp>
#include <memory>
#include <vector>

namespace kolam {

/// A checkpoint that is being written. Not committed, it leaves no file.
class CheckpointWriter {
 public:
  CheckpointWriter() = default;
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  CheckpointWriter(CheckpointWriter&&) = delete;
  CheckpointWriter& operator=(CheckpointWriter&&) = delete;
  virtual ~CheckpointWriter() = default;

  /// Writes the values of this process, in any thread; what goes wrong is thrown by commit().
  virtual void write_values() noexcept = 0;
  /// Makes it the checkpoint at its path; called by all processes together.
  virtual void commit() = 0;
};

/// Called by all processes together; throws what write_checkpoint throws.
template <class T, int N>
std::unique_ptr<CheckpointWriter> begin_checkpoint(
    const std::filesystem::path& path, const CheckpointHeader& header,
    const std::vector<comm::FieldBlocks<T, N>>& fields, const Communicator& communicator);

}  // namespace kolam
