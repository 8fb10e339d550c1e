// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/mesh_partition.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <numbers>

#include "box_spaces.hpp"

namespace kolam::testing::periodic_mesh_test {
namespace {

using ::testing::HasSubstr;

constexpr double two_pi = 2 * std::numbers::pi;

// -Laplace u + u = (1 + ...) u, with waves along x and y (and z).
template <int Dim>
struct Wave {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    double u = Kokkos::sin(two_pi * at.x[0] + 0.4);
    u *= Kokkos::cos(two_pi * at.x[1] - 0.3);
    if (Dim == 3) u *= Kokkos::sin(two_pi * at.x[Dim - 1] + 1);
    return u;
  }
};
template <int Dim>
struct WaveSource {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return (1 + Dim * two_pi * two_pi) * Wave<Dim>{}(at);
  }
};
// Moves interior points, and both ends alike.
struct Ripple {
  template <int Dim>
  void operator()(double (&x)[Dim]) const {
    double by = 0.03 * std::sin(two_pi * x[0]) * std::cos(two_pi * x[1]);
    for (int k = 0; k < Dim; ++k) x[k] += by * (k + 1);
  }
};

template <int Dim>
fem::Mesh<Dim> torus(index_t n, int order, unsigned seed) {
  fem::BoxMesh<Dim> box;
  box.elements.fill(n);
  std::vector<std::array<double, Dim>> ends(Dim);
  for (std::size_t k = 0; k < Dim; ++k) ends[k][k] = 1;
  return fem::periodic(
      shuffled(fem::moved(fem::with_order(fem::mesh_of(box), order), Ripple{}), seed), ends);
}

template <int Dim>
double error_of_wave(const fem::Mesh<Dim>& mesh, int order) {
  const auto space = fem::space<double>(DenseExec{}, mesh, order);
  const fem::Operator a(space, fem::Helmholtz{});
  auto b = space.vector("b");
  fem::add_source(space, WaveSource<Dim>{}, b);
  auto x = space.vector("x");
  const auto result = conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-12});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_LE(result.iterations, 30);
  auto u = fem::dirichlet_values(space, Constant{0.0});
  fem::set_dofs(space, x, u);
  return fem::l2_error(space, u, Wave<Dim>{});
}

TEST(PeriodicMesh, HasNoBoundaryAndOneNodeAtBothEnds) {
  const auto mesh = torus<2>(4, 2, 3);
  EXPECT_TRUE(fem::is_periodic(mesh));
  EXPECT_TRUE(fem::boundary_of(mesh).empty());
  EXPECT_TRUE(mesh.sides.empty());
  EXPECT_EQ(mesh.vertex_count(), 16);
  EXPECT_EQ(fem::space<double>(DenseExec{}, mesh, 3).dofs.entries, 12 * 12);
  const auto in_space = torus<3>(3, 1, 3);
  EXPECT_EQ(in_space.vertex_count(), 27);
  EXPECT_EQ(fem::space<double>(DenseExec{}, in_space, 2).dofs.entries, 6 * 6 * 6);
}

TEST(PeriodicMesh, HoldsWavesThatGoAround) {
  for (const int geometry : {1, 3}) {
    const double coarse = error_of_wave(torus<2>(4, geometry, 1), 3);
    const double fine = error_of_wave(fem::refined(torus<2>(4, geometry, 2)), 3);
    EXPECT_LT(coarse, 0.02);
    EXPECT_GT(coarse / fine, 8);
  }
  EXPECT_LT(error_of_wave(torus<2>(8, 3, 5), 2), 0.02) << "geometry of a higher order";
  EXPECT_LT(error_of_wave(torus<3>(3, 2, 4), optimised ? 4 : 2), optimised ? 0.02 : 0.2);
}

// One end is joined to the other; the other sides remain boundaries.
TEST(PeriodicMesh, KeepsTheBoundariesThatItHas) {
  const auto whole = shuffled(fem::mesh_of(fem::BoxMesh<2>{{5, 3}}), 8);
  const auto mesh = fem::periodic(whole, {{-1.0, 0.0}});
  EXPECT_EQ(fem::boundary_of(mesh).size(), 10U);
  for (const fem::BoundarySide& side : mesh.sides)
    EXPECT_THAT(side.attribute, ::testing::AnyOf(3, 4));
  // u = y (1 - y) / 2 does not depend on x.
  const auto space = fem::space<double>(DenseExec{}, mesh, 2, {.dirichlet = {3, 4}});
  const fem::Operator a(space, fem::Diffusion{});
  EXPECT_EQ(a.geometry(), fem::Geometry::affine);
  auto b = space.vector("b");
  fem::add_source(space, Constant{1.0}, b);
  auto x = space.vector("x");
  EXPECT_EQ(conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-13}).status,
            linear::SolveStatus::converged);
  auto u = fem::dirichlet_values(space, Constant{0.0});
  fem::set_dofs(space, x, u);
  EXPECT_NEAR(fem::integral(space, u), 1.0 / 12, 1e-12);
  for (const double value : numbers_of(u)) EXPECT_LE(value, 0.125 + 1e-12);
}

TEST(PeriodicMesh, MayHaveInnerBoundaries) {
  fem::Mesh<2> whole = fem::mesh_of(fem::BoxMesh<2>{{4, 3}});
  whole.sides.push_back({{1, 1}, 7});  // between elements 1 and 2
  const auto mesh = fem::periodic(whole, {{1.0, 0.0}});
  EXPECT_EQ(std::count_if(mesh.sides.begin(), mesh.sides.end(),
                          [](const auto& side) { return side.attribute == 7; }),
            1);
}

TEST(PeriodicMesh, SaysWhatCannotBeJoined) {
  const auto refused = [](index_t nx, index_t ny, const std::array<double, 2>& by) {
    return error_of<InvalidArgument>(
        [&] { static_cast<void>(fem::periodic(fem::mesh_of(fem::BoxMesh<2>{{nx, ny}}), {by})); });
  };
  EXPECT_THAT(refused(3, 3, {0.9, 0}), HasSubstr("the translation (0.9, 0) takes no side"));
  EXPECT_THAT(refused(1, 3, {1, 0}), HasSubstr("both ends of element 0 would be one"));
  EXPECT_THAT(refused(2, 3, {1, 0}), HasSubstr("it takes three elements from end to end"));
  EXPECT_THAT(refused(3, 2, {0, 1}), HasSubstr("it takes three elements from end to end"));
  // Sides whose midpoints match and whose ends do not.
  const auto leaning = [](double(&x)[2]) { x[0] *= 1 + 0.2 * (x[1] - 0.5); };
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                static_cast<void>(fem::periodic(
                    fem::moved(fem::mesh_of(fem::BoxMesh<2>{{3, 1}}), leaning), {{1.0, 0.0}}));
              }),
              HasSubstr("takes no side"));
  const auto whole = fem::mesh_of(fem::BoxMesh<2>{{3, 3}});
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(fem::joined(whole, {{0, 99}})); }),
              HasSubstr("joined: vertex 99; there are 0 to 15"));
  EXPECT_FALSE(fem::is_periodic(whole));
}

TEST(PeriodicMesh, IsCutAsOthersAre) {
  const auto whole = torus<2>(6, 1, 2);
  std::set<index_t> elements;
  for (int part = 0; part < 3; ++part) {
    const auto piece = fem::part_of(whole, fem::partition(whole, 3), part);
    EXPECT_FALSE(piece.cut->shared.empty());
    EXPECT_TRUE(fem::boundary_of(piece).empty());
    elements.insert(piece.cut->elements.begin(), piece.cut->elements.end());
  }
  EXPECT_EQ(elements.size(), 36U);
}

}  // namespace
}  // namespace kolam::testing::periodic_mesh_test
