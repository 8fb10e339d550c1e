// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "../io/temporary_folder.hpp"
#include "all_processes.hpp"

namespace kolam::mpi_tests {

/// A folder of process 0, known by name on all processes; it exists until all have finished.
class SharedFolder {
 public:
  SharedFolder() {
    if (all_processes().rank() == 0) folder_.emplace();
    path_ = all_processes().broadcast(folder_ ? folder_->path().string() : std::string());
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() { all_processes().barrier(); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<testing::TemporaryFolder> folder_;
};

}  // namespace kolam::mpi_tests
