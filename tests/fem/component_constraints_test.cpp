// SPDX-License-Identifier: Apache-2.0
// Dirichlet conditions on single components: rollers, and planes of symmetry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/component_constraints.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

constexpr double lambda = 1.5;
constexpr double mu = 0.7;

template <int Dim>
auto elasticity_on(const fem::FunctionSpace<double, Dim, DenseExec>& space) {
  return fem::Operator(space, fem::Elasticity{Constant{lambda}, Constant{mu}});
}
template <int Dim>
fem::Mesh<Dim> twisted_box() {
  return shuffled(fem::moved(fem::mesh_of(uneven_box<Dim>()), Twist{}), 3);
}

std::vector<int> rows_of(const fem::ComponentConstraints<DenseExec>& constraints) {
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), constraints.rows);
  return {rows.data(), rows.data() + rows.extent(0)};
}

TEST(ComponentConstraints, AreRowsByComponent) {
  const auto constraints =
      fem::ComponentConstraints<DenseExec>::of(DenseExec{}, 3, {0, 0b101, 0, 0b010}, 2);
  EXPECT_EQ(constraints.count(), 3);
  EXPECT_EQ(constraints.owned, 2);
  EXPECT_EQ(rows_of(constraints), (std::vector<int>{1, 7, 9}));
}

// Compares with the operator without conditions: known rows are the identity, and the others apply
// that operator to the unknown components.
template <int Dim>
void expect_identity_in_known_rows(int order) {
  const auto mesh = twisted_box<Dim>();
  const auto free = elasticity_on(fem::space<double>(DenseExec{}, mesh, order));
  const auto space =
      fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = {{1, "x"}, {2, "y"}}});
  const auto a = elasticity_on(space);
  ASSERT_EQ(a.rows(), free.rows());
  ASSERT_TRUE(space.constraints);
  const std::vector<int> rows = rows_of(*space.constraints);
  EXPECT_GT(rows.size(), 5U);
  const auto n = static_cast<int>(a.rows());
  const std::vector<double> x = random_values(n, 4);
  std::vector<double> of_free = x;
  for (const int row : rows) of_free[static_cast<std::size_t>(row)] = 0;
  std::vector<double> expected = applied(free, of_free);
  for (const int row : rows)
    expected[static_cast<std::size_t>(row)] = x[static_cast<std::size_t>(row)];
  const std::vector<double> found = applied(a, x);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13) << i;

  const std::vector<double> before = random_values(n, 5);
  const DenseVector y = dense_vector(before);
  a.apply_add(dense_vector(x), y);
  a.exec().fence("test");
  const std::vector<double> added = numbers_of(y);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(added[i], before[i] + expected[i], 1e-13) << i;

  const DenseVector d("d", expected.size());
  a.diagonal(d);
  a.exec().fence("test");
  const std::vector<double> diagonal = numbers_of(d);
  for (int i = 0; i < n; i += 7) {
    std::vector<double> unit(expected.size(), 0.0);
    unit[static_cast<std::size_t>(i)] = 1;
    EXPECT_NEAR(diagonal[static_cast<std::size_t>(i)],
                applied(a, unit)[static_cast<std::size_t>(i)], 1e-13)
        << i;
  }
  for (const int row : rows) EXPECT_EQ(diagonal[static_cast<std::size_t>(row)], 1);
}

TEST(ComponentConstraints, AreTheIdentityOfAnOperator) {
  for (int order = 1; order <= (optimised ? 3 : 2); ++order) {
    expect_identity_in_known_rows<2>(order);
    expect_identity_in_known_rows<3>(order);
  }
}

TEST(ComponentConstraints, LeaveNoUnknownWhereAllComponentsAreKnown) {
  // Conditions that meet at a corner, or that fix all components of a side.
  const auto mesh = fem::mesh_of(fem::BoxMesh<2>{{2, 3}});
  const auto unknowns = [&](const std::vector<fem::DirichletCondition>& conditions) {
    const auto space = fem::space<double>(DenseExec{}, mesh, 2, {.dirichlet = conditions});
    return std::pair(space.dofs.entries, space.constraints ? space.constraints->count() : 0);
  };
  EXPECT_EQ(unknowns({{1, "x"}, {3, "y"}}), std::pair(index_t{34}, index_t{6 + 4}));
  EXPECT_EQ(unknowns({{1, "x"}, {1, "y"}}), std::pair(index_t{28}, index_t{0}));
  EXPECT_EQ(unknowns({{1, "xy"}}), std::pair(index_t{28}, index_t{0}));
  EXPECT_EQ(unknowns({1, {3, "x"}}), std::pair(index_t{28}, index_t{4}));
}

// u_k = s_k x_k: a block is held by rollers and pulled along x, by forces or by the displacement of
// its end. u is linear, so every space contains it.
struct Stretch {
  Kokkos::Array<double, 3> s;
  template <int Dim>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(const double (&x)[Dim]) const {
    return {s[0] * x[0], s[1] * x[1], Dim == 3 ? s[2] * x[Dim - 1] : 0.0};
  }
};
struct Pull {
  double sigma;
  template <class Point>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(const Point&) const {
    return {sigma, 0, 0};
  }
};
template <int Dim>
Stretch stretch_of(double sigma) {
  // sigma = (lambda + 2 mu) s0 + (Dim - 1) lambda s1; 0 = lambda s0 + ((Dim - 1) lambda + 2 mu) s1
  const double across = (Dim - 1) * lambda + 2 * mu;
  const double s0 = sigma / (lambda + 2 * mu - (Dim - 1) * lambda * lambda / across);
  const double s1 = -lambda * s0 / across;
  return {{s0, s1, s1}};
}
template <int Dim>
void expect_stretched(const std::vector<fem::DirichletCondition>& conditions, bool by_force) {
  fem::BoxMesh<Dim> box;
  box.elements.fill(Dim == 2 ? 6 : (optimised ? 3 : 2));
  const auto mesh = fem::refined(shuffled(fem::mesh_of(box), 6));
  const int order = optimised ? 3 : 1;
  const auto space = fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = conditions});
  const auto a = elasticity_on(space);
  auto b = space.vector("b", Dim);
  auto x = space.vector("x", Dim);
  const Stretch exact = stretch_of<Dim>(0.3);
  auto values = fem::dirichlet_values(space, exact, Dim);
  if (by_force) fem::add_flux<Dim>(space, fem::sides_of(mesh, {2}), Pull{0.3}, b);
  a.apply_lift(values, b);
  const auto m = fem::multigrid(a);
  EXPECT_EQ(m.levels(), order == 1 ? 2U : 3U);
  const auto result = conjugate_gradient(a, m, b, x, {.rtol = 1e-12});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_LE(result.iterations, 25);
  fem::set_dofs(space, x, values, Dim);
  const auto found = numbers_of(values);
  const auto where = numbers_of(*space.coordinates);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t c = i / static_cast<std::size_t>(space.nodes.entries);
    EXPECT_NEAR(found[i], exact.s[c] * where[i], 1e-11) << i;
  }
}

TEST(ComponentConstraints, HoldABlockThatIsPulled) {
  expect_stretched<2>({{1, "x"}, {3, "y"}}, true);
  expect_stretched<3>({{1, "x"}, {3, "y"}, {5, "z"}}, true);
  expect_stretched<2>({{1, "x"}, {2, "x"}, {3, "y"}}, false);
  if (optimised) expect_stretched<3>({{1, "x"}, {2, "x"}, {3, "y"}, {5, "z"}}, false);
}

TEST(ComponentConstraints, AreSeenByMultigridOnEveryLevel) {
  const auto mesh = fem::refined(fem::refined(fem::disc(2, 1)));
  const int order = optimised ? 4 : 2;
  const auto space = fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = {{1, "x"}}});
  const fem::Operator a(space, fem::componentwise<2>(fem::Helmholtz{}));
  auto b = space.vector("b", 2);
  fem::add_source<2>(space, Constant{1.0}, b);
  auto x = space.vector("x", 2);
  const auto result = conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-10});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_LE(result.iterations, 15);
  // The components are separate problems: that of y has the solution 1.
  auto values = fem::dirichlet_values(space, Constant{0.0}, 2);
  fem::set_dofs(space, x, values, 2);
  const auto u = numbers_of(values);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  for (std::size_t i = n; i < 2 * n; ++i) EXPECT_NEAR(u[i], 1, 1e-8);
  const auto scalar = fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = {1}});
  const fem::Operator of_x(scalar, fem::Helmholtz{});
  auto c = scalar.vector("c");
  fem::add_source(scalar, Constant{1.0}, c);
  auto v = scalar.vector("v");
  EXPECT_EQ(conjugate_gradient(of_x, fem::multigrid(of_x), c, v, {.rtol = 1e-10}).status,
            linear::SolveStatus::converged);
  auto of_scalar = fem::dirichlet_values(scalar, Constant{0.0});
  fem::set_dofs(scalar, v, of_scalar);
  const auto w = numbers_of(of_scalar);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(u[i], w[i], 1e-8);
}

TEST(ComponentConstraints, PreconditionSymmetrically) {
  // (r, M s) = (M r, s), also with values in known rows, which no right-hand side has.
  const auto space =
      fem::space<double>(DenseExec{}, fem::refined(fem::mesh_of(fem::BoxMesh<2>{{6, 6}})), 2,
                         {.dirichlet = {{1, "x"}, {3, "y"}}});
  const auto a = elasticity_on(space);
  const auto m = fem::multigrid(a, {.coarse_rtol = 1e-14});
  const auto n = static_cast<int>(a.rows());
  const auto made = [&](const std::vector<double>& r) {
    const DenseVector x("x", r.size());
    m.apply(dense_vector(r), x);
    a.exec().fence("test");
    return numbers_of(x);
  };
  const std::vector<double> r = random_values(n, 7), s = random_values(n, 8);
  const double both = dot(r, made(s));
  EXPECT_NEAR(dot(made(r), s), both, 1e-10 * std::abs(both));
}

TEST(ComponentConstraints, AreForFieldsOfAsManyComponents) {
  const auto space =
      fem::space<double>(DenseExec{}, twisted_box<3>(), 2, {.dirichlet = {{1, "x"}}});
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(laplace_on(space)); }),
              HasSubstr("1 component on a space with Dirichlet conditions on single components, "
                        "which is for fields of 3"));
  auto b = space.vector("b");
  EXPECT_THAT(error_of<InvalidArgument>([&] { fem::add_source(space, Constant{1.0}, b); }),
              HasSubstr("1 component on a space"));
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                static_cast<void>(fem::space<double>(DenseExec{}, twisted_box<2>(), 2,
                                                     {.dirichlet = {{1, "z"}}}));
              }),
              HasSubstr("some of 'xy'"));
}

}  // namespace
}  // namespace kolam::testing
