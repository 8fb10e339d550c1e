// SPDX-License-Identifier: Apache-2.0
// Two generations of checkpoints, and writes that fail or are interrupted.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <utility>

#include "checkpoint_samples.hpp"
#include "failing_fsync.hpp"
#include "temporary_folder.hpp"

namespace kolam::testing {
std::atomic<int> fsyncs_until_failure{0};
}

// The linker prefers this function to the C library's.
extern "C" int fsync(int descriptor) {
  using kolam::testing::fsyncs_until_failure;
  if (fsyncs_until_failure > 0 && --fsyncs_until_failure == 0) {
    errno = EIO;
    return -1;
  }
  static const auto real = reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, "fsync"));
  return real(descriptor);
}

namespace kolam {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::content;
using testing::differences;
using testing::file_error_of;
using testing::fsyncs_until_failure;
using ::testing::HasSubstr;
using testing::sample_header;
using testing::SampleField;
using testing::TemporaryFolder;

const Extents<2> grid{40, 30};

void write_state(const fs::path& path, std::int64_t step) {
  const SampleField<double, 2> u("u", grid, {2, 2}, step);
  write_checkpoint<double, 2>(path, sample_header({40, 30}, step), {u.field});
}

// Returns the step of the checkpoint after comparing it bit for bit; fails and returns -1 on error.
std::int64_t step_of(const fs::path& path) {
  try {
    const CheckpointReader reader(path);
    const std::int64_t step = reader.header().step;
    EXPECT_TRUE(testing::same_header(reader.header(), sample_header({40, 30}, step)));
    EXPECT_EQ((differences<double, 2>(reader, "u", grid, {1, 3}, step)), 0);
    return step;
  } catch (const FileError& error) {
    ADD_FAILURE() << error.what();
    return -1;
  }
}

// A child process that writes one state after the other until it is killed, at the latest by the
// destructor.
class Writer {
 public:
  Writer(const fs::path& path, std::int64_t first) : child_(::fork()) {
    if (child_ != 0) return;
    try {
      for (std::int64_t step = first;; ++step) write_state(path, step);
    } catch (...) {
      ::_exit(1);
    }
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { kill(); }

  // Kills the child. Returns whether it was still writing.
  bool kill() {
    if (child_ <= 0) return false;
    ::kill(child_, SIGKILL);
    int status = 0;
    ::waitpid(std::exchange(child_, 0), &status, 0);
    return WIFSIGNALED(status);
  }

 private:
  pid_t child_;
};

// Runs `f` in a child and returns the text that it returns.
template <class F>
std::string in_child(F f) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text;
    try {
      text = f();
    } catch (const std::exception& error) {
      text = error.what();
    }
    const bool told = ::write(ends[1], text.data(), text.size()) == std::ssize(text);
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], text.data(), 4096))));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

TEST(CheckpointAtomic, KeepsTwoGenerations) {
  const TemporaryFolder folder;
  write_state(folder / "c", 1);
  EXPECT_EQ(folder.count(), 1);
  for (const std::int64_t step : {2, 3, 4}) {
    write_state(folder / "c", step);
    EXPECT_EQ(step_of(folder / "c"), step);
    EXPECT_EQ(step_of(folder / "c.previous"), step - 1);
    EXPECT_EQ(folder.count(), 2);
  }
}

TEST(CheckpointAtomic, ReadersKeepTheirFile) {
  const TemporaryFolder folder;
  write_state(folder / "c", 1);
  const CheckpointReader reader(folder / "c");
  for (const std::int64_t step : {2, 3, 4}) write_state(folder / "c", step);
  EXPECT_EQ((differences<double, 2>(reader, "u", grid, {2, 1}, 1)), 0);
}

TEST(CheckpointAtomic, KilledAtAnyInstant) {
  const TemporaryFolder folder;
  const fs::path path = folder / "c";
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::int64_t last = 0;
  int between = 0;
  for (int kill = 0; kill < 200; ++kill) {
    const bool existed = fs::exists(path);
    Writer writer(path, last + 1);
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 20000);
    while (std::chrono::steady_clock::now() < end) {
      ASSERT_TRUE(!existed || ::access(path.c_str(), R_OK) == 0) << "gone for an instant";
    }
    ASSERT_TRUE(writer.kill()) << "a write failed";
    if (!fs::exists(path)) {
      ASSERT_FALSE(existed);
      continue;
    }
    const std::int64_t step = step_of(path);
    ASSERT_GE(step, last) << "kill " << kill;
    if (fs::exists(folder / "c.previous")) {
      // Equal to `step` if the child was killed between the two renames.
      const std::int64_t previous = step_of(folder / "c.previous");
      ASSERT_TRUE(previous == step || previous == step - 1 || previous == last) << previous;
    }
    ASSERT_LE(folder.count(), 4) << "leftovers of killed runs gather";
    between += folder.count() > 2;
    last = step;
  }
  EXPECT_GT(last, 0) << "no checkpoint was ever written: the test is too hasty";
  EXPECT_GT(between, 0) << "no write was interrupted";
  write_state(path, last + 1);
  EXPECT_EQ(folder.count(), 2) << "leftovers stay";
}

TEST(CheckpointAtomic, CleansNothingOfOthers) {
  const TemporaryFolder folder;
  std::ofstream(folder / ".c.kolam-1-0.tmp") << "killed";
  std::ofstream(folder / ".cc.kolam-1-0.tmp") << "another checkpoint's";
  std::ofstream(folder / ".kolam-1-0.tmp") << "write_file's";
  std::ofstream(folder / "c.tmp") << "the user's";
  write_state(folder / "c", 1);
  EXPECT_FALSE(fs::exists(folder / ".c.kolam-1-0.tmp"));
  EXPECT_EQ(folder.count(), 4);
}

// Two processes write the same file at the same time: neither takes the other's temporary file.
TEST(CheckpointAtomic, TwoWritersAtATime) {
  const TemporaryFolder folder;
  const fs::path path = folder / "c";
  const auto write_many = [&](std::int64_t first) {
    for (std::int64_t step = first; step < first + 100; ++step) write_state(path, step);
    return std::string("fine");
  };
  const std::string error = in_child([&] {
    std::string inner;
    try {
      const pid_t child = ::fork();
      write_many(child == 0 ? 1000 : 0);
      if (child == 0) ::_exit(0);
      int status = 0;
      ::waitpid(child, &status, 0);
      return std::string(status == 0 ? "fine" : "the child failed");
    } catch (const Error& e) {
      return std::string(e.what());
    }
  });
  EXPECT_EQ(error, "fine");
  EXPECT_EQ(step_of(path) % 1000, 99);
  EXPECT_EQ(folder.count(), 2);
}

TEST(CheckpointAtomic, FilesThatMayNotGrow) {
  const TemporaryFolder folder;
  const fs::path path = folder / "c";
  write_state(path, 1);
  write_state(path, 2);
  const std::string bytes = content(path);
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  std::vector<std::string> errors;
  ::testing::internal::CaptureStderr();
  for (rlim_t limit = 0; limit < bytes.size(); limit += 997) {
    const struct rlimit small{limit, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    errors.push_back(file_error_of([&] { write_state(path, 3); }));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_EQ(content(path), bytes);
    ASSERT_EQ(folder.count(), 2);
  }
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  for (const std::string& error : errors) {
    EXPECT_THAT(error, AllOf(HasSubstr(path.string()), HasSubstr("File too large")));
  }
  EXPECT_EQ(step_of(folder / "c.previous"), 1);
  write_state(path, 3);  // HDF5 still works
  EXPECT_EQ(step_of(path), 3);
}

TEST(CheckpointAtomic, FullDisks) {
  const TemporaryFolder folder;
  // A mount namespace of its own: the mount ends with the child.
  const std::string result = in_child([&]() -> std::string {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=56k") != 0) {
      return std::string("skip: ").append(std::strerror(errno));
    }
    const fs::path path = folder / "c";
    write_state(path, 1);  // 13 KiB
    write_state(path, 2);
    const std::string bytes = content(path);
    const std::string error = file_error_of([&] {
      for (std::int64_t step = 3; step < 5; ++step) {
        const SampleField<double, 2> u("u", {60, 60}, {2, 2}, step);
        write_checkpoint<double, 2>(path, sample_header({60, 60}, step), {u.field});
      }
    });
    if (content(path) != bytes) return "the old checkpoint has changed";
    if (folder.count() != 2) return "something is left";
    write_state(path, 3);
    return error;
  });
  if (result.starts_with("skip")) GTEST_SKIP() << "no right to mount a small disk: " << result;
  EXPECT_THAT(result,
              AllOf(HasSubstr((folder / "c").string()), HasSubstr("No space left on device")));
}

TEST(CheckpointAtomic, DisksThatFail) {
  const TemporaryFolder folder;
  const fs::path path = folder / "c";
  write_state(path, 1);
  write_state(path, 2);

  fsyncs_until_failure = 1;  // the file
  EXPECT_THAT(file_error_of([&] { write_state(path, 3); }),
              AllOf(HasSubstr(path.string()), HasSubstr("Input/output error")));
  EXPECT_EQ(step_of(path), 2);
  EXPECT_EQ(step_of(folder / "c.previous"), 1);
  EXPECT_EQ(folder.count(), 2);

  fsyncs_until_failure = 2;  // the folder: the renames may have been done
  EXPECT_THAT(file_error_of([&] { write_state(path, 3); }),
              AllOf(HasSubstr(path.string()), HasSubstr("Input/output error")));
  EXPECT_EQ(step_of(path), 3);
  EXPECT_EQ(step_of(folder / "c.previous"), 2);
  EXPECT_EQ(folder.count(), 2);
  fsyncs_until_failure = 0;
}

TEST(CheckpointAtomic, FoldersThatTakeNoFiles) {
  const TemporaryFolder folder;
  write_state(folder / "c", 1);
  fs::permissions(folder.path(), fs::perms(0555));
  const std::string error = in_child([&]() -> std::string {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return "root could not step down";
    return file_error_of([&] { write_state(folder / "c", 2); });
  });
  fs::permissions(folder.path(), fs::perms(0755));
  EXPECT_THAT(error, AllOf(HasSubstr((folder / "c").string()), HasSubstr("Permission denied")));
  EXPECT_EQ(step_of(folder / "c"), 1);
  EXPECT_EQ(folder.count(), 1);

  EXPECT_THAT(file_error_of([&] { write_state(folder / "missing/c", 1); }),
              HasSubstr("there is no folder"));
  EXPECT_THAT(file_error_of([&] { write_state(folder.path(), 1); }), HasSubstr("is a folder"));
  EXPECT_THAT(file_error_of([&] { write_state("/dev/null", 1); }), HasSubstr("no regular file"));
}

}  // namespace
}  // namespace kolam
