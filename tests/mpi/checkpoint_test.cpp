// SPDX-License-Identifier: Apache-2.0
// One file, written by all processes.
#include <gmock/gmock.h>

#include <filesystem>
#include <kolam/comm/partition.hpp>
#include <kolam/core/error.hpp>
#include <kolam/io/async_checkpoint.hpp>
#include <kolam/io/hdf5.hpp>
#include <kolam/io/vtkhdf.hpp>
#include <memory>
#include <optional>
#include <string>

#include "../io/checkpoint_samples.hpp"
#include "all_processes.hpp"
#include "shared_folder.hpp"

namespace kolam::mpi_tests {

namespace fs = std::filesystem;
using testing::content;
using testing::differences;
using testing::sample_header;
using testing::SampleField;

class SharedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hdf5_version()) GTEST_SKIP() << "built without HDF5";
  }

  // Returns the blocks of this process, of a field with all blocks.
  template <class T, int N>
  comm::FieldBlocks<T, N> own(const SampleField<T, N>& field) const {
    const auto count = static_cast<int>(field.field.blocks.size());
    const comm::Partition::Share share = comm::Partition(count, all.size()).share(all.rank());
    const auto first = field.field.blocks.begin() + share.first;
    return {field.field.name, {first, first + share.count}};
  }

  const Communicator& all = all_processes();
  const SharedFolder folder;
  const fs::path& path = folder.path();
};

TEST_F(SharedFiles, AreTheBytesThatOneProcessWrites) {
  const Extents<3> grid{11, 7, 6};
  for (const comm::Parts<3>& parts : {comm::Parts<3>{1, 1, 1}, {2, 3, 2}, {1, 7, 1}}) {
    const SampleField<float, 3> u("u", grid, parts, 4), v("v", grid, parts, 4, 1);
    const auto header = sample_header({11, 7, 6}, 4);
    write_checkpoint<float, 3>(path / "together", header, {own(u), own(v)}, all);
    write_vtkhdf<float, 3>(path / "together.vtkhdf", {grid}, {own(u), own(v)}, all);
    if (all.rank() == 0) {
      write_checkpoint<float, 3>(path / "alone", header, {u.field, v.field});
      write_vtkhdf<float, 3>(path / "alone.vtkhdf", {grid}, {u.field, v.field});
      EXPECT_EQ(content(path / "together"), content(path / "alone"));
      EXPECT_EQ(content(path / "together.vtkhdf"), content(path / "alone.vtkhdf"));
    }
    const CheckpointReader reader(path / "together");  // opened by all processes
    EXPECT_EQ((differences<float, 3>(reader, "u", grid, {1, 2, 1}, 4)), 0);
    EXPECT_EQ((differences<float, 3>(reader, "v", grid, {1, 1, 1}, 4, 1)), 0);
    all.barrier();
  }
}

TEST_F(SharedFiles, AreWrittenWhileStepsRun) {
  const Extents<2> grid{300, 200};
  AsyncCheckpoint checkpoints(all);
  for (std::int64_t step = 1; step <= 5; ++step) {
    const auto copy =
        std::make_shared<SampleField<double, 2>>("u", grid, comm::Parts<2>{2, 3}, step);
    checkpoints.write<double, 2>(path / "c", sample_header({300, 200}, step), {own(*copy)}, copy);
    static_cast<void>(all.sum(1));  // messages during the write
  }
  checkpoints.wait();
  EXPECT_EQ((differences<double, 2>(CheckpointReader(path / "c"), "u", grid, {1, 1}, 5)), 0);
  EXPECT_EQ(CheckpointReader(path / "c.previous").header().step, 4);
}

TEST_F(SharedFiles, AreRefusedByAll) {
  const Extents<2> grid{30, 20};
  const SampleField<double, 2> u("u", grid, {2, 3});
  const auto header = sample_header({30, 20});
  const auto write = [&](const fs::path& to, const comm::FieldBlocks<double, 2>& field) {
    write_checkpoint<double, 2>(to, header, {field}, all);
  };
  EXPECT_THROW(write(path / "none/c", own(u)), FileError);
  comm::FieldBlocks<double, 2> torn = own(u);
  if (all.rank() == all.size() - 1) {
    if (torn.blocks.empty())
      torn.blocks.push_back(u.field.blocks.front());
    else
      torn.blocks.pop_back();
  }
  EXPECT_THROW(write(path / "c", torn), InvalidArgument);
  EXPECT_THROW((write_vtkhdf<double, 2>(path / "c", {grid}, {torn}, all)), InvalidArgument);
  comm::FieldBlocks<double, 2> lost = own(u);
  if (all.rank() == 0) lost.blocks.front().data = nullptr;
  EXPECT_THROW(write(path / "c", lost), InvalidArgument);
  all.barrier();
  EXPECT_TRUE(fs::is_empty(path));
}

}  // namespace kolam::mpi_tests
