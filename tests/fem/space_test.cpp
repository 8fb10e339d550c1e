// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <numbers>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

// Evaluated at nodes and at quadrature points.
struct Slope {
  template <int Dim>
  KOKKOS_FUNCTION double operator()(const double (&x)[Dim]) const {
    return 1 + 2 * x[0] - 3 * x[1];
  }
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return (*this)(at.x);
  }
};
// -Laplace u = 4, and u = 0 on the unit circle.
struct Bowl {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return 1 - at.x[0] * at.x[0] - at.x[1] * at.x[1];
  }
};

// Solves -Laplace u = source with the values of `known` on the boundaries. Returns u at the nodes.
template <int Dim, class Known>
Array<double> solved(const fem::FunctionSpace<double, Dim, DenseExec>& space, double source,
                     const Known& known) {
  const fem::Operator a(space, fem::Diffusion{});
  auto b = space.vector("b");
  fem::add_source(space, Constant{source}, b);
  auto u = fem::dirichlet_values(space, known);
  a.apply_lift(u, b);
  auto x = space.vector("x");
  const auto result = conjugate_gradient(a, linear::Jacobi(a), b, x, {.rtol = 1e-13});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  fem::set_dofs(space, x, u);
  return u;
}

template <int Dim>
void expect_linear(const fem::Mesh<Dim>& mesh, int order) {
  const auto space = fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = {1}});
  EXPECT_LT(space.dofs.entries, space.nodes.entries);
  EXPECT_LT(fem::l2_error(space, solved(space, 0, Slope{}), Slope{}), 1e-10);
}

TEST(Space, HoldsLinearFunctionsHoweverItsElementsAreTurned) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    for (const int order : {1, 2, 3, 4}) {
      expect_linear(shuffled(fem::moved(fem::reentrant_corner<2>(2), Twist{}), seed), order);
      expect_linear(shuffled(fem::moved(fem::reentrant_corner<3>(1), Twist{}), seed), order);
    }
    expect_linear(shuffled(fem::disc(2, 3), seed), 3);
  }
}

TEST(Space, GivesTheSameSolutionHoweverItsElementsAreTurned) {
  const auto energy = [](const fem::Mesh<3>& mesh) {
    const auto space = fem::space<double>(DenseExec{}, mesh, 3, {.dirichlet = {1}});
    const auto u = solved(space, 1, Constant{0.0});
    return fem::integral(space, u);
  };
  const auto mesh = fem::spherical_shell(1, 2, 2, 1, 2);
  const double expected = energy(mesh);
  for (unsigned seed = 0; seed < 3; ++seed)
    EXPECT_NEAR(energy(shuffled(mesh, seed)), expected, 1e-11 * expected);
}

TEST(Space, SolvesOnADisc) {
  double last = 1;
  for (const int order : {2, 4, 6}) {
    const auto space =
        fem::space<double>(DenseExec{}, fem::disc(2, order), order, {.dirichlet = {1}});
    const double error = fem::l2_error(space, solved(space, 4, Constant{0.0}), Bowl{});
    EXPECT_LT(error, last);
    last = error / 30;
  }
  EXPECT_LT(30 * last, 1e-8);
}

TEST(Space, CountsUnknownsAsOthersDo) {
  const auto mesh = fem::reentrant_corner<3>(1);
  const auto unknowns = [&](int order) {
    return fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = {1}}).dofs.entries;
  };
  EXPECT_EQ(unknowns(2), 19);
  EXPECT_EQ(unknowns(3), 98);
  EXPECT_EQ(unknowns(4), 279);
}

TEST(Space, IntegratesWhereTheOptionsSay) {
  const auto mesh = fem::disc(1, 2);
  const auto basis = [&](const fem::SpaceOptions& options) {
    return fem::space<double>(DenseExec{}, mesh, 3, options).basis;
  };
  EXPECT_EQ(basis({}).q1d(), 5);
  EXPECT_EQ(basis({.points = 7}).q1d(), 7);
  EXPECT_TRUE(basis({.collocated = true}).collocated);
  EXPECT_THAT(error_of<InvalidArgument>([&] { basis({.points = 5, .collocated = true}); }),
              HasSubstr("5 quadrature points, and collocated"));
}

// Compares integrals that do not depend on the polynomial order, on the same points and elements.
template <int Dim>
void expect_the_same_elements(const fem::Mesh<Dim>& mesh, int order) {
  SCOPED_TRACE(order);
  const auto space_of = [&](int o) {
    return fem::space<double>(DenseExec{}, mesh, o, {.points = mesh.order + 2});
  };
  const auto own = space_of(mesh.order);
  const auto lower = space_of(order);
  EXPECT_EQ(lower.basis.d1d(), order + 1);
  const auto sides = fem::sides_of(mesh, {mesh.sides.front().attribute});
  // (1, 1), a flux through a boundary, a source, and (A 1, 1).
  const auto numbers = [&](const auto& space) {
    const auto sum_of = [](const Array<double>& b) {
      double sum = 0;
      for (const double each : numbers_of(b)) sum += each;
      return sum;
    };
    auto one = fem::dirichlet_values(space, Constant{0.0});
    Kokkos::deep_copy(one.write(host), 1.0);
    auto flux = space.vector("flux");
    fem::add_flux(space, sides, Slope{}, flux);
    auto source = space.vector("source");
    fem::add_source(space, Bowl{}, source);
    auto a_one = space.vector("A 1");
    auto unknowns = space.vector("unknowns");
    Kokkos::deep_copy(unknowns.write(host), 1.0);
    fem::Operator(space, fem::robin(fem::Helmholtz{Slope{}, Bowl{}}, sides, Slope{}))
        .apply(unknowns, a_one);
    return std::array{fem::integral(space, one), sum_of(flux), sum_of(source), sum_of(a_one)};
  };
  const auto expected = numbers(own);
  const auto found = numbers(lower);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST(Space, HoldsAGeometryOfAHigherOrder) {
  for (const int order : {1, 2, 3}) {
    expect_the_same_elements(shuffled(fem::disc(2, 4), 3), order);
    if (order < 3)
      expect_the_same_elements(shuffled(fem::spherical_shell(1, 1, 3, 1, 2), 3), order);
  }
  expect_the_same_elements(shuffled(fem::disc(2, 2), 1), 1);
}

// Half the element size gives a quarter of the error; multigrid levels have the same geometry.
TEST(Space, ConvergesOnAGeometryOfAHigherOrder) {
  fem::Mesh<2> mesh = shuffled(fem::disc(2, 3), 2);
  double last = 0;
  for (int i = 0; i < 3; ++i, mesh = fem::refined(mesh)) {
    const auto space = fem::space<double>(DenseExec{}, mesh, 1, {.dirichlet = {1}});
    const fem::Operator a(space, fem::Diffusion{});
    EXPECT_EQ(a.geometry(), fem::Geometry::stored);
    auto b = space.vector("b");
    fem::add_source(space, Constant{4.0}, b);
    auto x = space.vector("x");
    const auto result = conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-12});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    EXPECT_LE(result.iterations, 20);
    auto u = fem::dirichlet_values(space, Constant{0.0});
    fem::set_dofs(space, x, u);
    const double error = fem::l2_error(space, u, Bowl{});
    if (i > 0) {
      EXPECT_NEAR(last / error, 4, 0.5);
    }
    last = error;
  }
}

TEST(Space, RefusesElementsThatAreInvertedBetweenTheirCorners) {
  auto mesh = fem::with_order(fem::mesh_of(fem::BoxMesh<2>{{1, 1}}), 2);
  mesh.nodes[2 * 1 + 1] = 2;  // the middle of its lower side, above the upper one
  fem::validate(mesh);
  EXPECT_THAT(error_of<InvalidArgument>(
                  [&] { static_cast<void>(fem::space<double>(DenseExec{}, mesh, 2)); }),
              HasSubstr("element 0 is inverted"));
}

TEST(Space, TakesAFlux) {
  // The flux through all of the boundary is its length.
  const auto mesh = fem::disc(3, 5);
  const auto space = fem::space<double>(DenseExec{}, mesh, 5);
  auto b = space.vector("b");
  fem::add_flux(space, fem::sides_of(mesh, {1}), Constant{1.0}, b);
  double sum = 0;
  for (const double value : numbers_of(b)) sum += value;
  EXPECT_NEAR(sum, 2 * std::numbers::pi, 1e-9);
}

}  // namespace
}  // namespace kolam::testing
