// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <kolam/core/error.hpp>
#include <kolam/grid/heat.hpp>
#include <kolam/testing/backends.hpp>
#include <numeric>
#include <vector>

namespace kolam::testing {
namespace {

using grid::HeatOptions;
using grid::HeatRegion;
using grid::HeatSolver;
using grid::StencilStatus;
using grid::TimeScheme;
using ::testing::HasSubstr;

template <class Exec>
class Heat : public ::testing::Test {};
TYPED_TEST_SUITE(Heat, KokkosSpaces, ExecutionSpaceNames);

HeatOptions small_problem(index_t cells) {
  HeatOptions options;
  options.nx = options.ny = cells;
  options.niter = 1;
  return options;
}

// The sum in TeaLeaf's table of answers for its deck of 64 x 64 cells.
TYPED_TEST(Heat, AgreesWithTheTableOfTeaLeaf) {
  for (const auto solver :
       {HeatSolver::cg, HeatSolver::chebyshev, HeatSolver::ppcg, HeatSolver::multigrid}) {
    HeatOptions options = small_problem(64);
    options.solver = solver;
    const grid::HeatSolution solution = grid::solve_heat(TypeParam{}, options);
    EXPECT_EQ(solution.status, StencilStatus::completed);
    EXPECT_NEAR(solution.temperature, 1.084697720003111e+02, 1e-8 * 1.08e2) << name(solver);
    EXPECT_NEAR(solution.volume, 100, 1e-10);
    EXPECT_GT(solution.solver_iterations, 0);
    EXPECT_GT(solution.t_eff_gbs, 0);
    EXPECT_EQ(solution.time, 0.004);
    EXPECT_EQ(solution.decomposition, "1x1");
    EXPECT_EQ(solution.transport, "none needed");
  }
}

// No heat flows through the sides.
TYPED_TEST(Heat, IsKept) {
  HeatOptions options = small_problem(33);
  options.ny = 20;
  options.niter = 3;
  for (const auto scheme : {TimeScheme::backward_euler, TimeScheme::crank_nicolson}) {
    for (const auto k : {grid::Conductivity::inverse_density, grid::Conductivity::density}) {
      options.scheme = scheme;
      options.conductivity = k;
      HeatOptions none = options;
      none.niter = 0;
      const double before = grid::solve_heat(TypeParam{}, none).energy;
      const grid::HeatSolution after = grid::solve_heat(TypeParam{}, options);
      EXPECT_NEAR(after.energy, before, 1e-8 * before);
      EXPECT_EQ(after.norm_history.size(), 3U);
      EXPECT_GT(after.norm_history.front().norm, after.norm_history.back().norm);
    }
  }
}

// A solid whose layers are equal behaves like the plane.
TYPED_TEST(Heat, OfASolidOfEqualLayersIsThatOfThePlane) {
  HeatOptions options = small_problem(16);
  options.tolerance.rtol = 1e-12;
  options.niter = 2;
  const std::vector<double> plane = grid::solve_heat(TypeParam{}, options).field();
  options.nz = 5;
  for (const auto solver : {HeatSolver::cg, HeatSolver::multigrid}) {
    options.solver = solver;
    const std::vector<double> solid = grid::solve_heat(TypeParam{}, options).field();
    ASSERT_EQ(solid.size(), 5 * plane.size());
    for (std::size_t i = 0; i < solid.size(); ++i)
      ASSERT_NEAR(solid[i], plane[i % plane.size()], 1e-9) << i;
  }
}

// With half the time step, the error is a half (backward Euler) or a quarter (Crank-Nicolson).
TYPED_TEST(Heat, SchemesHaveTheirOrder) {
  HeatOptions options = small_problem(8);
  options.regions = {{HeatRegion::Shape::all, {}, {}, 0, 1, 0},
                     {HeatRegion::Shape::box, {0, 0}, {5, 5}, 0, 1, 1}};
  options.solver = HeatSolver::cg;  // (for 64 unknowns: multigrid takes minutes on a GPU)
  options.tolerance.rtol = 1e-13;
  const auto after = [&](TimeScheme scheme, int steps) {
    options.scheme = scheme;
    options.niter = steps;
    options.dt = 0.8 / steps;
    return grid::solve_heat(TypeParam{}, options).field();
  };
  const std::vector<double> exact = after(TimeScheme::crank_nicolson, 512);
  for (const auto scheme : {TimeScheme::backward_euler, TimeScheme::crank_nicolson}) {
    double errors[2] = {};
    for (const int half : {0, 1}) {
      const std::vector<double> u = after(scheme, half == 0 ? 8 : 16);
      for (std::size_t i = 0; i < u.size(); ++i)
        errors[half] = std::max(errors[half], std::abs(u[i] - exact[i]));
    }
    const double expected = scheme == TimeScheme::backward_euler ? 2 : 4;
    EXPECT_NEAR(errors[0] / errors[1], expected, 0.15 * expected) << name(scheme);
  }
}

TYPED_TEST(Heat, GoesOnWhereItWas) {
  HeatOptions options = small_problem(24);
  options.niter = 6;
  const grid::HeatSolution whole = grid::solve_heat(TypeParam{}, options);
  const grid::HeatSolution parts = grid::solve_heat<TypeParam>(
      TypeParam{}, options, [](grid::SteppedField<double>& field, const grid::StencilRun& run) {
        grid::StencilRun first = run;
        first.niter = 2;
        const grid::StencilResult begun = field.run(first);
        // The values that a checkpoint would restore.
        const grid::HostField<double> saved = field.on_host();
        first.niter = 4;
        static_cast<void>(field.run(first));
        field.load([&](const Box<3>& box, double* to, const comm::Pitches<3>& pitches) {
          EXPECT_EQ(pitches, saved.blocks[0].pitches);
          EXPECT_EQ(box[1].end, 24);
          std::copy_n(saved.blocks[0].data, 24 * 24, to);
        });
        grid::StencilRun rest = run;
        rest.first_step = 2;
        grid::StencilResult ended = field.run(rest);
        ended.norm_history.insert(ended.norm_history.begin(), begun.norm_history.begin(),
                                  begun.norm_history.end());
        return ended;
      });
  const std::vector<double> field = whole.field();
  EXPECT_EQ(field, parts.field());
  EXPECT_EQ(whole.final_max, *std::max_element(field.begin(), field.end()));
  ASSERT_EQ(parts.norm_history.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(parts.norm_history[i].norm, whole.norm_history[i].norm);
}

// A step that was not solved changes nothing.
TYPED_TEST(Heat, StopsAtAStepThatIsNotSolved) {
  HeatOptions options = small_problem(32);
  options.niter = 0;
  const std::vector<double> start = grid::solve_heat(TypeParam{}, options).field();
  options.niter = 4;
  options.solver = HeatSolver::cg;
  options.tolerance.max_iterations = 2;
  for (const auto scheme : {TimeScheme::backward_euler, TimeScheme::crank_nicolson}) {
    options.scheme = scheme;
    const grid::HeatSolution solution = grid::solve_heat(TypeParam{}, options);
    EXPECT_EQ(solution.status, StencilStatus::unsolved);
    EXPECT_EQ(solution.solve_status, linear::SolveStatus::iteration_limit);
    EXPECT_EQ(solution.iterations, 0);
    EXPECT_EQ(solution.field(), start);
  }
}

TYPED_TEST(Heat, EndsWhereAStepChangesLittle) {
  HeatOptions options = small_problem(8);
  options.dt = 1000;
  options.niter = 50;
  options.tol = 1e-3;
  const grid::HeatSolution solution = grid::solve_heat(TypeParam{}, options);
  EXPECT_EQ(solution.status, StencilStatus::converged);
  EXPECT_LT(solution.iterations, 50);
  EXPECT_LE(solution.norm_history.back().norm, 1e-3);
}

// Shows which of 10 x 10 cells belong to a region; the other cells have density 1.
std::vector<double> cells_of(const HeatRegion& region) {
  HeatOptions options = small_problem(10);
  options.niter = 0;
  options.regions = {{HeatRegion::Shape::all, {}, {}, 0, 1, 0}, region};
  return grid::solve_heat(Kokkos::DefaultExecutionSpace{}, options).field();
}

TEST(HeatRegion, HasTheCellsOfItsShape) {
  using enum HeatRegion::Shape;
  const auto expect = [](const HeatRegion& region, const std::function<bool(int, int)>& has) {
    const std::vector<double> cells = cells_of(region);
    for (int j = 0; j < 10; ++j)
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(cells[static_cast<std::size_t>(10 * j + i)], has(i, j) ? 6 : 0) << i << ' ' << j;
  };
  expect({all, {}, {}, 0, 2, 3}, [](int, int) { return true; });
  expect({box, {1, 2}, {3, 4}, 0, 2, 3},
         [](int i, int j) { return i >= 1 && i < 3 && j >= 2 && j < 4; });
  // An overlap of a hundredth of a cell does not count; a larger one includes the cell.
  expect({box, {1.995, 2.98}, {3.005, 4.02}, 0, 2, 3},
         [](int i, int j) { return i >= 2 && i < 3 && j >= 2 && j < 5; });
  expect({ball, {5, 5}, {}, 2, 2, 3},
         [](int i, int j) { return (i - 4.5) * (i - 4.5) + (j - 4.5) * (j - 4.5) <= 4; });
  expect({point, {7, 3.9}, {}, 0, 2, 3}, [](int i, int j) { return i == 7 && j == 3; });
}

TEST(HeatOptions, AreRefusedByName) {
  const auto refuses = [](const std::function<void(HeatOptions&)>& change, const char* text) {
    HeatOptions options;
    change(options);
    try {
      validate(options);
      FAIL() << text;
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  };
  refuses([](HeatOptions& o) { o.nx = 0; }, "nx is 0");
  refuses([](HeatOptions& o) { o.nz = -1; }, "nz is -1");
  refuses([](HeatOptions& o) { o.dt = 0; }, "dt is 0");
  refuses([](HeatOptions& o) { o.dt = std::nan(""); }, "dt is nan");
  refuses([](HeatOptions& o) { o.inner_steps = 0; }, "inner_steps is 0");
  refuses([](HeatOptions& o) { o.subdomains = 2; }, "one in each process");
  refuses([](HeatOptions& o) { o.steps_per_pass = 2; }, "taken one by one");
  refuses([](HeatOptions& o) { o.to[1] = 0; }, "along y");
  refuses([](HeatOptions& o) { o.tolerance.rtol = -1; }, "rtol is -1");
  refuses([](HeatOptions& o) { o.regions.clear(); }, "not of all cells");
  refuses([](HeatOptions& o) { o.regions[0].shape = HeatRegion::Shape::box; }, "not of all cells");
  refuses([](HeatOptions& o) { o.regions[1].density = -0.1; }, "density is -0.1");
  refuses([](HeatOptions& o) { o.regions[2].energy = std::nan(""); }, "energy nan");
  EXPECT_THROW(static_cast<void>(grid::parse_heat_solver("jacobi")), InvalidArgument);
}

}  // namespace
}  // namespace kolam::testing
