// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/fem/multigrid.hpp>
#include <kolam/linear/detail/compiled_solvers.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/matchers.hpp>
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
  const auto m = fem::multigrid(a);
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
  for (const index_t n : {4, 8, 16, 32}) {
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

TEST(SpaceMultigrid, SaysThatItIsForBoxes) {
  auto space = bent_space<2>(gauss_element(2, 4), fem::all_sides(2));
  space.box = nullptr;
  EXPECT_THAT(
      error_of<InvalidArgument>([&] { static_cast<void>(fem::multigrid(laplace_on<2>(space))); }),
      ::testing::HasSubstr("was not made by box_space"));
}

}  // namespace
}  // namespace kolam::testing
