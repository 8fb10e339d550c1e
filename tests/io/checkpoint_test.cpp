// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <limits>
#include <numeric>

#include "checkpoint_samples.hpp"
#include "temporary_folder.hpp"

namespace kolam {
namespace {

using ::testing::AllOf;
using testing::content;
using testing::differences;
using testing::file_error_of;
using ::testing::HasSubstr;
using testing::sample_header;
using testing::SampleField;
using testing::TemporaryFolder;

template <class T>
class CheckpointTest : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CheckpointTest, Precisions);

TYPED_TEST(CheckpointTest, PlanesComeBackOnOtherPartitions) {
  using T = TypeParam;
  const TemporaryFolder folder;
  const Extents<2> extents{37, 23};
  const comm::Parts<2> partitions[] = {{1, 1}, {1, 4}, {5, 1}, {3, 2}, {37, 23}};
  for (const comm::Parts<2>& written : partitions) {
    const SampleField<T, 2> u("u", extents, written, 5, 1), k("k of x", extents, {2, 1}, 5, 2);
    write_checkpoint<T, 2>(folder / "c", sample_header({37, 23}, 5), {u.field, k.field});

    const CheckpointReader reader(folder / "c");

    EXPECT_EQ(reader.precision(), sizeof(T) == 4 ? "float" : "double");
    EXPECT_EQ(reader.fields(), (std::vector<std::string>{"k of x", "u"}));
    for (const comm::Parts<2>& parts : partitions) {
      EXPECT_EQ((differences<T, 2>(reader, "u", extents, parts, 5, 1)), 0);
      EXPECT_EQ((differences<T, 2>(reader, "k of x", extents, parts, 5, 2)), 0);
    }
  }
}

TYPED_TEST(CheckpointTest, SpacesComeBackOnOtherPartitions) {
  using T = TypeParam;
  const TemporaryFolder folder;
  const Extents<3> extents{11, 7, 5};
  const comm::Parts<3> partitions[] = {{1, 1, 1}, {1, 1, 5}, {1, 3, 2}, {2, 3, 2}, {11, 7, 1}};
  for (const comm::Parts<3>& written : partitions) {
    const SampleField<T, 3> u("u", extents, written, 9);
    write_checkpoint<T, 3>(folder / "c", sample_header({11, 7, 5}, 9), {u.field});
    const CheckpointReader reader(folder / "c");
    for (const comm::Parts<3>& parts : partitions) {
      EXPECT_EQ((differences<T, 3>(reader, "u", extents, parts, 9)), 0);
    }
  }
}

// Blocks of several chunks, some of which begin within a row.
TYPED_TEST(CheckpointTest, BlocksOfManyChunksComeBack) {
  using T = TypeParam;
  const TemporaryFolder folder;
  const Extents<2> plane{1501, 700};
  const SampleField<T, 2> u("u", plane, {2, 1}, 1);
  write_checkpoint<T, 2>(folder / "c", sample_header({1501, 700}, 1), {u.field});
  EXPECT_EQ((differences<T, 2>(CheckpointReader(folder / "c"), "u", plane, {3, 5}, 1)), 0);

  const Extents<3> space{101, 67, 113};
  const SampleField<T, 3> v("v", space, {1, 2, 1}, 2);
  write_checkpoint<T, 3>(folder / "c", sample_header({101, 67, 113}, 2), {v.field});
  EXPECT_EQ((differences<T, 3>(CheckpointReader(folder / "c"), "v", space, {2, 1, 7}, 2)), 0);
}

TYPED_TEST(CheckpointTest, RefusesOtherProblems) {
  using T = TypeParam;
  using Other = std::conditional_t<sizeof(T) == 4, double, float>;
  const TemporaryFolder folder;
  const SampleField<T, 2> u("u", {6, 4}, {1, 1});
  write_checkpoint<T, 2>(folder / "c", sample_header({6, 4}), {u.field});
  const CheckpointReader reader(folder / "c");
  const CheckpointHeader right{
      .program = "sample", .extents = {6, 4}, .parameters = {{"tol", 0.1}}};
  reader.require<T>(right);
  const auto refusal = [&](const CheckpointHeader& wanted) {
    const std::string text = file_error_of([&] { reader.require<T>(wanted); });
    EXPECT_THAT(text, HasSubstr((folder / "c").string()));
    return text;
  };

  CheckpointHeader wanted = right;
  wanted.program = "other";
  EXPECT_THAT(refusal(wanted), AllOf(HasSubstr("'sample'"), HasSubstr("'other'")));
  wanted = right;
  wanted.extents = {4, 6};
  EXPECT_THAT(refusal(wanted), AllOf(HasSubstr("6 x 4"), HasSubstr("4 x 6")));
  wanted = right;
  wanted.parameters["tol"] = std::nextafter(0.1, 1.0);
  EXPECT_THAT(refusal(wanted), AllOf(HasSubstr("'tol' is 0.1"), HasSubstr("0.10000000000000002")));
  wanted.parameters["tol"] = "0.1";
  EXPECT_THAT(refusal(wanted), HasSubstr("'tol' is 0.1, and '0.1'"));
  wanted = right;
  wanted.parameters["periodic"] = std::int64_t{1};
  EXPECT_THAT(refusal(wanted), HasSubstr("no 'periodic', and 1"));

  EXPECT_THAT(file_error_of([&] { reader.require<Other>(right); }), HasSubstr("precision"));
  Other value;
  EXPECT_THAT(file_error_of([&] { reader.read<2>("u", {Range{0, 1}, Range{0, 1}}, &value, {1}); }),
              HasSubstr("precision"));
}

TEST(Checkpoint, HeadersComeBack) {
  const TemporaryFolder folder;
  const SampleField<float, 2> u("u", {3, 2}, {1, 1});
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  CheckpointHeader header = sample_header({3, 2}, std::numeric_limits<std::int64_t>::max());
  header.parameters["smallest"] = smallest;
  header.parameters["name with / and \xc3\xa4"] = std::numeric_limits<std::int64_t>::min();
  header.parameters["long"] = std::string(32768, 'x');
  for (int i = 0; i < 100; ++i) header.parameters[std::to_string(i).append("th")] = std::int64_t{i};
  header.norm_history.clear();
  for (std::int64_t i = 0; i < 70000; ++i) header.norm_history.push_back({i, 1.0 / double(i)});
  header.norm_history.push_back({-1, std::numeric_limits<double>::quiet_NaN()});

  write_checkpoint<float, 2>(folder / "c", header, {u.field});

  EXPECT_TRUE(testing::same_header(CheckpointReader(folder / "c").header(), header));

  const CheckpointHeader empty{.program = "", .extents = {3, 2}};
  write_checkpoint<float, 2>(folder / "c", empty, {});
  const CheckpointReader reader(folder / "c");
  EXPECT_TRUE(testing::same_header(reader.header(), empty));
  EXPECT_TRUE(reader.fields().empty());
  float value;
  EXPECT_THAT(file_error_of([&] { reader.read<2>("u", {Range{0, 1}, Range{0, 1}}, &value, {1}); }),
              HasSubstr("no field 'u', but none"));
}

TEST(Checkpoint, BytesDependOnTheStateOnly) {
  const TemporaryFolder folder;
  const SampleField<double, 2> u("u", {30, 20}, {2, 2}, 4, 0, 1), v("u", {30, 20}, {2, 2}, 4, 0, 9);
  write_checkpoint<double, 2>(folder / "a", sample_header({30, 20}, 4), {u.field});
  ::sleep(1);  // HDF5 keeps times in seconds, unless told not to
  write_checkpoint<double, 2>(folder / "b", sample_header({30, 20}, 4), {v.field});
  EXPECT_EQ(content(folder / "a"), content(folder / "b"));
}

TEST(Checkpoint, RefusesBoxesThatAreNotOfTheGrid) {
  const TemporaryFolder folder;
  const SampleField<float, 2> u("u", {6, 4}, {1, 1});
  write_checkpoint<float, 2>(folder / "c", sample_header({6, 4}), {u.field});
  const CheckpointReader reader(folder / "c");
  std::vector<float> to(100);
  const auto read = [&](const Box<2>& box, index_t pitch) {
    reader.read<2>("u", box, to.data(), {pitch});
  };
  EXPECT_THROW(read({Range{0, 7}, Range{0, 4}}, 7), InvalidArgument);
  EXPECT_THROW(read({Range{-1, 6}, Range{0, 4}}, 7), InvalidArgument);
  EXPECT_THROW(read({Range{0, 6}, Range{2, 2}}, 6), InvalidArgument);
  EXPECT_THROW(read({Range{0, 6}, Range{0, 4}}, 5), InvalidArgument);
  EXPECT_NO_THROW(read({Range{0, 6}, Range{0, 4}}, 6));
  EXPECT_THAT(file_error_of([&] {
                reader.read<3>("u", {Range{0, 6}, Range{0, 4}, Range{0, 1}}, to.data(), {6, 24});
              }),
              HasSubstr("2 dimensions"));
  EXPECT_THAT(
      file_error_of([&] { reader.read<2>("w", {Range{0, 6}, Range{0, 4}}, to.data(), {6}); }),
      HasSubstr("no field 'w', but 'u'"));
}

TEST(Checkpoint, RefusesStatesThatAreNone) {
  const TemporaryFolder folder;
  const SampleField<float, 2> u("u", {6, 4}, {1, 1});
  const auto refused = [&](CheckpointHeader header,
                           const std::vector<comm::FieldBlocks<float, 2>>& f) {
    EXPECT_THROW((write_checkpoint<float, 2>(folder / "c", header, f)), InvalidArgument);
  };
  refused(sample_header({6, 5}), {u.field});
  refused(sample_header({6, 4, 1}), {u.field});
  refused(sample_header({6, 0}), {});
  refused(sample_header({6, 4}), {u.field, u.field});
  CheckpointHeader header = sample_header({6, 4});
  header.parameters[""] = std::int64_t{0};
  refused(header, {u.field});
  header = sample_header({6, 4});
  header.parameters["text"] = std::string(32769, 'x');
  refused(header, {u.field});
  header.parameters["text"] = std::string("a\0b", 3);
  refused(header, {u.field});
  EXPECT_EQ(folder.count(), 0);
}

TEST(Checkpoint, PreviousIsBesideTheFileItself) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("sub/c", folder / "link");
  const SampleField<float, 2> u("u", {6, 4}, {1, 1});
  for (const std::int64_t step : {1, 2}) {
    write_checkpoint<float, 2>(folder / "link", sample_header({6, 4}, step), {u.field});
  }
  const std::filesystem::path previous = previous_checkpoint(folder / "link");
  EXPECT_EQ(previous, std::filesystem::canonical(folder / "sub") / "c.previous");
  EXPECT_EQ(CheckpointReader(previous).header().step, 1);
  EXPECT_EQ(CheckpointReader(folder / "link").header().step, 2);
}

}  // namespace
}  // namespace kolam
