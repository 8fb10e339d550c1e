// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <kolam/io/file.hpp>
#include <string>
#include <utility>

#include "target.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;

// An open output file. A temporary file is removed unless it is renamed.
class OutputFile {
 public:
  OutputFile(const fs::path& path, const Target& target) : path_(path), target_(target) {
    if (target_.is_special()) {
      descriptor_ = ::open(target_.file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
      if (descriptor_ < 0) refuse_to_write(path_, std::strerror(errno));
      return;
    }
    static std::atomic<unsigned> count{0};
    do {
      temporary_ = target_.folder / fmt::format(".kolam-{}-{}.tmp", ::getpid(), count++);
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) {
      refuse_to_write(path_, fmt::format("no file can be made in folder '{}': {}",
                                         std::exchange(temporary_, {}).parent_path().string(),
                                         std::strerror(errno)));
    }
    if (target_.existing) static_cast<void>(::fchmod(descriptor_, target_.existing->st_mode));
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse_to_write(path_, std::strerror(errno));
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void finish() {
    // Some file systems report a full disk only here.
    if (!temporary_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
      refuse_to_write(path_, std::strerror(errno));
    }
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse_to_write(path_, std::strerror(errno));
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.file.c_str()) != 0)
      refuse_to_write(path_, std::strerror(errno));
    temporary_.clear();
  }

 private:
  const fs::path& path_;
  const Target& target_;
  fs::path temporary_;
  int descriptor_ = -1;
};

}  // namespace

void require_writable(const fs::path& path) {
  const Target target = find_target(path);
  // Making the temporary file is the only test that also covers root, quotas and read-only mounts.
  // Opening a pipe could block, and faccessat has already checked devices.
  if (!target.is_special()) OutputFile(path, target);
}

void write_file(const fs::path& path, std::string_view bytes) {
  const Target target = find_target(path);
  OutputFile file(path, target);
  file.write(bytes);
  file.finish();
}

}  // namespace kolam
