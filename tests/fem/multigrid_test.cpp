// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <kolam/testing/two_sides.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

auto level(const fem::BoxMesh<2>& mesh, int order) {
  return laplace_on<2>(fem::box_space<double>(DenseExec{}, mesh, gauss_element(order, order + 2),
                                              Bend{}, fem::all_sides(2)));
}

TEST(SpaceMultigrid, HasALevelForEachOrderAndMesh) {
  const auto levels = [](const fem::BoxMesh<2>& mesh, int order) {
    return fem::multigrid(level(mesh, order)).levels();
  };
  EXPECT_EQ(levels({{3, 3}}, 1), 1U);
  EXPECT_EQ(levels({{3, 3}}, 4), 3U);    // 4, 2, 1
  EXPECT_EQ(levels({{3, 3}}, 7), 3U);    // 7, 3, 1
  EXPECT_EQ(levels({{16, 16}}, 2), 3U);  // 2, 1, and 8 x 8 of order 1: 49 unknowns are few
  EXPECT_EQ(levels({{48, 48}}, 1), 4U);  // 48, 24, 12, 6
  EXPECT_EQ(levels({{48, 47}}, 1), 1U);
}

TEST(SpaceMultigrid, IsSymmetricAndPositive) {
  const fem::BoxMesh<2> mesh{{6, 4}};
  const auto a = level(mesh, 3);
  const auto m = fem::multigrid(a, {.coarse_rtol = 1e-12});
  const auto n = static_cast<int>(a.rows());
  const auto applied_to = [&](const std::vector<double>& x) {
    const DenseVector y("y", x.size());
    m.apply(dense_vector(x), y);
    a.exec().fence("test");
    return numbers_of(y);
  };
  for (unsigned seed = 1; seed < 5; ++seed) {
    const std::vector<double> u = random_values(n, seed);
    const std::vector<double> v = random_values(n, seed + 50);
    const double umv = dot(u, applied_to(v));
    EXPECT_NEAR(umv, dot(v, applied_to(u)), 1e-7 * std::abs(umv) + 1e-9);
    EXPECT_GT(dot(u, applied_to(u)), 0);
  }
}

TEST(SpaceMultigrid, NeedsAsManyIterationsOnEveryMesh) {
  const TwoSides two;
  std::int64_t most = 0;
  for (const index_t n : {4, 8, optimised ? 16 : 8, optimised ? 32 : 8}) {
    const fem::BoxMesh<2> mesh{{n, n}};
    const auto a = level(mesh, 2);
    const linear::AnyApplicable m(fem::multigrid(a));
    auto b = a.space().vector("b");
    fem::add_source(a.space(), Constant<double>{1}, b);
    auto x = a.space().vector("x");
    const TransferBudget budget{.host_to_device = 0, .device_to_host = 0};
    const linear::SolveResult result =
        conjugate_gradient(linear::AnyOperator(a), m, b, x, {.rtol = 1e-8});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    most = std::max(most, result.iterations);
    EXPECT_LE(result.iterations, 10) << n;
  }
  EXPECT_GT(most, 2);
}

TEST(SpaceMultigrid, TakesOperatorsOfItsLevelsFromTheUser) {
  const auto a = level({{8, 8}}, 2);
  int made = 0;
  const auto of_user = fem::multigrid(a, [&](const auto& space) {
    ++made;
    return laplace_on<2>(space);
  });
  EXPECT_EQ(made, 1);  // order 1: 49 unknowns are few
  EXPECT_EQ(of_user.levels(), fem::multigrid(a).levels());
}

// Solves -Laplace u = 1 with u = 0 on all boundaries. Returns the iterations and (f, u).
template <int Dim>
std::pair<std::int64_t, double> solved_by_multigrid(
    const fem::FunctionSpace<double, Dim, DenseExec>& space) {
  const auto a = laplace_on<Dim>(space);
  auto b = space.vector("b");
  fem::add_source(space, Constant<double>{1}, b);
  auto x = space.vector("x");
  const linear::SolveResult result = conjugate_gradient(
      linear::AnyOperator(a), linear::AnyApplicable(fem::multigrid(a)), b, x, {.rtol = 1e-10});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  return {result.iterations, dot(numbers_of(b), numbers_of(x))};
}
template <int Dim>
auto closed(const fem::Mesh<Dim>& mesh, int order) {
  std::vector<fem::DirichletCondition> all;
  for (const fem::BoundarySide& side : mesh.sides) all.emplace_back(side.attribute);
  return fem::space<double>(DenseExec{}, mesh, order, {.dirichlet = all});
}

TEST(SpaceMultigrid, OfAMeshHasALevelForEachOrderAndRefinement) {
  const auto levels = [](const fem::Mesh<2>& mesh, int order) {
    return fem::multigrid(laplace_on<2>(closed(mesh, order))).levels();
  };
  const fem::Mesh<2> coarse = fem::disc(2, 2);  // 20 elements
  EXPECT_EQ(levels(coarse, 4), 3U);
  const fem::Mesh<2> fine = fem::refined(fem::refined(fem::refined(coarse)));
  const int order = optimised ? 3 : 2;
  EXPECT_EQ(levels(fine, order), 4U);  // `order`, 1, and then 320 and 80 elements
  EXPECT_EQ(levels(fem::in_hilbert_order(fine), order), 2U);
}

TEST(SpaceMultigrid, OfARefinedBoxIsThatOfTheBox) {
  for (const int order : {1, optimised ? 3 : 2}) {
    const int refinements = optimised ? 2 : 1;
    const fem::BoxMesh<2> box{{6 << refinements, 4 << refinements}};
    const auto of_box = solved_by_multigrid<2>(fem::box_space<double>(
        DenseExec{}, box, gauss_element(order, order + 2), fem::Unmapped{}, fem::all_sides(2)));
    const fem::Mesh<2> coarse = shuffled(fem::mesh_of(fem::BoxMesh<2>{{6, 4}}), 9);
    fem::Mesh<2> fine = coarse;
    for (int i = 0; i < refinements; ++i) fine = fem::refined(fine);
    const auto of_mesh = solved_by_multigrid(closed(fine, order));
    EXPECT_NEAR(of_mesh.second, of_box.second, 1e-9 * of_box.second);
    EXPECT_LE(std::abs(of_mesh.first - of_box.first), 1) << order;
  }
}

TEST(SpaceMultigrid, NeedsAsManyIterationsOnEveryRefinement) {
  fem::Mesh<2> corner = fem::reentrant_corner<2>(2);
  fem::Mesh<3> shell = fem::spherical_shell(2, 1, 2, 0.6, 1);
  for (int i = 0; i < (optimised ? 3 : 2); ++i, corner = fem::refined(corner))
    EXPECT_LE(solved_by_multigrid(closed(corner, optimised ? 3 : 2)).first, 16) << i;
  for (int i = 0; i < (optimised ? 2 : 1); ++i, shell = fem::refined(shell))
    EXPECT_LE(solved_by_multigrid(closed(shell, 2)).first, 16) << i;
}

TEST(SpaceMultigrid, OfAMeshKnowsConditionsOfTheFinestOne) {
  fem::Mesh<2> mesh = fem::refined(fem::refined(fem::mesh_of(fem::BoxMesh<2>{{6, 6}})));
  for (fem::BoundarySide& side : mesh.sides)
    side.attribute = 17;  // which coarser meshes do not have
  mesh.boundary_names = {{"all of it", {17}}};
  const auto space = fem::space<double>(DenseExec{}, mesh, 2, {.dirichlet = {"all of it"}});
  EXPECT_EQ(fem::multigrid(laplace_on<2>(space)).levels(), 4U);  // orders 2 and 1, 12^2, 6^2
  EXPECT_LE(solved_by_multigrid(space).first, 12);
}

// Materials of 1 and 1000: wrong materials on coarser meshes would take many more iterations.
TEST(SpaceMultigrid, OfAMeshKnowsMaterialsOnCoarserOnes) {
  fem::Mesh<2> mesh = shuffled(fem::mesh_of(fem::BoxMesh<2>{{6, 6}}), 2);
  for (std::size_t e = 0; e < mesh.attributes.size(); ++e)
    mesh.attributes[e] = mesh.nodes[8 * e] > 0.45 ? 2 : 1;
  mesh = fem::refined(fem::refined(mesh));
  const auto space = closed(mesh, 2);
  const fem::Operator a(
      space, fem::Diffusion{fem::per_attribute<double>(DenseExec{}, mesh, {{1, 1.0}, {2, 1e3}})});
  auto b = space.vector("b");
  fem::add_source(space, Constant<double>{1}, b);
  auto x = space.vector("x");
  const auto m = fem::multigrid(a);
  EXPECT_EQ(m.levels(), 4U);
  const auto result = conjugate_gradient(a, m, b, x, {.rtol = 1e-10});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_LE(result.iterations, 16);
}

TEST(SpaceMultigrid, OfAMeshTakesSeveralComponents) {
  const auto space = closed(fem::refined(fem::disc(3, 2)), 3);
  const fem::Operator a(space, fem::componentwise<2>(fem::Diffusion{}));
  auto b = space.vector("b", 2);
  fem::add_source<2>(space, Constant<double>{1}, b);
  auto x = space.vector("x", 2);
  const auto result = conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-10});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  EXPECT_LE(result.iterations, 16);
}

TEST(SpaceMultigrid, SaysThatItIsForBoxesAndMeshes) {
  auto space = bent_space<2>(gauss_element(2, 4), fem::all_sides(2));
  space.coarser = nullptr;
  EXPECT_THAT(
      error_of<InvalidArgument>([&] { static_cast<void>(fem::multigrid(laplace_on<2>(space))); }),
      ::testing::HasSubstr("neither by box_space nor of a Mesh"));
}

}  // namespace
}  // namespace kolam::testing
