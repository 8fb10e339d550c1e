// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/box_function.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/memory/trace.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class Poisson : public ::testing::Test {};
TYPED_TEST_SUITE(Poisson, KokkosSpaces, ExecutionSpaceNames);

fem::PoissonOptions options_of(fem::PoissonProblem problem, int order, index_t n) {
  fem::PoissonOptions options;
  options.problem = problem;
  options.order = order;
  options.elements = {n, n, n};
  options.preconditioner = fem::Preconditioner::none;
  return options;
}

// Iterations that others found for CEED's bake-off problems.
TYPED_TEST(Poisson, TakesTheKnownIterations) {
  fem::PoissonOptions bp1 = options_of(fem::PoissonProblem::bp1, 2, 4);
  bp1.source = fem::PoissonSource::expxyz;
  const fem::PoissonSolution mass = fem::solve_poisson<double>(TypeParam{}, bp1);
  EXPECT_EQ(mass.dofs, 729);
  EXPECT_EQ(mass.elements, 64);
  EXPECT_EQ(mass.result.iterations, 77);
  EXPECT_EQ(mass.result.status, linear::SolveStatus::converged);

  fem::PoissonOptions bp3 = options_of(fem::PoissonProblem::bp3, 3, 4);
  bp3.source = fem::PoissonSource::expxyz;
  const fem::PoissonSolution laplace = fem::solve_poisson<double>(TypeParam{}, bp3);
  EXPECT_EQ(laplace.dofs, 11 * 11 * 11);
  EXPECT_EQ(laplace.result.iterations, 48);
}

TYPED_TEST(Poisson, ShowsItsVectorsToATrace) {
  const auto arrays = [](const std::string& label) {
    for (const LabelTransfers& each : transfers_by_label())
      if (each.label == label) return each.arrays;
    return std::uint64_t{0};
  };
  const std::uint64_t before = arrays("solution");
  static_cast<void>(
      fem::solve_poisson<double>(TypeParam{}, options_of(fem::PoissonProblem::bp3, 3, 2)));
  EXPECT_EQ(arrays("solution"), before + 1);
  for (const char* label : {"right-hand side", "nodal values", "cg r"})
    EXPECT_GT(arrays(label), 0U) << label;
}

// -Laplace u = 1 on the unit cube.
TYPED_TEST(Poisson, HasTheKnownIntegralAndMiddle) {
  if (!optimised) GTEST_SKIP() << "takes too long without optimisation";
  fem::PoissonOptions options = options_of(fem::PoissonProblem::poisson, 6, 4);
  options.source = fem::PoissonSource::one;
  options.preconditioner = fem::Preconditioner::pmg;
  options.solve.rtol = 1e-12;
  const fem::PoissonSolution solution = fem::solve_poisson<double>(TypeParam{}, options);
  EXPECT_NEAR(solution.integral, 0.0201685003, 2e-8);
  EXPECT_NEAR(solution.rhs_dot_solution, solution.integral, 1e-12);
  const fem::BoxFunction<3> u({{4, 4, 4}}, lobatto_element(6).nodes, solution.values());
  EXPECT_NEAR(u({0.5, 0.5, 0.5}), 0.0562128298, 1e-8);
  ASSERT_TRUE(solution.centre);
  EXPECT_NEAR(*solution.centre, u({0.5, 0.5, 0.5}), 1e-14);
  EXPECT_LE(solution.result.iterations, 12);
}

TYPED_TEST(Poisson, SolvesEveryProblemWithEveryPreconditioner) {
  for (const auto problem :
       {fem::PoissonProblem::bp1, fem::PoissonProblem::bp2, fem::PoissonProblem::bp3,
        fem::PoissonProblem::bp4, fem::PoissonProblem::bp5, fem::PoissonProblem::bp6,
        fem::PoissonProblem::poisson, fem::PoissonProblem::helmholtz}) {
    for (const int dimensions : {2, 3}) {
      std::optional<double> error;
      for (const auto preconditioner : {fem::Preconditioner::none, fem::Preconditioner::jacobi,
                                        fem::Preconditioner::chebyshev, fem::Preconditioner::pmg}) {
        const bool first = dimensions == 2 && problem == fem::PoissonProblem::bp3;
        if (!optimised && !first && preconditioner != fem::Preconditioner::pmg) continue;
        if (!optimised && dimensions == 3 && problem != fem::PoissonProblem::bp4 &&
            problem != fem::PoissonProblem::helmholtz)
          continue;
        fem::PoissonOptions options = options_of(problem, 3, 3);
        options.dimensions = dimensions;
        options.elements = {3, 2, 4};
        options.map = fem::PoissonMap::sine;
        options.preconditioner = preconditioner;
        const fem::PoissonSolution solution = fem::solve_poisson<double>(TypeParam{}, options);
        SCOPED_TRACE(std::string(name(problem)) + ", " + std::string(name(preconditioner)));
        EXPECT_EQ(solution.result.status, linear::SolveStatus::converged);
        ASSERT_TRUE(solution.l2_error && solution.h1_error);
        EXPECT_LT(*solution.l2_error, 6e-3);
        EXPECT_LT(*solution.h1_error, 0.15);
        EXPECT_NEAR(*solution.l2_error, error.value_or(*solution.l2_error), 1e-6);
        error = solution.l2_error;
        if (preconditioner == fem::Preconditioner::pmg) {
          EXPECT_LE(solution.result.iterations, 12);
        }
      }
    }
  }
}

template <class T, class Exec>
void expect_geometry_as_stored(fem::PoissonOptions options, double tolerance) {
  const fem::PoissonSolution stored = fem::solve_poisson<T>(Exec{}, options);
  for (const auto geometry : {fem::Geometry::affine, fem::Geometry::trilinear}) {
    SCOPED_TRACE(std::string(name(options.problem)) + ", " + std::string(name(geometry)));
    options.geometry = geometry;
    const fem::PoissonSolution solution = fem::solve_poisson<T>(Exec{}, options);
    EXPECT_EQ(solution.result.status, linear::SolveStatus::converged);
    EXPECT_NEAR(solution.rhs_dot_solution, stored.rhs_dot_solution,
                tolerance * std::abs(stored.rhs_dot_solution));
    EXPECT_NEAR(*solution.l2_error, *stored.l2_error, tolerance);
  }
}

TYPED_TEST(Poisson, IsTheSameWhereverGeometryComesFrom) {
  for (const auto problem :
       {fem::PoissonProblem::bp1, fem::PoissonProblem::bp2, fem::PoissonProblem::bp3,
        fem::PoissonProblem::bp4, fem::PoissonProblem::bp5, fem::PoissonProblem::bp6,
        fem::PoissonProblem::poisson, fem::PoissonProblem::helmholtz}) {
    for (const int dimensions : {2, 3}) {
      fem::PoissonOptions options = options_of(problem, 2, 4);
      options.dimensions = dimensions;
      options.elements = {4, 2, optimised ? 6 : 2};
      options.preconditioner = fem::Preconditioner::pmg;
      // (Optimised builds test all problems in 3D in SolvesEveryProblemWithEveryPreconditioner.)
      if (!optimised && dimensions == 3 && problem != fem::PoissonProblem::bp6 &&
          problem != fem::PoissonProblem::helmholtz)
        continue;
      if (optimised || dimensions == 2) {
        expect_geometry_as_stored<double, TypeParam>(options, 1e-7);
      }
      if (optimised || dimensions == 3) {
        options.solve.rtol = 1e-5;
        expect_geometry_as_stored<Single, TypeParam>(options, 1e-3);
      }
    }
  }
  fem::PoissonOptions curved = options_of(fem::PoissonProblem::poisson, 1, 4);
  curved.map = fem::PoissonMap::sine;
  curved.geometry = fem::Geometry::trilinear;
  const fem::PoissonSolution computed = fem::solve_poisson<double>(TypeParam{}, curved);
  curved.geometry = fem::Geometry::stored;
  EXPECT_NEAR(*computed.l2_error, *fem::solve_poisson<double>(TypeParam{}, curved).l2_error, 1e-9);
}

TYPED_TEST(Poisson, IsTheSameInFloat) {
  fem::PoissonOptions options = options_of(fem::PoissonProblem::helmholtz, 2, 4);
  options.preconditioner = fem::Preconditioner::pmg;
  options.solve.rtol = 1e-5;
  const fem::PoissonSolution single = fem::solve_poisson<Single>(TypeParam{}, options);
  EXPECT_EQ(single.result.status, linear::SolveStatus::converged);
  EXPECT_NEAR(*single.l2_error, *fem::solve_poisson<double>(TypeParam{}, options).l2_error, 2e-5);
}

TYPED_TEST(Poisson, GivesTheSameBitsAgainIfAsked) {
  fem::PoissonOptions options = options_of(fem::PoissonProblem::poisson, 3, optimised ? 5 : 2);
  options.deterministic = true;
  options.preconditioner = fem::Preconditioner::jacobi;
  const std::vector<double> first = fem::solve_poisson<double>(TypeParam{}, options).values();
  for (int again = 0; again < (optimised ? 3 : 1); ++again)
    EXPECT_EQ(fem::solve_poisson<double>(TypeParam{}, options).values(), first);
}

TYPED_TEST(Poisson, SolvesTheSmallestAndTheLongest) {
  // One element of order 1: all nodes are Dirichlet nodes.
  const fem::PoissonSolution none =
      fem::solve_poisson<double>(TypeParam{}, options_of(fem::PoissonProblem::bp3, 1, 1));
  EXPECT_EQ(none.dofs, 0);
  EXPECT_EQ(none.result.iterations, 0);
  const fem::PoissonSolution one =
      fem::solve_poisson<double>(TypeParam{}, options_of(fem::PoissonProblem::bp3, 2, 1));
  EXPECT_EQ(one.dofs, 1);
  EXPECT_EQ(one.result.status, linear::SolveStatus::converged);
  fem::PoissonOptions row = options_of(fem::PoissonProblem::bp1, 1, 1);
  row.elements = {1, 1, optimised ? 100'000 : 1'000};
  EXPECT_EQ(fem::solve_poisson<double>(TypeParam{}, row).result.status,
            linear::SolveStatus::converged);
  fem::PoissonOptions high = options_of(fem::PoissonProblem::poisson, optimised ? 40 : 12, 1);
  high.dimensions = 2;
  high.preconditioner = fem::Preconditioner::pmg;
  const fem::PoissonSolution highest = fem::solve_poisson<double>(TypeParam{}, high);
  EXPECT_EQ(highest.result.status, linear::SolveStatus::converged);
  EXPECT_LT(*highest.l2_error, 1e-7);
}

TEST(PoissonOptions, NameWhatIsWrong) {
  const auto error = [](auto change) {
    fem::PoissonOptions options;
    change(options);
    try {
      validate(options);
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error([](fem::PoissonOptions&) {}), "");
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
  for (const auto problem :
       {fem::PoissonProblem::bp1, fem::PoissonProblem::bp6, fem::PoissonProblem::helmholtz})
    EXPECT_EQ(fem::parse_poisson_problem(name(problem)), problem);
  EXPECT_EQ(fem::parse_poisson_map("sine"), fem::PoissonMap::sine);
  EXPECT_EQ(fem::parse_poisson_source("expxyz"), fem::PoissonSource::expxyz);
  EXPECT_EQ(fem::parse_preconditioner("pmg"), fem::Preconditioner::pmg);
  EXPECT_THROW(static_cast<void>(fem::parse_poisson_problem("bp7")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(fem::parse_poisson_map("")), InvalidArgument);
}

TEST(PoissonBytes, GrowWithTheProblem) {
  fem::PoissonOptions options;
  const auto bytes = fem::poisson_bytes(options, 8);
  // At least the memory of the data: 512 elements of 5^3 points with six numbers each.
  EXPECT_GT(bytes, 512U * 125 * 6 * 8);
  options.elements = {16, 16, 16};
  EXPECT_NEAR(static_cast<double>(fem::poisson_bytes(options, 8)) / static_cast<double>(bytes), 8,
              0.3);
}

TYPED_TEST(Poisson, OnAMeshOfABoxIsThatOfTheBox) {
  const fem::BoxMesh<2> box{{4, 3}};
  for (const auto problem : {fem::PoissonProblem::bp2, fem::PoissonProblem::bp3,
                             fem::PoissonProblem::bp5, fem::PoissonProblem::helmholtz}) {
    SCOPED_TRACE(std::string(name(problem)));
    fem::PoissonOptions options = options_of(problem, 3, 4);
    options.dimensions = 2;
    options.elements = {4, 3, 1};
    options.solve.rtol = 1e-12;
    const auto on_box = fem::solve_poisson<double>(TypeParam{}, options);
    const auto on_mesh =
        fem::solve_poisson<double>(TypeParam{}, shuffled(fem::mesh_of(box), 4), {}, options);
    EXPECT_EQ(on_mesh.dofs, on_box.dofs);
    EXPECT_EQ(on_mesh.elements, 12);
    EXPECT_NEAR(on_mesh.integral, on_box.integral, 1e-11);
    EXPECT_NEAR(on_mesh.rhs_dot_solution, on_box.rhs_dot_solution, 1e-10);
    EXPECT_NEAR(on_mesh.l2_error.value(), on_box.l2_error.value(), 1e-10);
    EXPECT_NEAR(on_mesh.h1_error.value(), on_box.h1_error.value(), 1e-10);
    EXPECT_FALSE(on_mesh.centre);
    EXPECT_EQ(on_mesh.values().size(), 10U * 13);
    EXPECT_EQ(on_mesh.coordinates().size(), 2U * 10 * 13);
  }
}

TYPED_TEST(Poisson, OnAMeshHasConditionsAndCoefficientsByAttribute) {
  // Two layers between the sides 1 (u = 0) and 2 (no flux), and f = 1: linear in 1 / c.
  fem::Mesh<2> mesh = fem::mesh_of(fem::BoxMesh<2>{{2, 1}});
  mesh.attributes = {1, 2};
  fem::PoissonOptions options = options_of(fem::PoissonProblem::poisson, 2, 1);
  options.source = fem::PoissonSource::one;
  options.preconditioner = fem::Preconditioner::pmg;
  options.solve.rtol = 1e-13;
  const auto solution = fem::solve_poisson<double>(
      TypeParam{}, mesh, {.dirichlet = {1}, .coefficients = {{1, 4.0}, {2, 0.5}}}, options);
  // q(x) = 1 - x; (f, u) is the integral of q^2 / c.
  EXPECT_NEAR(solution.rhs_dot_solution, (1 - 0.125) / 3 / 4 + 0.125 / 3 / 0.5, 1e-13);
  EXPECT_NEAR(solution.integral, solution.rhs_dot_solution, 1e-13);
}

TEST(PoissonOnAMesh, RefusesProblemsThatDoNotFit) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const auto refused = [](fem::PoissonProblem problem, const fem::PoissonMeshOptions& on_mesh,
                          fem::PoissonSource source = fem::PoissonSource::one,
                          const fem::Mesh<2>& mesh = fem::disc(1, 2)) {
    fem::PoissonOptions options = options_of(problem, 2, 1);
    options.source = source;
    return error_of<InvalidArgument>(
        [&] { static_cast<void>(fem::solve_poisson<double>(Exec{}, mesh, on_mesh, options)); });
  };
  using enum fem::PoissonProblem;
  EXPECT_THAT(refused(bp1, {.dirichlet = {1}}), HasSubstr("Dirichlet conditions for bp1"));
  EXPECT_THAT(refused(helmholtz, {.coefficients = {{1, 2.0}}}),
              HasSubstr("coefficients for helmholtz"));
  EXPECT_THAT(refused(poisson, {.dirichlet = {9}}), HasSubstr("no boundary attribute 9"));
  EXPECT_THAT(refused(poisson, {.coefficients = {{1, 2.0}}}, fem::PoissonSource::manufactured),
              HasSubstr("coefficients with a manufactured solution"));
  EXPECT_THAT(refused(poisson, {.dirichlet = {1}}, fem::PoissonSource::manufactured),
              HasSubstr("known on all of the boundary"));
  auto bare = fem::disc(1, 2);
  bare.sides.clear();
  EXPECT_THAT(refused(poisson, {}, fem::PoissonSource::one, bare),
              HasSubstr("without boundary attributes"));
  fem::PoissonOptions options = options_of(poisson, 2, 1);
  options.map = fem::PoissonMap::sine;
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                static_cast<void>(fem::solve_poisson<double>(Exec{}, fem::disc(1, 2), {}, options));
              }),
              HasSubstr("map sine on a mesh"));
}

}  // namespace
}  // namespace kolam::testing
