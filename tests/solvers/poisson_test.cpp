// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/kernels/element_basis.hpp>
#include <kolam/solvers/lattice_function.hpp>
#include <kolam/solvers/poisson.hpp>
#include <kolam/testing/backends.hpp>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class Poisson : public ::testing::Test {};
TYPED_TEST_SUITE(Poisson, KokkosSpaces, ExecutionSpaceNames);

PoissonOptions options_of(PoissonProblem problem, int order, index_t n) {
  PoissonOptions options;
  options.problem = problem;
  options.order = order;
  options.elements = {n, n, n};
  options.preconditioner = PoissonPreconditioner::none;
  return options;
}

// Numbers that others found for CEED's bake-off problems.
TYPED_TEST(Poisson, TakesTheKnownIterations) {
  PoissonOptions bp1 = options_of(PoissonProblem::bp1, 2, 4);
  bp1.source = PoissonSource::expxyz;
  const PoissonSolution mass = solve_poisson<double>(TypeParam{}, bp1);
  EXPECT_EQ(mass.dofs, 729);
  EXPECT_EQ(mass.elements, 64);
  EXPECT_EQ(mass.result.iterations, 77);
  EXPECT_EQ(mass.result.status, SolveStatus::converged);

  PoissonOptions bp3 = options_of(PoissonProblem::bp3, 3, 4);
  bp3.source = PoissonSource::expxyz;
  const PoissonSolution laplace = solve_poisson<double>(TypeParam{}, bp3);
  EXPECT_EQ(laplace.dofs, 11 * 11 * 11);
  EXPECT_EQ(laplace.result.iterations, 48);
}

// -Laplace u = 1 on the unit cube.
TYPED_TEST(Poisson, HasTheKnownIntegralAndMiddle) {
  if (!optimised) GTEST_SKIP() << "takes too long without optimisation";
  PoissonOptions options = options_of(PoissonProblem::poisson, 6, 4);
  options.source = PoissonSource::one;
  options.preconditioner = PoissonPreconditioner::pmg;
  options.solve.rtol = 1e-12;
  const PoissonSolution solution = solve_poisson<double>(TypeParam{}, options);
  EXPECT_NEAR(solution.integral, 0.0201685003, 2e-8);
  EXPECT_NEAR(solution.rhs_dot_solution, solution.integral, 1e-12);
  const LatticeFunction<3> u({{4, 4, 4}}, lobatto_element(6).nodes, solution.values());
  EXPECT_NEAR(u({0.5, 0.5, 0.5}), 0.0562128298, 1e-8);
  EXPECT_NEAR(solution.centre, u({0.5, 0.5, 0.5}), 1e-14);
  EXPECT_LE(solution.result.iterations, 12);
}

TYPED_TEST(Poisson, SolvesEveryProblemWithEveryPreconditioner) {
  for (const auto problem : {PoissonProblem::bp1, PoissonProblem::bp2, PoissonProblem::bp3,
                             PoissonProblem::bp4, PoissonProblem::bp5, PoissonProblem::bp6,
                             PoissonProblem::poisson, PoissonProblem::helmholtz}) {
    for (const int dimensions : {2, 3}) {
      std::optional<double> error;
      for (const auto preconditioner :
           {PoissonPreconditioner::none, PoissonPreconditioner::jacobi,
            PoissonPreconditioner::chebyshev, PoissonPreconditioner::pmg}) {
        if (!optimised && dimensions == 3 && preconditioner != PoissonPreconditioner::pmg) continue;
        PoissonOptions options = options_of(problem, 3, 3);
        options.dimensions = dimensions;
        options.elements = {3, 2, 4};
        options.map = PoissonMap::sine;
        options.preconditioner = preconditioner;
        const PoissonSolution solution = solve_poisson<double>(TypeParam{}, options);
        SCOPED_TRACE(std::string(name(problem)) + ", " + std::string(name(preconditioner)));
        EXPECT_EQ(solution.result.status, SolveStatus::converged);
        ASSERT_TRUE(solution.l2_error && solution.h1_error);
        EXPECT_LT(*solution.l2_error, 6e-3);
        EXPECT_LT(*solution.h1_error, 0.15);
        EXPECT_NEAR(*solution.l2_error, error.value_or(*solution.l2_error), 1e-6);
        error = solution.l2_error;
        if (preconditioner == PoissonPreconditioner::pmg) {
          EXPECT_LE(solution.result.iterations, 12);
        }
      }
    }
  }
}

template <class T, class Exec>
void expect_geometry_as_stored(PoissonOptions options, double tolerance) {
  const PoissonSolution stored = solve_poisson<T>(Exec{}, options);
  for (const auto geometry : {PoissonGeometry::affine, PoissonGeometry::trilinear}) {
    SCOPED_TRACE(std::string(name(options.problem)) + ", " + std::string(name(geometry)));
    options.geometry = geometry;
    const PoissonSolution solution = solve_poisson<T>(Exec{}, options);
    EXPECT_EQ(solution.result.status, SolveStatus::converged);
    EXPECT_NEAR(solution.rhs_dot_solution, stored.rhs_dot_solution,
                tolerance * std::abs(stored.rhs_dot_solution));
    EXPECT_NEAR(*solution.l2_error, *stored.l2_error, tolerance);
  }
}

TYPED_TEST(Poisson, IsTheSameWhereverGeometryComesFrom) {
  for (const auto problem : {PoissonProblem::bp1, PoissonProblem::bp2, PoissonProblem::bp3,
                             PoissonProblem::bp4, PoissonProblem::bp5, PoissonProblem::bp6,
                             PoissonProblem::poisson, PoissonProblem::helmholtz}) {
    for (const int dimensions : {2, 3}) {
      PoissonOptions options = options_of(problem, 2, 4);
      options.dimensions = dimensions;
      options.elements = {4, 2, 6};
      options.preconditioner = PoissonPreconditioner::pmg;
      if (optimised || dimensions == 2) {
        expect_geometry_as_stored<double, TypeParam>(options, 1e-7);
      }
      if (optimised || dimensions == 3) {
        options.solve.rtol = 1e-5;
        expect_geometry_as_stored<float, TypeParam>(options, 1e-3);
      }
    }
  }
  PoissonOptions curved = options_of(PoissonProblem::poisson, 1, 4);
  curved.map = PoissonMap::sine;
  curved.geometry = PoissonGeometry::trilinear;
  const PoissonSolution computed = solve_poisson<double>(TypeParam{}, curved);
  curved.geometry = PoissonGeometry::stored;
  EXPECT_NEAR(*computed.l2_error, *solve_poisson<double>(TypeParam{}, curved).l2_error, 1e-9);
}

TYPED_TEST(Poisson, IsTheSameInFloat) {
  PoissonOptions options = options_of(PoissonProblem::helmholtz, 2, 4);
  options.preconditioner = PoissonPreconditioner::pmg;
  options.solve.rtol = 1e-5;
  const PoissonSolution single = solve_poisson<float>(TypeParam{}, options);
  EXPECT_EQ(single.result.status, SolveStatus::converged);
  EXPECT_NEAR(*single.l2_error, *solve_poisson<double>(TypeParam{}, options).l2_error, 2e-5);
}

TYPED_TEST(Poisson, GivesTheSameBitsAgainIfAsked) {
  PoissonOptions options = options_of(PoissonProblem::poisson, 3, 5);
  options.deterministic = true;
  options.preconditioner = PoissonPreconditioner::jacobi;
  const std::vector<double> first = solve_poisson<double>(TypeParam{}, options).values();
  for (int again = 0; again < (optimised ? 3 : 1); ++again)
    EXPECT_EQ(solve_poisson<double>(TypeParam{}, options).values(), first);
}

TYPED_TEST(Poisson, SolvesTheSmallestAndTheLongest) {
  // One element of order 1: no unknown is left by the sides.
  const PoissonSolution none =
      solve_poisson<double>(TypeParam{}, options_of(PoissonProblem::bp3, 1, 1));
  EXPECT_EQ(none.dofs, 0);
  EXPECT_EQ(none.result.iterations, 0);
  const PoissonSolution one =
      solve_poisson<double>(TypeParam{}, options_of(PoissonProblem::bp3, 2, 1));
  EXPECT_EQ(one.dofs, 1);
  EXPECT_EQ(one.result.status, SolveStatus::converged);
  PoissonOptions row = options_of(PoissonProblem::bp1, 1, 1);
  row.elements = {1, 1, optimised ? 100'000 : 1'000};
  EXPECT_EQ(solve_poisson<double>(TypeParam{}, row).result.status, SolveStatus::converged);
  PoissonOptions high = options_of(PoissonProblem::poisson, optimised ? 40 : 12, 1);
  high.dimensions = 2;
  high.preconditioner = PoissonPreconditioner::pmg;
  const PoissonSolution highest = solve_poisson<double>(TypeParam{}, high);
  EXPECT_EQ(highest.result.status, SolveStatus::converged);
  EXPECT_LT(*highest.l2_error, 1e-7);
}

TEST(PoissonOptions, NameWhatIsWrong) {
  const auto error = [](auto change) {
    PoissonOptions options;
    change(options);
    try {
      validate(options);
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error([](PoissonOptions&) {}), "");
  EXPECT_THAT(error([](auto& o) { o.dimensions = 1; }), HasSubstr("dim is 1"));
  EXPECT_THAT(error([](auto& o) { o.order = 0; }), HasSubstr("order is 0; it must be 1 to 40"));
  EXPECT_THAT(error([](auto& o) { o.order = 41; }), HasSubstr("order is 41"));
  EXPECT_THAT(error([](auto& o) { o.elements[1] = 0; }), HasSubstr("ny is 0"));
  EXPECT_THAT(error([](auto& o) { o.elements = {1000, 1000, 1000}; }), HasSubstr("nodes"));
  EXPECT_THAT(error([](auto& o) { o.solve.rtol = -1; }), HasSubstr("rtol is -1"));
  EXPECT_EQ(error([](auto& o) {
              o.dimensions = 2;
              o.elements[2] = 0;
            }),
            "");
}

TEST(PoissonNames, AreReadBack) {
  for (const auto problem : {PoissonProblem::bp1, PoissonProblem::bp6, PoissonProblem::helmholtz})
    EXPECT_EQ(parse_poisson_problem(name(problem)), problem);
  EXPECT_EQ(parse_poisson_map("sine"), PoissonMap::sine);
  EXPECT_EQ(parse_poisson_source("expxyz"), PoissonSource::expxyz);
  EXPECT_EQ(parse_poisson_preconditioner("pmg"), PoissonPreconditioner::pmg);
  EXPECT_THROW(static_cast<void>(parse_poisson_problem("bp7")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(parse_poisson_map("")), InvalidArgument);
}

TEST(PoissonBytes, GrowWithTheProblem) {
  PoissonOptions options;
  const auto bytes = poisson_bytes(options, 8);
  // At least what data, coordinates and five vectors take: 10^3 points and 4^3 nodes an element.
  EXPECT_GT(bytes, 512U * 125 * 6 * 8);
  options.elements = {16, 16, 16};
  EXPECT_NEAR(static_cast<double>(poisson_bytes(options, 8)) / static_cast<double>(bytes), 8, 0.3);
}

}  // namespace
}  // namespace kolam::testing
