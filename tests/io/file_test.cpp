// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>

#include "temporary_folder.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::content;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

// Returns the text of the FileError that `f` throws.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const FileError& e) {
    return e.what();
  }
  return "no FileError";
}

// require_writable and write_file must refuse with the same error, which is returned.
std::string refusal(const fs::path& path) {
  const std::string checked = error_of([&] { require_writable(path); });
  EXPECT_EQ(checked, error_of([&] { write_file(path, "x"); }));
  return checked;
}

// Drops the rights of root while it exists; does nothing for other users.
class Unprivileged {
 public:
  Unprivileged() {
    if (::geteuid() == 0) lowered_ = ::seteuid(65534) == 0;
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (lowered_ && ::seteuid(0) != 0) ADD_FAILURE() << "root could not come back";
  }

 private:
  bool lowered_ = false;
};

TEST(WriteFile, WritesBytesAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\n", 4);

  write_file(folder / "new file", bytes);

  EXPECT_EQ(content(folder / "new file"), bytes);
  EXPECT_EQ(folder.count(), 1);
}

TEST(WriteFile, ReplacesAndKeepsPermissions) {
  const TemporaryFolder folder;
  write_file(folder / "f", "a longer old content");
  fs::permissions(folder / "f", fs::perms::owner_read | fs::perms::owner_write);

  write_file(folder / "f", "new");

  EXPECT_EQ(content(folder / "f"), "new");
  EXPECT_EQ(fs::status(folder / "f").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WriteFile, FollowsSymbolicLinks) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/target", folder / "relative");
  fs::create_symlink(folder / "relative", folder / "absolute");

  write_file(folder / "absolute", "first");  // dangling so far
  write_file(folder / "absolute", "second");

  EXPECT_EQ(content(folder / "sub/target"), "second");
  EXPECT_TRUE(fs::is_symlink(folder / "absolute"));
  EXPECT_TRUE(fs::is_symlink(folder / "relative"));
}

TEST(WriteFile, FailureLeavesTheOldFileAndNoOther) {
  const TemporaryFolder folder;
  write_file(folder / "f", "old");
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{100, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);

  const std::string error = error_of([&] { write_file(folder / "f", std::string(1000, 'x')); });

  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(error, AllOf(HasSubstr((folder / "f").string()), HasSubstr("File too large")));
  EXPECT_EQ(content(folder / "f"), "old");
  EXPECT_EQ(folder.count(), 1);
}

TEST(WriteFile, DevicesAreWrittenDirectly) {
  require_writable("/dev/full");
  EXPECT_THAT(error_of([] { write_file("/dev/full", "x"); }),
              AllOf(HasSubstr("/dev/full"), HasSubstr("No space left on device")));
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, PipesBehindDescriptorsAreWrittenDirectly) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[1]);

  require_writable(name);
  write_file(name, "abc");

  char text[4] = {};
  EXPECT_EQ(::read(ends[0], text, 3), 3);
  EXPECT_STREQ(text, "abc");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(RequireWritable, ChangesNothing) {
  const TemporaryFolder folder;
  write_file(folder / "f", "old");

  require_writable(folder / "f");
  require_writable(folder / "not yet there");

  EXPECT_EQ(content(folder / "f"), "old");
  EXPECT_EQ(folder.count(), 1);
}

TEST(RequireWritable, RefusesWhatCannotBeAFile) {
  const TemporaryFolder folder;
  write_file(folder / "f", "old");
  const std::string missing = (folder / "missing").string();

  EXPECT_THAT(refusal(folder / "missing/f"),
              AllOf(HasSubstr(missing + "/f"), HasSubstr("no folder '" + missing + "'")));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(folder / "missing/"), HasSubstr("missing"));
  EXPECT_THAT(refusal(folder / "f/g"), HasSubstr("Not a directory"));
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal(folder / std::string(300, 'n')), HasSubstr("File name too long"));
  fs::create_symlink("loop", folder / "loop");
  EXPECT_THAT(refusal(folder / "loop"), HasSubstr("symbolic links"));
  EXPECT_EQ(content(folder / "f"), "old");
  EXPECT_EQ(folder.count(), 2);
}

TEST(RequireWritable, RefusesWhatIsProtected) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "closed");
  write_file(folder / "closed/f", "old");
  fs::permissions(folder / "closed/f", fs::perms(0444));
  fs::permissions(folder / "closed", fs::perms(0555));
  fs::permissions(folder.path(), fs::perms(0755));
  {
    const Unprivileged user;
    EXPECT_THAT(refusal(folder / "closed/new"),
                AllOf(HasSubstr("closed'"), HasSubstr("Permission denied")));
    EXPECT_THAT(refusal(folder / "closed/f"), HasSubstr("Permission denied"));
  }
  EXPECT_EQ(content(folder / "closed/f"), "old");
  fs::permissions(folder / "closed", fs::perms(0755));
}

}  // namespace
}  // namespace kolam
