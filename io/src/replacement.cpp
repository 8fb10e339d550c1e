// SPDX-License-Identifier: Apache-2.0
#include "replacement.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "positioned.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;

constexpr unsigned exchange_names = 2;  // RENAME_EXCHANGE, which needs _GNU_SOURCE's <stdio.h>

bool lock_shared_soon(int descriptor) {
  using namespace std::chrono_literals;
  // Another process may be cleaning, for milliseconds; kolam holds no exclusive lock for longer.
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (::flock(descriptor, LOCK_SH | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(2ms);
  }
  return false;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

fs::path previous_of(const fs::path& file) {
  fs::path previous = file;
  previous += ".previous";
  return previous;
}

Replacement::Replacement(const fs::path& path)
    : path_(path),
      target_(find_target(path)),
      prefix_(fmt::format(".{}.kolam-", target_.file.filename().string())) {
  if (target_.is_special()) refuse_to_write(path_, "it is no regular file; name another");
  folder_ = Descriptor(::open(target_.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_) {
    refuse_to_write(path_,
                    fmt::format("folder '{}': {}", target_.folder.string(), std::strerror(errno)));
  }
  if (::flock(folder_.number(), LOCK_EX | LOCK_NB) == 0) clean_leftovers();
  // Without the lock, another process might clean this file away; commit would then fail and say
  // so. No existing file is in danger, so go on without it.
  lock_shared_soon(folder_.number());

  do {
    temporary_ = unused_name();
    descriptor_ =
        Descriptor(::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  } while (!descriptor_ && errno == EEXIST);
  if (!descriptor_) {
    refuse_to_write(path_, fmt::format("no file can be made in folder '{}': {}",
                                       std::exchange(temporary_, {}).parent_path().string(),
                                       std::strerror(errno)));
  }
  if (target_.existing) {
    static_cast<void>(::fchmod(descriptor_.number(), target_.existing->st_mode));
  }
}

Replacement::~Replacement() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

fs::path Replacement::unused_name() const {
  static std::atomic<unsigned> count{0};
  return target_.folder / fmt::format("{}{}-{}.tmp", prefix_, ::getpid(), count++);
}

void Replacement::clean_leftovers() const {
  std::error_code ignored;
  for (fs::directory_iterator entry(target_.folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix_) && name.ends_with(".tmp")) ::unlink(entry->path().c_str());
  }
}

void Replacement::keep_previous() {
  const fs::path previous = previous_of(target_.file);
  const fs::path second_name = unused_name();
  if (::link(target_.file.c_str(), second_name.c_str()) == 0) {
    if (::rename(second_name.c_str(), previous.c_str()) == 0) {
      // rename keeps the second name if both names already mean the same file.
      ::unlink(second_name.c_str());
      return;
    }
    const int reason = errno;
    ::unlink(second_name.c_str());
    refuse_to_write(previous, std::strerror(reason));
  }
  // No hard links here: exchange the names in one step instead. The old file is then at temporary_,
  // and moving it to `previous` is all that is left of commit.
  const int reason = errno;
  if (::syscall(SYS_renameat2, AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.file.c_str(),
                exchange_names) != 0) {
    refuse_to_write(
        previous, fmt::format("the file system can neither link ({}) nor exchange files ({}); put "
                              "checkpoints on another one",
                              std::strerror(reason), std::strerror(errno)));
  }
  if (::rename(temporary_.c_str(), previous.c_str()) != 0) {
    refuse_to_write(previous, std::strerror(errno));
  }
  temporary_.clear();
}

void Replacement::sync_folder() const {
  const int error = sync(folder_.number());
  if (error == 0) return;
  refuse_to_write(path_, fmt::format("folder '{}' cannot be brought to the disk: {}",
                                     target_.folder.string(), std::strerror(error)));
}

void Replacement::commit(Previous previous) {
  // Some file systems report a full disk only here.
  if (const int error = sync(descriptor_.number())) refuse_to_write(path_, std::strerror(error));
  struct stat now{};
  const bool exists = ::stat(target_.file.c_str(), &now) == 0 && S_ISREG(now.st_mode);
  if (exists && previous == Previous::keep) keep_previous();
  if (!temporary_.empty()) {
    if (::rename(temporary_.c_str(), target_.file.c_str()) != 0) {
      refuse_to_write(path_, std::strerror(errno));
    }
    temporary_.clear();
  }
  sync_folder();
}

}  // namespace kolam
