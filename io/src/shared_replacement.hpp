// SPDX-License-Identifier: Apache-2.0
// A Replacement that several processes write, each at its own offsets.
#pragma once

#include <filesystem>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <optional>

#include "replacement.hpp"

namespace kolam {

/// A Replacement shared by all processes. Rank 0 makes the temporary file and puts it in place; the
/// others open it by name, so all must see one file system. All processes call everything but
/// descriptor() and sync() together, and all throw.
class SharedReplacement {
 public:
  /// Calls `begin`(descriptor) on rank 0 to write everything that is not written by all processes.
  SharedReplacement(const std::filesystem::path& path, const Communicator& communicator,
                    const std::function<void(int descriptor)>& begin);

  int descriptor() const { return own_ ? own_->descriptor() : opened_.number(); }
  /// Flushes the writes of this process to disk; on rank 0, commit() does so instead. Returns 0 or
  /// an errno.
  [[nodiscard]] int sync() const;
  /// Calls `end`(descriptor) on rank 0 for final writes, then commits; see Replacement::commit.
  void commit(Replacement::Previous previous, const std::function<void(int descriptor)>& end);

 private:
  Communicator communicator_;
  std::optional<Replacement> own_;  // on rank 0
  Descriptor opened_;               // on other ranks
};

}  // namespace kolam
