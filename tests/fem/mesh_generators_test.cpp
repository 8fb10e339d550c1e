// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <numbers>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <int Dim>
double volume(const fem::Mesh<Dim>& mesh) {
  const auto space = fem::space<double>(DenseExec{}, mesh, mesh.order, {.points = mesh.order + 4});
  const DenseVector one("one", static_cast<std::size_t>(space.nodes.entries));
  Kokkos::deep_copy(one, 1.0);
  return fem::integral(space, one);
}

template <int Dim>
void expect_same_as_box() {
  fem::BoxMesh<Dim> box = uneven_box<Dim>();
  box.lower.fill(-1);
  box.upper.fill(2);
  const auto mesh = fem::mesh_of(box);
  fem::validate(mesh);
  EXPECT_EQ(mesh.element_count(), box.element_count());
  const auto space = fem::space<double>(DenseExec{}, mesh, 2, {.dirichlet = {2, 3}});
  const auto of_box = fem::box_space<double>(DenseExec{}, box, gauss_element(2, 4), fem::Unmapped{},
                                             fem::attribute_bits(Dim, {2, 3}));
  EXPECT_EQ(space.dofs.entries, of_box.dofs.entries);
  EXPECT_EQ(space.nodes.entries, of_box.nodes.entries);
  EXPECT_NEAR(volume(mesh), std::pow(3, Dim), 1e-12);
}

TEST(MeshOf, IsTheSameBox) {
  expect_same_as_box<2>();
  expect_same_as_box<3>();
}

TEST(MeshOf, RefusesABoxInParts) {
  EXPECT_THAT(error_of<InvalidArgument>(
                  [] { fem::mesh_of(fem::BoxMesh<2>{.elements = {4, 4}, .parts = {2, 1}}); }),
              HasSubstr("a box that is cut into 2; give the whole box"));
}

TEST(ReentrantCorner, LacksOneOfFourOrEight) {
  const auto flat = fem::reentrant_corner<2>(3);
  fem::validate(flat);
  EXPECT_EQ(flat.element_count(), 27);
  EXPECT_EQ(flat.sides.size(), 24U);
  EXPECT_NEAR(volume(flat), 3, 1e-12);
  const auto fichera = fem::reentrant_corner<3>(2);
  fem::validate(fichera);
  EXPECT_EQ(fichera.element_count(), 56);
  EXPECT_NEAR(volume(fichera), 7, 1e-12);
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::reentrant_corner<2>(0); }),
              HasSubstr("there must be at least 1"));
}

TEST(Disc, HasItsAreaAndItsCircle) {
  const double exact = std::numbers::pi * 4;
  double last = 2;
  for (const int order : {1, 2, 4, 6}) {
    const auto mesh = fem::disc(2, order, 2);
    fem::validate(mesh);
    EXPECT_EQ(mesh.element_count(), 20);
    EXPECT_EQ(mesh.sides.size(), 8U);
    const double error = std::abs(volume(mesh) - exact);
    EXPECT_LT(error, last);
    last = error / 10;
    for (const fem::BoundarySide& side : mesh.sides) {
      EXPECT_EQ(side.attribute, 1);
      ASSERT_EQ(side.at.side, 1);
      for (int j = 0; j <= order; ++j) {
        const auto node = static_cast<std::size_t>(order + (order + 1) * j +
                                                   side.at.element * (order + 1) * (order + 1));
        EXPECT_NEAR(std::hypot(mesh.nodes[2 * node], mesh.nodes[2 * node + 1]), 2, 1e-14);
      }
    }
  }
  EXPECT_LT(10 * last, 1e-7);
}

TEST(Disc, RefusesNumbersThatMakeNone) {
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::disc(0, 1); }), HasSubstr("square: 0"));
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::disc(1, 0); }), HasSubstr("order 0"));
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::disc(1, 1, -1); }), HasSubstr("radius of -1"));
}

TEST(Extruded, IsACylinder) {
  const auto mesh = fem::extruded(fem::disc(2, 6), 3, 0.5);
  fem::validate(mesh);
  EXPECT_NEAR(volume(mesh), std::numbers::pi / 2, 1e-8);
  std::map<int, int> sides;
  for (const fem::BoundarySide& side : mesh.sides) ++sides[side.attribute];
  EXPECT_EQ(sides, (std::map<int, int>{{1, 24}, {2, 20}, {3, 20}}));
  EXPECT_EQ(fem::boundary_of(mesh).size(), 64U);
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::extruded(fem::disc(1, 1), 0, 1); }),
              HasSubstr("layers: 0"));
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::extruded(fem::disc(1, 1), 1, 0); }),
              HasSubstr("a height of 0"));
}

TEST(SphericalShell, HasItsVolumeAndTwoSpheres) {
  const auto mesh = fem::spherical_shell(2, 3, 6, 1, 2);
  fem::validate(mesh);
  EXPECT_EQ(mesh.element_count(), 72);
  EXPECT_NEAR(volume(mesh), 4 * std::numbers::pi / 3 * 7, 1e-6);
  std::map<int, int> sides;
  for (const fem::BoundarySide& side : mesh.sides) ++sides[side.attribute];
  EXPECT_EQ(sides, (std::map<int, int>{{1, 24}, {2, 24}}));
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::spherical_shell(1, 1, 1, 2, 1); }),
              HasSubstr("an outer radius of 1; it must be above the inner one"));
}

}  // namespace
}  // namespace kolam::testing
