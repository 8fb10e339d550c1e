// SPDX-License-Identifier: Apache-2.0
// A Replacement that many processes write to, each at places of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <kolam/comm/communicator.hpp>
#include <optional>

#include "replacement.hpp"

namespace kolam {

/// Rank 0 makes the temporary file and puts it in its place; the others open it by its name, so all
/// of them must see one file system. Everything but descriptor() and sync() is called by all
/// processes together, and throws in all of them.
class SharedReplacement {
 public:
  /// `begin`(descriptor), on rank 0: writes what there is but for what all write.
  SharedReplacement(const std::filesystem::path& path, const Communicator& communicator,
                    const std::function<void(int descriptor)>& begin);

  int descriptor() const { return own_ ? own_->descriptor() : opened_.number(); }
  /// Brings to the disk what this process has written; rank 0's commit() does so by itself.
  /// Returns 0, or an errno.
  [[nodiscard]] int sync() const;
  /// `end`(descriptor), on rank 0: writes what could only be known now. See Replacement::commit.
  void commit(Replacement::Previous previous, const std::function<void(int descriptor)>& end);

 private:
  Communicator communicator_;
  std::optional<Replacement> own_;  // on rank 0
  Descriptor opened_;               // elsewhere
};

}  // namespace kolam
