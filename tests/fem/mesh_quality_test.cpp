// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_quality.hpp>
#include <kolam/testing/meshes.hpp>
#include <numbers>

namespace kolam::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(MeshQuality, OfABoxIsThatOfABox) {
  fem::BoxMesh<3> box{{4, 2, 1}};
  const auto quality = fem::quality_of(shuffled(fem::with_order(fem::mesh_of(box), 3), 5));
  EXPECT_NEAR(quality.volume, 1, 1e-13);
  EXPECT_NEAR(quality.shortest_edge, 0.25, 1e-14);
  EXPECT_NEAR(quality.longest_edge, 1, 1e-14);
  EXPECT_NEAR(quality.worst_jacobian, 1, 1e-12);
  EXPECT_NEAR(quality.best_jacobian, 1, 1e-12);
  EXPECT_THAT(quality.lower, Each(::testing::DoubleNear(0, 1e-15)));
  EXPECT_THAT(quality.upper, Each(::testing::DoubleNear(1, 1e-15)));
}

// A rhombus with angles of 60 and 120 degrees: the sine is the same everywhere.
TEST(MeshQuality, IsTheSineOfAnAngle) {
  struct Lean {
    void operator()(double* x) const {
      x[0] += 0.5 * x[1];
      x[1] *= std::sqrt(0.75);
    }
  };
  for (const int order : {1, 4}) {
    const auto mesh =
        fem::with_order(fem::moved(fem::mesh_of(fem::BoxMesh<2>{{1, 1}}), Lean{}), order);
    const auto quality = fem::quality_of(mesh);
    EXPECT_NEAR(quality.worst_jacobian, std::sqrt(0.75), 1e-12);
    EXPECT_NEAR(quality.volume, std::sqrt(0.75), 1e-13);
    EXPECT_NEAR(quality.shortest_edge, 1, 1e-13);
    EXPECT_NEAR(quality.longest_edge, 1, 1e-13);
  }
}

TEST(MeshQuality, FindsTheWorstElement) {
  auto mesh = fem::mesh_of(fem::BoxMesh<2>{{2, 1}});
  mesh.nodes[8 + 6] -= 0.3;  // the last corner of the second element, so that it leans
  const auto quality = fem::quality_of(mesh);
  EXPECT_NEAR(quality.worst_jacobian, 1 / std::sqrt(1 + 0.09), 1e-13);
  EXPECT_NEAR(quality.best_jacobian, 1, 1e-13);
  EXPECT_THAT(quality.worst_at, ElementsAre(::testing::DoubleNear(0.675, 1e-13), 0.5));
}

TEST(MeshQuality, MeasuresCurvedElements) {
  const auto disc = fem::quality_of(fem::disc(8, 6));
  EXPECT_NEAR(disc.volume, std::numbers::pi, 1e-8);
  const auto shell = fem::quality_of(fem::spherical_shell(3, 2, 5, 0.5, 1));
  EXPECT_NEAR(shell.volume, 4 * std::numbers::pi / 3 * (1 - 0.125), 1e-5);
  EXPECT_GT(shell.worst_jacobian, 0.3);
  EXPECT_LT(shell.worst_jacobian, 1);
}

TEST(BoundaryCounts, TellListedSidesFromOthers) {
  auto mesh = fem::mesh_of(fem::BoxMesh<2>{{2, 1}});  // 6 outer sides, all listed
  const auto expect = [&](index_t unlisted, index_t between) {
    const fem::BoundaryCounts counts = fem::boundary_counts(mesh);
    EXPECT_EQ(counts.outer, 6);
    EXPECT_EQ(counts.unlisted, unlisted);
    EXPECT_EQ(counts.listed_between, between);
  };
  expect(0, 0);
  mesh.sides.pop_back();
  mesh.sides.push_back(mesh.sides.front());  // listed twice
  expect(1, 0);
  mesh.sides.push_back({{0, 1}, 9});
  mesh.sides.push_back({{1, 0}, 9});  // the same from the other element
  expect(1, 2);
  mesh.sides.clear();
  expect(6, 0);
}

TEST(MeshQuality, IsOfMeshesThatAreValid) {
  EXPECT_THROW(fem::quality_of(fem::Mesh<2>{}), InvalidArgument);
}

}  // namespace
}  // namespace kolam::testing
