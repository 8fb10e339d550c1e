// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/io/async_checkpoint.hpp>

#include "checkpoint_samples.hpp"
#include "failing_fsync.hpp"
#include "temporary_folder.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;
using testing::differences;
using testing::file_error_of;
using testing::fsyncs_until_failure;
using ::testing::HasSubstr;
using testing::sample_header;
using testing::SampleField;
using testing::TemporaryFolder;

const Extents<2> large_grid{300, 200};
using Field = SampleField<float, 2>;

std::shared_ptr<const Field> copy_of(std::int64_t step) {
  return std::make_shared<const Field>("u", large_grid, comm::Parts<2>{2, 2}, step);
}

void write(AsyncCheckpoint& checkpoints, const fs::path& path, std::int64_t step) {
  const auto copy = copy_of(step);
  checkpoints.write<float, 2>(path, sample_header({300, 200}, step), {copy->field}, copy);
}

TEST(AsyncCheckpoint, WritesOneAfterTheOther) {
  const TemporaryFolder folder;
  AsyncCheckpoint checkpoints;
  EXPECT_FALSE(checkpoints.busy());
  checkpoints.wait();
  for (std::int64_t step = 1; step <= 20; ++step) write(checkpoints, folder / "c", step);
  checkpoints.wait();
  EXPECT_FALSE(checkpoints.busy());
  for (const auto& [name, step] : {std::pair{"c", 20}, std::pair{"c.previous", 19}}) {
    const CheckpointReader reader(folder / name);
    EXPECT_EQ(reader.header().step, step);
    EXPECT_EQ((differences<float, 2>(reader, "u", large_grid, {1, 1}, step)), 0);
  }
}

TEST(AsyncCheckpoint, LetsTheMemoryGoWhenItIsWritten) {
  const TemporaryFolder folder;
  AsyncCheckpoint checkpoints;
  std::weak_ptr<const Field> observed;
  {
    const auto copy = copy_of(1);
    observed = copy;
    checkpoints.write<float, 2>(folder / "c", sample_header({300, 200}, 1), {copy->field}, copy);
  }
  checkpoints.wait();
  EXPECT_TRUE(observed.expired());
  EXPECT_EQ(CheckpointReader(folder / "c").header().step, 1);
}

TEST(AsyncCheckpoint, ErrorsComeOnceAtTheNextCall) {
  const TemporaryFolder folder;
  const std::string path = (folder / "c").string();
  AsyncCheckpoint checkpoints;

  fsyncs_until_failure = 1;
  write(checkpoints, path, 1);
  EXPECT_THAT(file_error_of([&] { write(checkpoints, path, 2); }), HasSubstr(path));
  checkpoints.wait();
  EXPECT_FALSE(fs::exists(path));
  write(checkpoints, path, 3);
  checkpoints.wait();
  EXPECT_EQ(CheckpointReader(path).header().step, 3);

  fsyncs_until_failure = 1;
  write(checkpoints, path, 4);
  EXPECT_THAT(file_error_of([&] { checkpoints.wait(); }), HasSubstr(path));
  checkpoints.wait();
  fsyncs_until_failure = 1;
  write(checkpoints, path, 5);  // nothing reports its error
}

TEST(AsyncCheckpoint, SaysAtOnceWhereNoFileCanBe) {
  const TemporaryFolder folder;
  AsyncCheckpoint checkpoints;
  EXPECT_THAT(file_error_of([&] { write(checkpoints, folder / "missing/c", 1); }),
              HasSubstr("there is no folder"));
  checkpoints.wait();
}

TEST(AsyncCheckpoint, TheDestructorWaits) {
  const TemporaryFolder folder;
  {
    AsyncCheckpoint checkpoints;
    write(checkpoints, folder / "c", 7);
  }
  EXPECT_EQ(CheckpointReader(folder / "c").header().step, 7);
  EXPECT_EQ(folder.count(), 1);
}

// HDF5 is not thread-safe; kolam's functions are.
TEST(AsyncCheckpoint, MayReadAndWriteMeanwhile) {
  const TemporaryFolder folder;
  AsyncCheckpoint a, b;
  write(a, folder / "read", 1);
  a.wait();
  for (std::int64_t step = 1; step <= 10; ++step) {
    write(a, folder / "a", step);
    write(b, folder / "b", step);
    const CheckpointReader reader(folder / "read");
    EXPECT_EQ((differences<float, 2>(reader, "u", large_grid, {3, 1}, 1)), 0);
  }
  a.wait();
  b.wait();
  for (const char* const name : {"a", "b"}) {
    EXPECT_EQ((differences<float, 2>(CheckpointReader(folder / name), "u", large_grid, {1, 1}, 10)),
              0);
  }
}

}  // namespace
}  // namespace kolam
