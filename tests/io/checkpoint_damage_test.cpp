// SPDX-License-Identifier: Apache-2.0
// Files that are no checkpoints, and damaged checkpoints.
#include <gmock/gmock.h>
#include <hdf5.h>
#include <zlib.h>

#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint_samples.hpp"
#include "temporary_folder.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using testing::content;
using testing::differences;
using testing::file_error_of;
using ::testing::HasSubstr;
using testing::sample_header;
using testing::SampleField;
using testing::TemporaryFolder;

const Extents<2> small_grid{9, 5};
constexpr std::int64_t step = 4;

void write_sample(const fs::path& path) {
  const SampleField<float, 2> u("u", small_grid, {2, 2}, step);
  write_checkpoint<float, 2>(path, sample_header({9, 5}, step), {u.field});
}

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Changes a few bytes in place, which is much faster than writing the file again.
void patch(const fs::path& path, std::size_t at, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(at));
  file << bytes;
}

// Reads everything and returns "right", "wrong", or the text of the error.
std::string outcome(const fs::path& path) {
  try {
    const CheckpointReader reader(path);
    reader.require<float>({.program = "sample", .extents = {9, 5}});
    if (!testing::same_header(reader.header(), sample_header({9, 5}, step))) return "wrong";
    return differences<float, 2>(reader, "u", small_grid, {1, 1}, step) == 0 ? "right" : "wrong";
  } catch (const FileError& error) {
    return error.what();
  }
}

// Appends a footer as another program might make it: one range, the whole file.
void add_footer(const fs::path& path) {
  std::string bytes = content(path);
  const std::uint64_t range[2] = {0, bytes.size()};
  bytes.append(reinterpret_cast<const char*>(range), sizeof range);
  const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
  const auto sum = static_cast<std::uint32_t>(::crc32_z(0, data, bytes.size()));
  const std::uint64_t ranges = 1;
  const std::uint32_t version = 1;
  bytes.append(reinterpret_cast<const char*>(&ranges), 8);
  bytes.append(reinterpret_cast<const char*>(&sum), 4);
  bytes.append(reinterpret_cast<const char*>(&version), 4);
  bytes.append("kolam checkpoint");
  put(path, bytes);
}

class CheckpointDamage : public ::testing::Test {
 protected:
  void SetUp() override {
    ::testing::internal::CaptureStderr();
    write_sample(path);
    bytes = content(path);
    ASSERT_EQ(outcome(path), "right");
  }
  void TearDown() override {
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "HDF5 must not print";
  }
  // The error names the file, the reason and a way to go on.
  void expect_refusal(const std::string& text, const std::string& reason) {
    ASSERT_NE(reason, "") << "every text has that";
    EXPECT_THAT(
        text, AllOf(HasSubstr(path.string()), HasSubstr(reason), HasSubstr("begin the run anew")));
  }

  TemporaryFolder folder;
  fs::path path = folder / "c";
  std::string bytes;
};

TEST_F(CheckpointDamage, TruncatedAtAnyLength) {
  for (std::size_t length = 0; length < bytes.size(); length += length < 200 ? 1 : 13) {
    put(path, bytes.substr(0, length));
    const std::string text = outcome(path);
    ASSERT_THAT(text, HasSubstr(path.string())) << "length " << length;
  }
  put(path, bytes.substr(0, bytes.size() - 1));
  expect_refusal(outcome(path), "an HDF5 file, but truncated");
}

// Flips one bit of every byte, or all its bits.
TEST_F(CheckpointDamage, FlippedBitsAnywhere) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  std::size_t unused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const unsigned mask = random() % 9 == 0 ? 0xffU : 1U << random() % 8;
    const auto flipped = static_cast<unsigned char>(bytes[at]) ^ mask;
    patch(path, at, {static_cast<char>(flipped)});
    const std::string text = outcome(path);
    if (text == "right") {
      ++unused;
    } else {
      ASSERT_THAT(text, HasSubstr(path.string()))
          << "byte " << at << " ^ " << mask << ", seed " << seed;
    }
    patch(path, at, {bytes[at]});
  }
  RecordProperty("bytes", static_cast<int>(bytes.size()));
  RecordProperty("flips_of_unused_bytes", static_cast<int>(unused));
  EXPECT_EQ(unused, 0) << "(which would do no harm)";
}

// Damage as a lost write or a trimmed block leaves it.
TEST_F(CheckpointDamage, RangesOfZerosAndOnes) {
  for (const std::size_t length : {2U, 4U, 64U, 512U}) {
    for (std::size_t at = 0; at + length <= bytes.size(); at += length < 8 ? 16 : length / 2) {
      for (const char fill : {'\0', '\xff'}) {
        patch(path, at, std::string(length, fill));
        const std::string text = outcome(path);
        ASSERT_TRUE(text == "right" || text.find(path.string()) != std::string::npos)
            << length << " bytes at " << at << ": " << text;
        patch(path, at, bytes.substr(at, length));
      }
    }
  }
}

TEST_F(CheckpointDamage, WhatIsNoCheckpoint) {
  put(path, "");
  expect_refusal(outcome(path), "no HDF5 file");
  put(path, "just a text that somebody named like a checkpoint");
  expect_refusal(outcome(path), "no HDF5 file");
  EXPECT_THAT(outcome(folder / "missing"),
              AllOf(HasSubstr("missing"), HasSubstr("No such file or directory")));
  EXPECT_THAT(outcome(folder.path()), HasSubstr("cannot read checkpoint"));

  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_refusal(outcome(path), "of another program");
  add_footer(path);
  expect_refusal(outcome(path), "no checkpoint of kolam");
}

TEST_F(CheckpointDamage, TellsOfTheCheckpointBefore) {
  write_sample(path);
  put(path, bytes.substr(0, 1000));
  const fs::path previous = previous_checkpoint(path);
  EXPECT_THAT(outcome(path), HasSubstr("the checkpoint before it is '" + previous.string() + "'"));
  EXPECT_EQ(outcome(previous), "right");
}

// Well-formed HDF5 with valid checksums and a valid footer, whose content was changed.
class CheckpointForgery : public CheckpointDamage {
 protected:
  template <class F>
  void edit(F f) {
    put(path, bytes);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    f(file);
    ASSERT_GE(H5Fclose(file), 0);
    EXPECT_THAT(outcome(path), HasSubstr("truncated or changed"));
    add_footer(path);
  }
  static void set(hid_t file, const char* object, const char* name, std::int64_t value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    if (H5Aexists_by_name(file, object, name, H5P_DEFAULT) > 0) {
      H5Adelete_by_name(file, object, name, H5P_DEFAULT);
    }
    const hid_t attribute = H5Acreate_by_name(file, object, name, H5T_STD_I64LE, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &value), 0);
    H5Aclose(attribute);
  }
  // Replaces a dataset by one without values, in chunks with a filter if `deflate`.
  static void replace(hid_t file, const char* name, hid_t type, std::vector<hsize_t> dims,
                      bool deflate = false) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (deflate) {
      H5Pset_chunk(properties, static_cast<int>(dims.size()), dims.data());
      H5Pset_deflate(properties, 9);
    }
    H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Pclose(properties);
    H5Sclose(space);
  }
  static void replace_values(hid_t file, hid_t type, std::vector<hsize_t> dims, std::int64_t chunk,
                             bool deflate = false) {
    replace(file, "/fields/u/values", type, std::move(dims), deflate);
    set(file, "/fields/u/values", "piece", chunk);
  }
};

TEST_F(CheckpointForgery, OtherVersions) {
  edit([](hid_t file) { set(file, "/", "version", 2); });
  EXPECT_THAT(outcome(path), AllOf(HasSubstr("version 2"), HasSubstr("reads version 1")));
}

TEST_F(CheckpointForgery, SealsThatMakeNoSense) {
  const auto forge = [&](std::uint64_t ranges, std::uint64_t begin, std::uint64_t end) {
    edit([](hid_t) {});
    std::string forged = content(path);
    const std::size_t list = forged.size() - 32 - 16;
    std::memcpy(forged.data() + list, &begin, 8);
    std::memcpy(forged.data() + list + 8, &end, 8);
    std::memcpy(forged.data() + list + 16, &ranges, 8);
    put(path, forged);
  };
  forge(std::uint64_t{1} << 60, 0, 100);
  expect_refusal(outcome(path), "more than its");
  forge(1, 0, std::uint64_t{1} << 40);
  expect_refusal(outcome(path), "makes no sense");
  forge(1, 100, 50);
  expect_refusal(outcome(path), "makes no sense");
  forge(1, 0, 100);
  expect_refusal(outcome(path), "its checksum is");
}

// The footer does not cover the checksums of chunks.
TEST_F(CheckpointForgery, ValuesOfAnotherChecksum) {
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {60}, 15); });
  expect_refusal(outcome(path), "another checksum");
}

TEST_F(CheckpointForgery, SizesThatTheFileCannotHold) {
  constexpr hsize_t huge = hsize_t{1} << 45;
  edit([](hid_t f) { replace(f, "/norms/norm", H5T_IEEE_F64LE, {huge}); });
  expect_refusal(outcome(path), "more than the file's");
  edit([](hid_t f) { replace(f, "/norms/iteration", H5T_STD_I64LE, {5000}); });
  expect_refusal(outcome(path), "more than the file's");
  edit([](hid_t f) { replace(f, "/fields/u/blocks", H5T_STD_I64LE, {huge, 6}); });
  expect_refusal(outcome(path), "more than the file's");
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {huge}, 15); });
  expect_refusal(outcome(path), "more than the file's");
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {48}, 15); });
  expect_refusal(outcome(path), "blocks take");
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {44}, 15); });
  expect_refusal(outcome(path), "the grid 45 points");
  for (const std::int64_t chunk : {std::int64_t{0}, std::int64_t{-15}, std::int64_t{1} << 30}) {
    edit([&](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {60}, chunk); });
    expect_refusal(outcome(path), "chunks of");
  }
  edit([](hid_t f) { replace(f, "/fields/u/checksums", H5T_STD_U32LE, {3}); });
  expect_refusal(outcome(path), "3 checksums");
}

TEST_F(CheckpointForgery, GridsThatTheBlocksAreNotOf) {
  const std::vector<std::pair<std::int64_t, std::string>> wrong{
      {0, "a grid of 0 points in dimension 0"},
      {-9, "a grid of -9 points in dimension 0"},
      {8, "the grid 64 points"},
      {std::int64_t{1} << 40, "the grid = 1099511627776"},
      {std::int64_t{1} << 62, "the grid = 4611686018427387904"}};
  for (const auto& [extent, reason] : wrong) {
    edit([&, extent = extent](hid_t file) {
      const std::int64_t extents[2] = {extent, extent};
      const hid_t attribute = H5Aopen(file, "extents", H5P_DEFAULT);
      H5Awrite(attribute, H5T_NATIVE_INT64, extents);
      H5Aclose(attribute);
    });
    expect_refusal(outcome(path), reason);
  }
  edit([](hid_t f) { replace(f, "/fields/u/blocks", H5T_STD_I64LE, {4, 6}); });
  expect_refusal(outcome(path), "is empty or not in the grid");
}

TEST_F(CheckpointForgery, OtherKindsOfObjects) {
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F64LE, {60}, 15); });
  expect_refusal(outcome(path), "not as kolam writes it");
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {60, 1}, 15); });
  expect_refusal(outcome(path), "not as kolam writes it");
  edit([](hid_t f) { replace_values(f, H5T_IEEE_F32LE, {60}, 15, true); });
  expect_refusal(outcome(path), "not as kolam writes it");
  for (const std::string name : {"fields", "norms", "parameters", "fields/u/checksums"}) {
    edit([&](hid_t f) { H5Ldelete(f, name.c_str(), H5P_DEFAULT); });
    expect_refusal(outcome(path), "it has no '" + name.substr(name.rfind('/') + 1) + "'");
  }
  edit([&](hid_t f) {
    H5Ldelete(f, "/fields", H5P_DEFAULT);
    H5Lcreate_external("other", "/fields", f, "/fields", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_refusal(outcome(path), "stored elsewhere");
  for (const char* const name : {"program", "precision", "extents", "step"}) {
    edit([&](hid_t f) { H5Adelete(f, name); });
    expect_refusal(outcome(path), name);
    edit([&](hid_t f) {
      H5Adelete(f, name);
      const hsize_t dims = 6000;
      const hid_t space = H5Screate_simple(1, &dims, nullptr);
      H5Aclose(H5Acreate2(f, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT));
      H5Sclose(space);
    });
    expect_refusal(outcome(path), name);
  }
}

}  // namespace
}  // namespace kolam
