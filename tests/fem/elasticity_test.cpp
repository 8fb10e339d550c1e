// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/elasticity.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <limits>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;
using Exec = Kokkos::DefaultExecutionSpace;

// The beam of MFEM's example 2 (beam-hex.mesh): two materials, held at one end, pulled down at the
// other.
fem::Mesh<3> beam() {
  fem::Mesh<3> mesh = fem::mesh_of(fem::BoxMesh<3>{{8, 1, 1}, {}, {8, 1, 1}});
  for (std::size_t e = 0; e < 8; ++e) mesh.attributes[e] = e < 4 ? 1 : 2;
  for (fem::BoundarySide& side : mesh.sides) side.attribute = std::min(side.attribute, 3);
  return mesh;
}
fem::ElasticityOptions pulled(int order) {
  fem::ElasticityOptions options;
  options.order = order;
  options.materials = {{1, 50, 50}, {2, 1, 1}};
  options.fixed = {1};
  options.tractions = {{2, {0, 0, -0.01}}};
  options.solve.rtol = 1e-12;
  return options;
}

TEST(Elasticity, OfABeamIsMfems) {
  if (!optimised) GTEST_SKIP() << "takes too long without optimisation";
  const auto mesh = shuffled(fem::refined(beam()), 5);
  const auto quadratic = fem::solve_elasticity<double>(Exec{}, mesh, pulled(2));
  EXPECT_EQ(quadratic.result.status, linear::SolveStatus::converged);
  EXPECT_EQ(quadratic.elements, 64);
  EXPECT_EQ(quadratic.dofs, 3 * 32 * 25);
  EXPECT_NEAR(quadratic.energy, 1.199696022764e-02, 1e-12);
  EXPECT_NEAR(quadratic.lowest[2], -1.2005666537, 1e-9);
  const auto cubic = fem::solve_elasticity<double>(Exec{}, mesh, pulled(3));
  EXPECT_NEAR(cubic.energy, 1.202827306192e-02, 1e-12);
  EXPECT_NEAR(cubic.lowest[2], -1.2039855383, 1e-9);
  EXPECT_GE(cubic.largest_displacement, 1.2039855383);
  EXPECT_EQ(cubic.values().size(), 3U * 49 * 7 * 7);
}

TEST(Elasticity, IsTheSameWithEveryPreconditionerGeometryAndPrecision) {
  auto options = pulled(optimised ? 2 : 1);
  const auto mesh = beam();
  const double energy = fem::solve_elasticity<double>(Exec{}, mesh, options).energy;
  for (const auto geometry :
       {fem::Geometry::stored, fem::Geometry::affine, fem::Geometry::trilinear}) {
    options.geometry = geometry;
    const auto solution = fem::solve_elasticity<double>(Exec{}, mesh, options);
    EXPECT_EQ(solution.geometry, geometry);
    EXPECT_NEAR(solution.energy, energy, 1e-12);
  }
  options.geometry = fem::Geometry::automatic;
  EXPECT_EQ(fem::solve_elasticity<double>(Exec{}, mesh, options).geometry, fem::Geometry::affine);
  for (const auto choice : {fem::Preconditioner::jacobi, fem::Preconditioner::chebyshev}) {
    options.preconditioner = choice;
    EXPECT_NEAR(fem::solve_elasticity<double>(Exec{}, mesh, options).energy, energy, 1e-12);
  }
  options.preconditioner = fem::Preconditioner::pmg;
  options.deterministic = true;
  EXPECT_EQ(fem::solve_elasticity<double>(Exec{}, mesh, options).energy,
            fem::solve_elasticity<double>(Exec{}, mesh, options).energy);
  options.solve.rtol = 1e-5;
  EXPECT_NEAR(fem::solve_elasticity<Single>(Exec{}, mesh, options).energy, energy, 1e-5);
}

TEST(Elasticity, OfASlabUnderItsWeightIsKnown) {
  // Between rollers: u_y = -g / (lambda + 2 mu) (y h - y^2 / 2), which order 2 represents.
  fem::ElasticityOptions options;
  options.materials = {{1, 2.0, 0.5}};
  options.fixed = {{1, "x"}, {2, "x"}, 3};
  options.body_force = {0, -0.7, 0};
  options.solve.rtol = 1e-13;
  const auto mesh = shuffled(fem::mesh_of(fem::BoxMesh<2>{{3, 4}, {}, {1, 2}}), 2);
  const auto solution = fem::solve_elasticity<double>(Exec{}, mesh, options);
  EXPECT_EQ(solution.dofs, 2 * 7 * 8 - 2 * 8);
  EXPECT_NEAR(solution.lowest[1], -0.7 / 3 * 2, 1e-12);
  EXPECT_NEAR(solution.highest[0], 0, 1e-12);
  EXPECT_NEAR(solution.largest_displacement, 0.7 / 3 * 2, 1e-12);
  EXPECT_NEAR(solution.energy, 0.49 / 3 * (4 - 4.0 / 3), 1e-12);
}

std::string refused(const fem::ElasticityOptions& options) {
  return error_of<InvalidArgument>(
      [&] { static_cast<void>(fem::solve_elasticity<double>(Exec{}, beam(), options)); });
}

TEST(Elasticity, RefusesWhatHasNoSolution) {
  auto options = pulled(2);
  options.fixed = {{1, "x"}, {3, "z"}};
  EXPECT_THAT(refused(options), HasSubstr("no boundary is fixed along y"));
  options = pulled(2);
  options.materials = {};
  EXPECT_THAT(refused(options), HasSubstr("no material is given"));
  options.materials = {{1, 1, 1}};
  EXPECT_THAT(refused(options), HasSubstr("no value for the element attribute 2"));
  options.materials = {{1, 1, 1}, {2, 1, 0}};
  EXPECT_THAT(refused(options), HasSubstr("lambda 1 and mu 0: mu and lambda + 2/3 mu"));
  options.materials = {{1, 1, 1}, {2, -1, 1}};
  EXPECT_THAT(refused(options), HasSubstr("lambda -1 and mu 1"));
  options = pulled(2);
  options.tractions = {{2, {0, 0, 1}}, {2, {1, 0, 0}}};
  EXPECT_THAT(refused(options), HasSubstr("two tractions on the boundary attribute 2"));
  options.tractions = {{2, {0, 0, std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_THAT(refused(options), HasSubstr("a traction of (0, 0, nan)"));
  options.tractions = {{7, {0, 0, 1}}};
  EXPECT_THAT(refused(options), HasSubstr("no boundary attribute 7"));
  options = pulled(0);
  EXPECT_THAT(refused(options), HasSubstr("order is 0"));
}

}  // namespace
}  // namespace kolam::testing
