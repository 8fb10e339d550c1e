// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <optional>
#include <string>
#include <utility>

namespace kolam {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw FileError(fmt::format("cannot write '{}': {}", path.string(), reason));
}

// What `path` stands for once symbolic links are followed.
struct Target {
  fs::path file;
  fs::path folder;
  std::optional<struct stat> existing;

  // Renaming onto a device or a pipe would replace it.
  [[nodiscard]] bool is_special() const { return existing && !S_ISREG(existing->st_mode); }
};

Target find_target(const fs::path& path) {
  if (path.empty()) fail(path, "the name is empty");
  Target target{path, {}, {}};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    target.existing = status;
  } else if (errno != ENOENT) {
    fail(path, std::strerror(errno));
  }
  if (target.existing && S_ISDIR(status.st_mode)) fail(path, "it is a folder; name a file in it");
  // stat has refused endless chains; a pipe behind /dev/fd has no other name than the link.
  while (!target.is_special() && fs::is_symlink(fs::symlink_status(target.file))) {
    target.file = target.file.parent_path() / fs::read_symlink(target.file);
  }
  target.folder = target.file.has_parent_path() ? target.file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(target.folder, ignored)) {
    fail(path, fmt::format("there is no folder '{}'; create it first", target.folder.string()));
  }
  if (!target.file.has_filename()) fail(path, "it names a folder; name a file in it");
  if (target.existing && ::faccessat(AT_FDCWD, target.file.c_str(), W_OK, AT_EACCESS) != 0) {
    fail(path, std::strerror(errno));
  }
  return target;
}

// An open file that is written to and, if it is a temporary one, disappears unless it is renamed.
class OutputFile {
 public:
  OutputFile(const fs::path& path, const Target& target) : path_(path), target_(target) {
    if (target_.is_special()) {
      descriptor_ = ::open(target_.file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
      if (descriptor_ < 0) fail(path_, std::strerror(errno));
      return;
    }
    static std::atomic<unsigned> count{0};
    do {
      temporary_ = target_.folder / fmt::format(".kolam-{}-{}.tmp", ::getpid(), count++);
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) {
      fail(path_,
           fmt::format("no file can be made in folder '{}': {}",
                       std::exchange(temporary_, {}).parent_path().string(), std::strerror(errno)));
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
      if (written < 0) fail(path_, std::strerror(errno));
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void finish() {
    // Some file systems report a full disk only here.
    if (!temporary_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) {
      fail(path_, std::strerror(errno));
    }
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, std::strerror(errno));
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.file.c_str()) != 0) fail(path_, std::strerror(errno));
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
  // Making the temporary file is the only test that root, quotas and read-only mounts pass too.
  // Opening a pipe could block, and faccessat has answered for devices.
  if (!target.is_special()) OutputFile(path, target);
}

void write_file(const fs::path& path, std::string_view bytes) {
  const Target target = find_target(path);
  OutputFile file(path, target);
  file.write(bytes);
  file.finish();
}

}  // namespace kolam
