// SPDX-License-Identifier: Apache-2.0
// Several processes: tests/mpi/mesh_parts_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/fem/boomer_amg.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

class BoomerAmgTest : public ::testing::Test {
  void SetUp() override {
    if (!fem::has_boomer_amg()) GTEST_SKIP() << "this build has no hypre";
  }
};

// Order 1 on elements of two materials, the second `contrast` times as conductive.
template <class T, class Exec>
fem::Operator<T, 2, Exec> two_materials(const Exec& exec, int refinements, double contrast) {
  fem::Mesh<2> mesh = shuffled(fem::reentrant_corner<2>(3), 1);
  for (std::size_t e = 0; e < mesh.attributes.size(); ++e) mesh.attributes[e] = e % 2 == 0 ? 1 : 2;
  for (int i = 0; i < refinements; ++i) mesh = fem::refined(mesh);
  mesh.coarser.reset();  // (so that order 1 is the coarsest level)
  const auto space = fem::space<T>(exec, mesh, 1, {.dirichlet = {1}});
  return fem::Operator(
      space, fem::Diffusion{fem::per_attribute<double>(exec, mesh, {{1, 1.0}, {2, contrast}})});
}

TEST_F(BoomerAmgTest, IsSymmetricAndPositive) {
  const auto a = two_materials<double>(DenseExec{}, 3, 100);
  for (const int cycles : {1, 2}) {
    const fem::BoomerAmg m(a, {.cycles = cycles});
    const auto n = static_cast<int>(a.rows());
    const auto applied_to = [&](const std::vector<double>& x) {
      const DenseVector y("y", x.size());
      m.apply(dense_vector(x), y);
      return numbers_of(y);
    };
    for (unsigned seed = 1; seed < 5; ++seed) {
      const std::vector<double> u = random_values(n, seed);
      const std::vector<double> v = random_values(n, seed + 50);
      const double umv = dot(u, applied_to(v));
      EXPECT_NEAR(umv, dot(v, applied_to(u)), 1e-9 * dot(u, applied_to(u)));
      EXPECT_GT(dot(u, applied_to(u)), 0);
    }
  }
}

template <class Exec>
class BoomerAmgOn : public ::testing::Test {};
TYPED_TEST_SUITE(BoomerAmgOn, KokkosSpaces, ExecutionSpaceNames);

// The number of iterations hardly grows with the mesh, whatever the materials.
TYPED_TEST(BoomerAmgOn, NeedsAsManyIterationsOnEveryMesh) {
  if (!fem::has_boomer_amg()) GTEST_SKIP() << "this build has no hypre";
  const auto iterations = [&]<class T>(T, int refinements, double contrast) {
    const auto a = two_materials<T>(TypeParam{}, refinements, contrast);
    auto b = a.space().vector("b");
    fem::add_source(a.space(), Constant<double>{1}, b);
    auto x = a.space().vector("x");
    const auto result =
        conjugate_gradient(linear::AnyOperator(a), linear::AnyApplicable(fem::BoomerAmg(a)), b, x,
                           {.rtol = std::is_same_v<T, float> ? 1e-4 : 1e-8});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    return result.iterations;
  };
  EXPECT_LE(iterations(1.0, 2, 1), 8);
  EXPECT_LE(iterations(1.0, 4, 1), 10);
  EXPECT_LE(iterations(1.0, 4, 1000), 12);
  EXPECT_LE(iterations(Single{1}, 3, 1000), 8);
}

TEST_F(BoomerAmgTest, SolvesElasticityWithSupportsAlongAnAxis) {
  fem::Mesh<3> beam = fem::mesh_of(fem::BoxMesh<3>{{12, 3, 3}, {}, {4, 1, 1}});
  const DenseExec exec;
  const auto space = fem::space<double>(exec, beam, 1, {.dirichlet = {{1}, {2, "y"}}});
  const fem::Operator a(space, fem::Elasticity{});
  auto b = space.vector("b", 3);
  fem::add_source<3>(space, Constant<double>{1}, b);
  const auto solved = [&](const auto& m) {
    auto x = space.vector("x", 3);
    const auto result = conjugate_gradient(linear::AnyOperator(a), m, b, x, {.rtol = 1e-10});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    return std::pair(result.iterations, numbers_of(x.read(exec)));
  };
  const auto [by_amg, x] = solved(linear::AnyApplicable(fem::BoomerAmg(a)));
  const auto [by_diagonal, expected] =
      solved(linear::AnyApplicable(linear::Jacobi(linear::AnyOperator(a))));
  EXPECT_LT(2 * by_amg, by_diagonal);
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-6);
}

TEST_F(BoomerAmgTest, SolvesTheCoarsestLevelOfMultigrid) {
  const auto mesh = shuffled(fem::disc(8, 2), 2);
  const auto space = fem::space<double>(DenseExec{}, mesh, 3, {.dirichlet = {1}});
  const fem::Operator a(space, fem::Diffusion{});
  auto b = space.vector("b");
  fem::add_source(space, Constant<double>{1}, b);
  const auto iterations = [&](fem::CoarseSolver coarse) {
    auto x = space.vector("x");
    const auto result = conjugate_gradient(linear::AnyOperator(a),
                                           linear::AnyApplicable(fem::multigrid(a, {}, coarse)), b,
                                           x, {.rtol = 1e-8});
    EXPECT_EQ(result.status, linear::SolveStatus::converged);
    EXPECT_NEAR(dot(numbers_of(b.read(DenseExec{})), numbers_of(x.read(DenseExec{}))),
                3.14159265358979 / 8, 1e-4);
    return result.iterations;
  };
  EXPECT_LE(iterations(fem::CoarseSolver::boomeramg), 2 + iterations(fem::CoarseSolver::cg));
}

TEST(BoomerAmg, SaysHowToGetHypre) {
  if (fem::has_boomer_amg()) GTEST_SKIP() << "this build has hypre";
  const auto a = two_materials<double>(DenseExec{}, 0, 1);
  EXPECT_THAT(error_of<InvalidArgument>([&] { const fem::BoomerAmg m(a); }),
              HasSubstr("apt-get install libhypre-dev"));
}

}  // namespace
}  // namespace kolam::testing
