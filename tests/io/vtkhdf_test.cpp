// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/io/vtkhdf.hpp>

#include "checkpoint_samples.hpp"
#include "temporary_folder.hpp"
#include "vtk_file.hpp"

namespace kolam::vtkhdf_test {
namespace {

using testing::content;
using testing::file_error_of;
using ::testing::HasSubstr;
using testing::SampleField;
using testing::TemporaryFolder;
using testing::VtkFile;

template <class T>
class VtkhdfTest : public ::testing::Test {
 protected:
  static hid_t stored() { return sizeof(T) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE; }
  static hid_t memory() { return sizeof(T) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE; }

  template <int N>
  static void check_values(const VtkFile& file, const char* name, const Extents<N>& extents,
                           std::uint64_t number) {
    std::vector<hsize_t> dims;
    const auto values = file.dataset<T>(name, stored(), memory(), dims);
    const index_t nz = N == 3 ? extents[N - 1] : 1;
    std::vector<hsize_t> expected{hsize_t(extents[0])};
    if (extents[1] > 1) expected.insert(expected.begin(), hsize_t(extents[1]));
    if (nz > 1) expected.insert(expected.begin(), hsize_t(nz));
    ASSERT_EQ(dims, expected);
    int wrong = 0;
    std::size_t at = 0;
    for (index_t z = 0; z < nz; ++z) {
      for (index_t y = 0; y < extents[1]; ++y) {
        for (index_t x = 0; x < extents[0]; ++x) {
          wrong += !testing::same_bits(values[at++], testing::sample_value<T>(x, y, z, 3, number));
        }
      }
    }
    EXPECT_EQ(wrong, 0) << name;
  }
};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VtkhdfTest, Precisions);

TYPED_TEST(VtkhdfTest, PlanesAreImagesOfOneLayer) {
  using T = TypeParam;
  const TemporaryFolder folder;
  const Extents<2> extents{13, 7};
  for (const comm::Parts<2>& parts :
       {comm::Parts<2>{1, 1}, comm::Parts<2>{3, 2}, comm::Parts<2>{1, 7}}) {
    const SampleField<T, 2> u("u", extents, parts, 3, 1), k("k", extents, {2, 2}, 3, 2);
    const VtkGrid<2> grid{.extents = extents,
                          .origin = {1, 2, 3},
                          .spacing = {0.5, 0.25, 2},
                          .time = 0.1,
                          .step = 42};

    write_vtkhdf<T, 2>(folder / "f.vtkhdf", grid, {u.field, k.field});

    const VtkFile file(folder / "f.vtkhdf");
    using Ints = std::vector<std::int64_t>;
    using Reals = std::vector<double>;
    const auto ints = [&](const char* name) {
      return file.attribute<std::int64_t>(name, H5T_STD_I64LE, H5T_NATIVE_INT64);
    };
    const auto reals = [&](const char* name) {
      return file.attribute<double>(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
    };
    EXPECT_EQ(file.type(), "ImageData");
    EXPECT_EQ(ints("Version"), (Ints{1, 0}));
    EXPECT_EQ(ints("WholeExtent"), (Ints{0, 12, 0, 6, 0, 0}));
    EXPECT_EQ(reals("Origin"), (Reals{1, 2, 3}));
    EXPECT_EQ(reals("Spacing"), (Reals{0.5, 0.25, 2}));
    EXPECT_EQ(reals("Direction"), (Reals{1, 0, 0, 0, 1, 0, 0, 0, 1}));
    std::vector<hsize_t> dims;
    EXPECT_EQ(file.template dataset<double>("FieldData/TimeValue", H5T_IEEE_F64LE,
                                            H5T_NATIVE_DOUBLE, dims),
              Reals{0.1});
    EXPECT_EQ(dims, std::vector<hsize_t>{1});
    EXPECT_EQ(file.template dataset<std::int64_t>("FieldData/Step", H5T_STD_I64LE, H5T_NATIVE_INT64,
                                                  dims),
              Ints{42});
    this->template check_values<2>(file, "PointData/u", extents, 1);
    this->template check_values<2>(file, "PointData/k", extents, 2);
    EXPECT_EQ(folder.count(), 1) << "no previous one is kept";
  }
}

TYPED_TEST(VtkhdfTest, SpacesAreImages) {
  using T = TypeParam;
  const TemporaryFolder folder;
  const Extents<3> extents{9, 7, 5};
  for (const comm::Parts<3>& parts :
       {comm::Parts<3>{1, 1, 1}, comm::Parts<3>{2, 3, 2}, comm::Parts<3>{1, 1, 5}}) {
    for (const index_t padding : {0, 4}) {
      const SampleField<T, 3> u("temperature", extents, parts, 3, 5, padding);
      write_vtkhdf<T, 3>(folder / "f", {.extents = extents}, {u.field});
      const VtkFile file(folder / "f");
      EXPECT_EQ(
          file.template attribute<std::int64_t>("WholeExtent", H5T_STD_I64LE, H5T_NATIVE_INT64),
          (std::vector<std::int64_t>{0, 8, 0, 6, 0, 4}));
      this->template check_values<3>(file, "PointData/temperature", extents, 5);
    }
  }
}

// VTK's reader needs an array with exactly as many dimensions as the image.
TYPED_TEST(VtkhdfTest, FlatDimensionsAreNotStored) {
  using T = TypeParam;
  const TemporaryFolder folder;
  for (const Extents<3>& extents : {Extents<3>{6, 5, 1}, Extents<3>{6, 1, 1}, Extents<3>{1, 1, 1},
                                    Extents<3>{1, 4, 1}, Extents<3>{1, 4, 3}}) {
    const SampleField<T, 3> u("u", extents, {1, 1, 1}, 3, 5);
    write_vtkhdf<T, 3>(folder / "f", {.extents = extents}, {u.field});
    this->template check_values<3>(VtkFile(folder / "f"), "PointData/u", extents, 5);
  }
  const SampleField<T, 3> u("u", {6, 1, 2}, {1, 1, 1}, 3, 5);
  EXPECT_THROW((write_vtkhdf<T, 3>(folder / "f", {.extents = {6, 1, 2}}, {u.field})),
               InvalidArgument);
  const SampleField<T, 2> row("u", {6, 1}, {2, 1}, 3, 5);
  write_vtkhdf<T, 2>(folder / "f", {.extents = {6, 1}}, {row.field});
  this->template check_values<2>(VtkFile(folder / "f"), "PointData/u", {6, 1}, 5);
}

TEST(WriteVtkhdf, RefusesWhatIsNoImage) {
  const TemporaryFolder folder;
  const SampleField<float, 2> u("u", {4, 3}, {1, 1});
  const auto refused = [&](const VtkGrid<2>& grid) {
    EXPECT_THROW((write_vtkhdf<float, 2>(folder / "f", grid, {u.field})), InvalidArgument);
  };
  refused({.extents = {4, 4}});
  refused({.extents = {4, 0}});
  refused({.extents = {4, 3}, .spacing = {1, 0, 1}});
  refused({.extents = {4, 3}, .spacing = {1, 1, -1}});
  EXPECT_EQ(folder.count(), 0);
}

TEST(WriteVtkhdf, FailuresNameTheFileAndLeaveTheOldOne) {
  const TemporaryFolder folder;
  const SampleField<float, 2> u("u", {4, 3}, {1, 1});
  const VtkGrid<2> grid{.extents = {4, 3}};
  write_vtkhdf<float, 2>(folder / "f", grid, {u.field});
  const std::string before = content(folder / "f");
  // Two fields of one name: HDF5 refuses the second one in the middle of the file.
  const std::string error =
      file_error_of([&] { write_vtkhdf<float, 2>(folder / "f", grid, {u.field, u.field}); });
  EXPECT_THAT(error, HasSubstr((folder / "f").string()));
  EXPECT_THAT(error, HasSubstr("HDF5 says 'name already exists'"));
  EXPECT_EQ(content(folder / "f"), before);
  EXPECT_EQ(folder.count(), 1);
  EXPECT_THAT(file_error_of([&] { write_vtkhdf<float, 2>(folder / "missing/f", grid, {u.field}); }),
              HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace kolam::vtkhdf_test
