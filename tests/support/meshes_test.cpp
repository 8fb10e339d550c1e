// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_quality.hpp>
#include <kolam/testing/meshes.hpp>
#include <set>

namespace kolam::testing {
namespace {

template <int Dim>
void expect_turns(std::size_t count) {
  const auto turns = all_turns<Dim>();
  EXPECT_EQ(turns.size(), count);
  std::set<std::vector<int>> places;
  std::size_t mirrors = 0;
  for (const Turn<Dim>& turn : turns) {
    mirrors += turn.mirrors() ? 1 : 0;
    std::vector<int> place;
    for (int i = 0; i < 1 << Dim; ++i) place.push_back(turn.place(i, 2));
    EXPECT_EQ(std::set<int>(place.begin(), place.end()).size(), place.size());
    places.insert(place);
    // A turned mesh is valid, a mirrored one is not.
    fem::BoxMesh<Dim> box;
    box.elements.fill(1);
    auto mesh = fem::mesh_of(box);
    turn_element(mesh, 0, turn);
    if (turn.mirrors()) {
      EXPECT_THROW(fem::validate(mesh), InvalidArgument);
    } else {
      fem::validate(mesh);
    }
  }
  EXPECT_EQ(places.size(), count);
  EXPECT_EQ(mirrors, count / 2);
}

TEST(Turns, AreAllThereAre) {
  expect_turns<2>(8);
  expect_turns<3>(48);
}

TEST(Turns, TakeSidesWithThem) {
  fem::BoxMesh<3> box;
  box.elements = {2, 3, 2};
  const auto mesh = fem::mesh_of(box);
  const auto other = shuffled(mesh, 3);
  EXPECT_NE(other.corners, mesh.corners);
  EXPECT_EQ(other.sides.size(), fem::boundary_of(other).size());
  EXPECT_NEAR(fem::quality_of(other).volume, fem::quality_of(mesh).volume, 1e-14);
  for (const fem::BoundarySide& side : other.sides) {
    // Attribute 1 is the side x = 0, attribute 2 the side x = 1.
    for (const index_t corner : {0, 1, 2, 3, 4, 5, 6, 7}) {
      if ((corner >> side.at.side / 2 & 1) != side.at.side % 2) continue;
      const double x = other.nodes[static_cast<std::size_t>(3 * (8 * side.at.element + corner))];
      if (side.attribute > 2) continue;
      EXPECT_EQ(x, side.attribute - 1);
    }
  }
}

}  // namespace
}  // namespace kolam::testing
