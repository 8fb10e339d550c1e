// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/image.hpp>
#include <limits>
#include <vector>

#include "temporary_folder.hpp"

namespace kolam::image_test {
namespace {

using testing::content;
using testing::TemporaryFolder;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Reads a PNG with libpng, independently of the code that wrote it.
Image decode(const std::filesystem::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << png.message;
  EXPECT_EQ(png.format, static_cast<png_uint_32>(PNG_FORMAT_RGB)) << "8-bit RGB, no alpha";
  png.format = PNG_FORMAT_RGB;
  Image image{png.width, png.height, {}};
  image.pixels.resize(std::size_t{png.width} * png.height);
  EXPECT_NE(png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr), 0);
  return image;
}

template <class T>
class ImageTest : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ImageTest, Precisions);

TYPED_TEST(ImageTest, PngHoldsWhatWasDrawn) {
  const TemporaryFolder folder;
  constexpr std::int64_t nx = 300, ny = 200, pitch = 320;
  std::vector<TypeParam> data(pitch * ny, TypeParam(1e30));  // padding must not be seen
  for (std::int64_t y = 0; y < ny; ++y) {
    for (std::int64_t x = 0; x < nx; ++x) data[y * pitch + x] = TypeParam(x - y);
  }

  write_image(folder / "a.png", data.data(), nx, ny, pitch);
  const Image image = decode(folder / "a.png");

  ASSERT_EQ(image.width, nx);
  ASSERT_EQ(image.height, ny);
  for (std::int64_t y = 0; y < ny; ++y) {
    for (std::int64_t x = 0; x < nx; ++x) {
      ASSERT_EQ(image.at(x, ny - 1 - y), diverging_color(double(x - y) / (nx - 1)))
          << "x = " << x << ", y = " << y;
    }
  }
}

TYPED_TEST(ImageTest, LowestRowIsDrawnLowest) {
  const std::vector<TypeParam> data{-1, 0, 0, 0, 0, 2};  // [3, 2]: -1 at (0, 0), 2 at (2, 1)

  const Image image = draw_field(data.data(), 3, 2, 3);

  EXPECT_EQ(image.at(0, image.height - 1), diverging_color(-0.5));
  EXPECT_EQ(image.at(image.width - 1, 0), diverging_color(1));
}

TYPED_TEST(ImageTest, RangeIsSymmetricAboutZero) {
  const std::vector<TypeParam> data{0, 1, 4};

  const Image image = draw_field(data.data(), 3, 1, 3);

  EXPECT_EQ(image.at(0, 0), diverging_color(0));
  EXPECT_EQ(image.at(image.width / 2, 0), diverging_color(0.25));
  EXPECT_EQ(image.at(image.width - 1, 0), diverging_color(1));
}

TYPED_TEST(ImageTest, NotFiniteValuesHaveTheirColorAndNoInfluence) {
  const std::vector<TypeParam> data{TypeParam(nan_value), TypeParam(infinity), TypeParam(-infinity),
                                    2, -1};

  const Image image = draw_field(data.data(), 5, 1, 5);

  const std::int64_t scale = image.width / 5;
  for (const std::int64_t x : {0, 1, 2}) EXPECT_EQ(image.at(x * scale, 0), not_finite_color) << x;
  EXPECT_EQ(image.at(3 * scale, 0), diverging_color(1));
  EXPECT_EQ(image.at(4 * scale, 0), diverging_color(-0.5));
}

TYPED_TEST(ImageTest, ConstantAndExtremeFieldsAreDrawn) {
  constexpr TypeParam largest = std::numeric_limits<TypeParam>::max();
  constexpr TypeParam smallest = std::numeric_limits<TypeParam>::denorm_min();
  const std::vector<TypeParam> zero(4, 0), subnormal{smallest, -smallest};
  const std::vector<TypeParam> huge(2048 * 2, largest);  // two columns and rows a pixel

  EXPECT_EQ(draw_field(zero.data(), 2, 2, 2).at(0, 0), diverging_color(0));
  EXPECT_EQ(draw_field(subnormal.data(), 2, 1, 2).at(0, 0), diverging_color(1));
  EXPECT_EQ(draw_field(huge.data(), 2048, 2, 2048).at(7, 0), diverging_color(1));
}

TEST(DrawField, ReducesBigFieldsByAverages) {
  constexpr std::int64_t nx = 2049, ny = 6;  // 3 x 3 points a pixel
  std::vector<double> data(nx * ny, 0.0);
  for (std::int64_t y = 0; y < 3; ++y) {
    for (std::int64_t x = 0; x < 3; ++x) data[y * nx + x] = 9;  // one whole pixel
  }
  data[4 * nx + 3] = -9;         // a ninth of a pixel
  data[0 * nx + 5] = 4.5;        // two that cancel
  data[2 * nx + 4] = -4.5;       //
  data[5 * nx + 8] = nan_value;  // one NaN is enough

  const Image image = draw_field(data.data(), nx, ny, nx);

  ASSERT_EQ(image.width, 683);
  ASSERT_EQ(image.height, 2);
  EXPECT_EQ(image.at(0, 1), diverging_color(1));
  EXPECT_EQ(image.at(1, 0), diverging_color(-1.0 / 9));
  EXPECT_EQ(image.at(1, 1), diverging_color(0));
  EXPECT_EQ(image.at(2, 0), not_finite_color);
  EXPECT_EQ(image.at(682, 0), diverging_color(0));
}

TEST(DrawField, AveragesNarrowBlocksAtTheFarEdgesOverWhatIsThere) {
  const std::vector<float> data(1025 * 3, 1.0F);  // the last block is 1 wide, the upper one 1 high

  const Image image = draw_field(data.data(), 1025, 3, 1025);

  ASSERT_EQ(image.width, 513);
  ASSERT_EQ(image.height, 2);
  for (const Rgb& pixel : image.pixels) ASSERT_EQ(pixel, diverging_color(1));
}

TEST(DrawField, SizesStayReadable) {
  struct Case {
    std::int64_t nx, ny, width, height;
  };
  for (const Case& c : {Case{1, 1, 256, 256}, Case{3, 3, 258, 258}, Case{255, 2, 510, 4},
                        Case{256, 5, 256, 5}, Case{1024, 1, 1024, 1}, Case{1025, 1, 513, 1},
                        Case{2, 4096, 1, 1024}, Case{1, 5000, 1, 1000}}) {
    const std::vector<float> data(c.nx * c.ny, 1.0F);
    const Image image = draw_field(data.data(), c.nx, c.ny, c.nx);
    EXPECT_EQ(image.width, c.width) << c.nx << " x " << c.ny;
    EXPECT_EQ(image.height, c.height) << c.nx << " x " << c.ny;
  }
}

TEST(DrawField, RefusesShapesThatCannotBe) {
  const float value = 0;
  EXPECT_THROW(static_cast<void>(draw_field(&value, 0, 1, 1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(draw_field(&value, 1, -1, 1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(draw_field(&value, 2, 1, 1)), InvalidArgument);
}

TEST(WritePng, RefusesPixelsThatDoNotFillThePicture) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_png(folder / "a.png", Image{2, 2, std::vector<Rgb>(3)}), InvalidArgument);
  EXPECT_THROW(write_png(folder / "a.png", Image{}), InvalidArgument);
  EXPECT_EQ(folder.count(), 0);
}

TEST(WritePng, FailuresNameTheFileAndLeaveNothing) {
  const TemporaryFolder folder;
  const Image image{1, 1, {Rgb{1, 2, 3}}};

  EXPECT_THROW(write_png(folder / "missing/a.png", image), FileError);
  EXPECT_THROW(write_png(folder.path(), image), FileError);
  EXPECT_THROW(write_png("/dev/full", image), FileError);
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace kolam::image_test
