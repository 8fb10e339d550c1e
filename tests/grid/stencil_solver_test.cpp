// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/trace.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/two_sides.hpp>
#include <string>
#include <vector>

#include "solver_cases.hpp"

namespace kolam::stencil_solver_test {

using namespace solver_cases;
using ::testing::HasSubstr;

template <class Exec>
class Stencils : public ::testing::Test {};
TYPED_TEST_SUITE(Stencils, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

// However the steps are made, the field and the norms are those of the step that met the tolerance.
template <class Exec>
void expect_stop_at_tolerance(const Case<2>& c, int at) {
  SCOPED_TRACE(to_text(c));
  const comm::Decomposition<2> decomposition(c.extents, c.parts, c.periodic);
  const auto solver = [&] {
    grid::StencilSolver<LaplaceStencil, double, Exec> result(
        testing::instances_for<Exec>(decomposition.subdomains()), LaplaceStencil{}, decomposition,
        {.steps_per_pass = c.steps_per_pass});
    result.initialise(Values<2>{});
    return result;
  };
  auto all = solver();
  const grid::StencilResult expected = all.run({.niter = at + 1});
  auto stopped = solver();
  const double tol = expected.norm_history.back().norm * (1 + 1e-12);
  const grid::StencilResult result = stopped.run({.niter = 100, .tol = tol});
  EXPECT_EQ(result.status, grid::StencilStatus::converged);
  EXPECT_EQ(result.iterations, at + 1);
  EXPECT_EQ(result.norm_history.size(), static_cast<std::size_t>(at) + 1);
  EXPECT_EQ(stopped.gather(), all.gather());
}

TYPED_TEST(Stencils, StopAtTheStepThatMeetsTheTolerance) {
  for (const int at : {3, 4, 7, 8}) {
    expect_stop_at_tolerance<TypeParam>({{12, 16}, {1, 1}, {false, true}, 1}, at);
    if (is_slow<TypeParam>) continue;
    expect_stop_at_tolerance<TypeParam>({{12, 16}, {2, 2}, {false, true}, 1}, at);
    expect_stop_at_tolerance<TypeParam>({{12, 16}, {1, 1}, {false, true}, 4}, at);
    expect_stop_at_tolerance<TypeParam>({{12, 16}, {1, 2}, {false, true}, 4}, at);
  }
}

TYPED_TEST(Stencils, TakeNormsEveryNccheckStepsOnly) {
  for (const int steps_per_pass : {1, 4}) {
    grid::StencilSolver<LaplaceStencil, float, TypeParam> solver(
        testing::instances_for<TypeParam>(2), LaplaceStencil{},
        comm::Decomposition<2>({9, 16}, {1, 2}), {.steps_per_pass = steps_per_pass});
    solver.initialise(Values<2>{});
    const grid::StencilResult result = solver.run({.niter = 14, .nccheck = 3});
    std::vector<std::int64_t> iterations;
    for (const grid::NormRecord& record : result.norm_history)
      iterations.push_back(record.iteration);
    EXPECT_EQ(iterations, (std::vector<std::int64_t>{0, 3, 6, 9, 12})) << steps_per_pass;
  }
}

// Grows so fast that the squares of one step, and of no step before it, overflow a double.
struct Growing {
  static constexpr int dimensions = 2;
  static constexpr double factor = 0x1p100;
  template <class U>
  KOKKOS_FUNCTION typename U::value_type operator()(const U& u) const {
    return factor * u.center();
  }
};

struct Constant {
  double value;
  KOKKOS_FUNCTION double operator()(const grid::GridPoint<2>&) const { return value; }
};

TYPED_TEST(Stencils, SayAtWhichStepTheFieldIsNotFinite) {
  for (const int steps_per_pass : {1, 4}) {
    for (const int at : {0, 3, 5}) {
      if (is_slow<TypeParam> && !testing::optimised && at != 3) continue;
      SCOPED_TRACE(std::to_string(steps_per_pass) + " fused steps, step " + std::to_string(at));
      grid::StencilSolver<Growing, double, TypeParam> solver(
          testing::instances_for<TypeParam>(2), Growing{}, comm::Decomposition<2>({12, 16}, {1, 2}),
          {.steps_per_pass = steps_per_pass});
      // Step 0 changes values by 2^100 times the start, step `at` by 2^513.
      solver.initialise(Constant{std::ldexp(1.0, 513 - 100 * (at + 1))});
      const grid::StencilResult result = solver.run({.niter = 40});
      EXPECT_EQ(result.status, grid::StencilStatus::not_finite);
      ASSERT_EQ(result.norm_history.size(), static_cast<std::size_t>(at) + 1);
      EXPECT_EQ(result.norm_history.back().iteration, at);
      EXPECT_FALSE(std::isfinite(result.norm_history.back().norm));
    }
  }
}

TYPED_TEST(Stencils, GoOnWhereARunHasEnded) {
  const auto field = [](std::vector<int> runs) {
    grid::StencilSolver<LaplaceStencil, double, TypeParam> solver(
        testing::instances_for<TypeParam>(2), LaplaceStencil{},
        comm::Decomposition<2>({12, 16}, {1, 2}, {false, true}), {.steps_per_pass = 2});
    solver.initialise(Values<2>{});
    for (const int niter : runs) static_cast<void>(solver.run({.niter = niter}));
    return solver.gather();
  };
  EXPECT_EQ(field({3, 4, 0}), field({7}));
}

// Neither the fields nor the steps move data between host and device.
TYPED_TEST(Stencils, MoveNothingBetweenHostAndDevice) {
  const testing::TwoSides two;
  for (const int steps_per_pass : {1, 4}) {
    for (const comm::Transport transport : {comm::Transport::automatic, comm::Transport::staged}) {
      if (std::is_same_v<TypeParam, HostTeams> && steps_per_pass > 1) continue;
      // (Staged halos are copied through the host.)
      const bool by_host = transport == comm::Transport::staged;
      grid::StencilSolver<LaplaceStencil, double, TypeParam> solver(
          testing::instances_for<TypeParam>(2), LaplaceStencil{},
          comm::Decomposition<2>({12, 16}, {1, 2}, {false, true}),
          {.steps_per_pass = steps_per_pass, .transport = transport});
      solver.initialise(Values<2>{});
      static_cast<void>(solver.run({.niter = 2}));
      const auto none = by_host ? TransferBudget::unlimited : 0;
      {
        const TransferBudget budget{.host_to_device = none, .device_to_host = none};
        EXPECT_EQ(solver.run({.niter = 12}).iterations, 12);
      }
      const std::vector<double> values = solver.gather();
      {
        const TransferBudget budget{.host_to_device = none, .device_to_host = none};
        EXPECT_EQ(solver.gather(), values) << "the host has them already";
        static_cast<void>(solver.run({.niter = 24, .first_step = 12}));
      }
      EXPECT_NE(solver.gather(), values);
    }
  }
}

TYPED_TEST(Stencils, ShowTheirFieldsToATrace) {
  const auto arrays = [](const std::string& label) {
    std::uint64_t count = 0;
    for (const LabelTransfers& each : transfers_by_label())
      if (each.label == label) count = each.arrays;
    return count;
  };
  const std::uint64_t fields = arrays("u");
  const std::uint64_t coefficients = arrays("coefficient 0");
  grid::StencilSolver<DiffusionStencil<double, 2>, double, TypeParam> solver(
      testing::instances_for<TypeParam>(2), {}, comm::Decomposition<2>({12, 16}, {1, 2}));
  solver.initialise(Values<2>{});
  solver.set_coefficient(0, Values<2>{});
  EXPECT_EQ(arrays("u"), fields + 2);
  EXPECT_EQ(arrays("coefficient 0"), coefficients + 2);
}

TYPED_TEST(Stencils, RefuseToStepWhatWasNeverSet) {
  grid::StencilSolver<DiffusionStencil<double, 2>, double, TypeParam> solver(
      testing::instances_for<TypeParam>(1), {}, comm::Decomposition<2>({12, 16}, {1, 1}));
  const auto refusal = [&] {
    return testing::error_of<AccessError>([&] { static_cast<void>(solver.run({.niter = 1})); });
  };
  EXPECT_THAT(refusal(), HasSubstr("'u' has no values yet; call initialise for it first"));
  solver.initialise(Values<2>{});
  EXPECT_THAT(refusal(), HasSubstr("'coefficient 0' has no values yet; call set_coefficient"));
  EXPECT_THAT(testing::error_of<InvalidArgument>([&] { solver.set_coefficient(1, Values<2>{}); }),
              HasSubstr("StencilSolver::set_coefficient: 1; the stencil has 1, numbered from 0"));
  solver.set_coefficient(0, Values<2>{});
  EXPECT_EQ(solver.run({.niter = 1}).iterations, 1);
}

TYPED_TEST(Stencils, SayHowTheirHalosTravel) {
  const auto transport = [](const comm::Parts<2>& parts, comm::Transport how, int steps) {
    const comm::Decomposition<2> decomposition({16, 16}, parts, {false, true});
    return grid::StencilSolver<LaplaceStencil, double, TypeParam>(
               testing::instances_for<TypeParam>(decomposition.subdomains()), LaplaceStencil{},
               decomposition, {.steps_per_pass = steps, .transport = how})
        .transport();
  };
  EXPECT_EQ(transport({1, 1}, comm::Transport::automatic, 1), "none needed");
  EXPECT_THAT(transport({1, 3}, comm::Transport::automatic, 1), HasSubstr("stored by the sweeps"));
  EXPECT_THAT(transport({1, 3}, comm::Transport::staged, 1), HasSubstr("staged"));
  EXPECT_THAT(transport({1, 3}, comm::Transport::automatic, 2), HasSubstr("stored by the sweeps"));
  EXPECT_THAT(transport({3, 1}, comm::Transport::automatic, 1),
              ::testing::Not(HasSubstr("stored")));
}

TYPED_TEST(Stencils, RefuseWhatTheyCannotDo) {
  using Solver = grid::StencilSolver<LaplaceStencil, double, TypeParam>;
  const auto refusal = [](const comm::Parts<2>& parts, int count, int steps) {
    return testing::error_of<InvalidArgument>([&] {
      Solver(testing::instances_for<TypeParam>(count), LaplaceStencil{},
             comm::Decomposition<2>({9, 16}, parts), {.steps_per_pass = steps});
    });
  };
  EXPECT_THAT(refusal({1, 2}, 1, 1), HasSubstr("1 instances for 2 subdomains"));
  EXPECT_THAT(refusal({1, 2}, 2, 9), HasSubstr("9 steps per pass; there may be 1 to 8"));
  EXPECT_THAT(refusal({1, 4}, 4, 5), HasSubstr("halo of depth 5"));
  EXPECT_THAT(testing::error_of<InvalidArgument>([&] {
                grid::StencilSolver<DiffusionStencil<double, 3>, double, TypeParam>(
                    testing::instances_for<TypeParam>(1), {},
                    comm::Decomposition<3>({4, 4, 4}, {1, 1, 1}), {.steps_per_pass = 5});
              }),
              HasSubstr("5 steps per pass; there may be 1 to 3 in 3 dimensions"));
}

}  // namespace kolam::stencil_solver_test
