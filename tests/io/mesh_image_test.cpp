// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/io/mesh_image.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <set>

#include "temporary_folder.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

constexpr Rgb paper{255, 255, 255};

double distance(Rgb a, Rgb b) {
  return std::hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
}
// Returns the attribute, 1 to 8, whose colour has the hue nearest to the pixel's.
int attribute_at(const Image& image, std::int64_t x, std::int64_t y) {
  const auto hue = [](Rgb c) {
    const double mean = (c.red + c.green + c.blue) / 3.0;
    std::array<double, 3> d{c.red - mean, c.green - mean, c.blue - mean};
    const double length = std::max(std::hypot(d[0], d[1], d[2]), 1e-9);
    for (double& v : d) v /= length;
    return d;
  };
  const auto seen = hue(image.at(x, y));
  int best = 0;
  double least = 1e9;
  for (int a = 1; a <= 8; ++a) {
    const auto of = hue(attribute_color(a));
    const double d = std::hypot(seen[0] - of[0], seen[1] - of[1], seen[2] - of[2]);
    if (d < least) {
      least = d;
      best = a;
    }
  }
  return best;
}

TEST(DrawMesh, ColoursElementsByTheirAttributes) {
  auto mesh = fem::mesh_of(fem::BoxMesh<2>{{2, 1}});
  mesh.attributes = {1, 2};
  mesh.sides.clear();
  const Image image = draw_mesh(mesh, 400);
  EXPECT_EQ(image.width, 400);
  EXPECT_EQ(image.height, 400) << "a square";
  EXPECT_EQ(image.at(0, 0), paper);
  EXPECT_EQ(attribute_at(image, 100, 200), 1);
  EXPECT_EQ(attribute_at(image, 300, 200), 2);
  const auto brightness = [&](std::int64_t x) {
    const Rgb c = image.at(x, 200);
    return c.red + c.green + c.blue;
  };
  EXPECT_LT(brightness(200), brightness(150) - 150) << "an edge between them";
}

TEST(DrawMesh, DrawsSidesInTheColoursOfTheirAttributes) {
  const Image image = draw_mesh(fem::mesh_of(fem::BoxMesh<2>{{3, 3}}), 400);
  EXPECT_EQ(image.at(14, 200), attribute_color(1)) << "x = 0";
  EXPECT_EQ(image.at(385, 200), attribute_color(2)) << "x = 1";
  EXPECT_EQ(image.at(200, 385), attribute_color(3)) << "y = 0, which is below";
  EXPECT_EQ(image.at(200, 14), attribute_color(4)) << "y = 1";
}

TEST(DrawMesh, DrawsCurvedElementsAsTheyAre) {
  auto mesh = fem::disc(2, 3);
  mesh.sides.clear();
  const Image image = draw_mesh(mesh, 500);
  std::int64_t inside = 0;
  for (const Rgb& pixel : image.pixels) inside += pixel == paper ? 0 : 1;
  const double diameter = 500 - 2 * (0.03 * 500 + 2);
  EXPECT_NEAR(static_cast<double>(inside), 0.25 * M_PI * diameter * diameter, 0.02 * 500 * 500);
}

TEST(DrawMesh, ShowsTheSidesOfABoxThatFaceTheViewer) {
  const Image image = draw_mesh(fem::mesh_of(fem::BoxMesh<3>{{1, 1, 1}}), 600);
  std::map<int, int> seen;
  for (std::int64_t y = 0; y < image.height; ++y) {
    for (std::int64_t x = 0; x < image.width; ++x) {
      const Rgb c = image.at(x, y);
      if (distance(c, paper) > 10 && distance(c, Rgb{0, 0, 0}) > 150)
        ++seen[attribute_at(image, x, y)];
    }
  }
  std::set<int> large;
  for (const auto& [attribute, pixels] : seen)
    if (pixels > 5000) large.insert(attribute);
  EXPECT_EQ(large, (std::set<int>{2, 3, 6})) << "x = 1, y = 0 and z = 1";
}

TEST(DrawMesh, HidesWhatLiesBehind) {
  // Two plates close together, one after the other in y; each front side has its own attribute.
  auto mesh = fem::mesh_of(fem::BoxMesh<3>{{1, 3, 1}});
  fem::Mesh<3> apart;
  for (const std::size_t e : {0U, 2U}) {
    std::array<index_t, 8> corners;
    for (std::size_t c = 0; c < 8; ++c) corners[c] = static_cast<index_t>(8 * (e / 2) + c);
    apart.corners.push_back(corners);
    apart.attributes.push_back(1);
    apart.nodes.insert(apart.nodes.end(), mesh.nodes.begin() + static_cast<std::ptrdiff_t>(24 * e),
                       mesh.nodes.begin() + static_cast<std::ptrdiff_t>(24 * (e + 1)));
  }
  for (std::size_t i = 1; i < apart.nodes.size(); i += 3) apart.nodes[i] /= 10;
  apart.sides = {{{0, 2}, 1}, {{1, 2}, 2}};
  for (const bool swapped : {false, true}) {
    if (swapped) {
      std::swap_ranges(apart.nodes.begin(), apart.nodes.begin() + 24, apart.nodes.begin() + 24);
      std::swap(apart.sides[0].attribute, apart.sides[1].attribute);
    }
    const Image image = draw_mesh(apart, 600);
    int front = 0, back = 0;
    for (std::int64_t y = 0; y < image.height; ++y) {
      for (std::int64_t x = 0; x < image.width; ++x) {
        const Rgb c = image.at(x, y);
        if (std::max({c.red, c.green, c.blue}) - std::min({c.red, c.green, c.blue}) < 40) continue;
        ++(attribute_at(image, x, y) == 1 ? front : back);
      }
    }
    EXPECT_GT(front, 3 * back) << "in whatever order they are drawn";
    EXPECT_GT(front, 10000);
  }
}

TEST(DrawMesh, RefusesWhatItCannotDraw) {
  auto mesh = fem::mesh_of(fem::BoxMesh<2>{{2, 1}});
  EXPECT_THAT(error_of<InvalidArgument>([&] { draw_mesh(mesh, 9000); }),
              HasSubstr("a picture of 9000 pixels; it must be 16 to 8192"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { draw_mesh(mesh, 3); }), HasSubstr("3 pixels"));
  mesh.corners.clear();
  EXPECT_THAT(error_of<InvalidArgument>([&] { draw_mesh(mesh); }), HasSubstr("no elements"));
}

TEST(WriteMeshImage, MakesAPng) {
  const TemporaryFolder folder;
  write_mesh_image(folder / "disc.png", fem::disc(2, 2));
  EXPECT_GT(std::filesystem::file_size(folder / "disc.png"), 1000U);
}

}  // namespace
}  // namespace kolam::testing
