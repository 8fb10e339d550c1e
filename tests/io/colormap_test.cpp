// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/io/colormap.hpp>
#include <limits>

namespace kolam {
namespace {

double luminance(Rgb c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; }

TEST(DivergingColor, HasThePublishedEndsAndMiddle) {
  EXPECT_EQ(diverging_color(-1), (Rgb{0x05, 0x30, 0x61}));
  EXPECT_EQ(diverging_color(-0.4), (Rgb{0x92, 0xc5, 0xde}));
  EXPECT_EQ(diverging_color(0), (Rgb{0xf7, 0xf7, 0xf7}));
  EXPECT_EQ(diverging_color(-0.0), (Rgb{0xf7, 0xf7, 0xf7}));
  EXPECT_EQ(diverging_color(1), (Rgb{0x67, 0x00, 0x1f}));
}

TEST(DivergingColor, ClampsAndMarksNaN) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(diverging_color(1.5), diverging_color(1));
  EXPECT_EQ(diverging_color(-infinity), diverging_color(-1));
  EXPECT_EQ(diverging_color(infinity), diverging_color(1));
  EXPECT_EQ(diverging_color(std::numeric_limits<double>::quiet_NaN()), not_finite_color);
}

TEST(DivergingColor, GetsDarkerAwayFromZeroWithoutJumps) {
  for (const double side : {-1.0, 1.0}) {
    Rgb before = diverging_color(0);
    for (int i = 1; i <= 1000; ++i) {
      const Rgb now = diverging_color(side * i / 1000);
      EXPECT_LE(luminance(now), luminance(before) + 0.5) << side * i / 1000;
      EXPECT_LE(luminance(before) - luminance(now), 2) << side * i / 1000;
      EXPECT_FALSE(now == not_finite_color);
      before = now;
    }
  }
}

}  // namespace
}  // namespace kolam
