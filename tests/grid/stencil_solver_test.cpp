// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/trace.hpp>
#include <kolam/memory/transfer_budget.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/grid_reference.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/test_stencils.hpp>
#include <kolam/testing/two_sides.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace kolam::stencil_solver_test {

using testing::all_equal;
using testing::GridReference;
using ::testing::HasSubstr;

// Values that vary from point to point, also on the boundary, alike on host and device.
template <int N>
struct Values {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& p) const {
    index_t mixed = 17 * p[0] + 101 * p[1];
    if constexpr (N == 3) mixed += 29 * p[2];
    mixed = (mixed % 1009 + 1009) % 1009;
    return static_cast<double>(mixed * mixed % 257) / 128 - 1;
  }
};

template <int N>
struct Case {
  Extents<N> extents;
  comm::Parts<N> parts;
  typename comm::Decomposition<N>::Flags periodic;
  int steps_per_pass = 1;
  comm::Transport transport = comm::Transport::automatic;
};

template <int N>
std::string to_text(const Case<N>& c) {
  std::string text;
  for (std::size_t d = 0; d < N; ++d) {
    text += " " + std::to_string(c.extents[d]) + "/" + std::to_string(c.parts[d]) +
            (c.periodic[d] ? "p" : "");
  }
  return text + ", " + std::to_string(c.steps_per_pass) + " fused steps";
}

// Compares the field and the norms of `niter` steps with the oracle's.
template <class T, class Exec, class S>
void expect_reference(const S& stencil, const Case<S::dimensions>& c, int niter) {
  constexpr int N = S::dimensions;
  SCOPED_TRACE(to_text(c));
  const comm::Decomposition<N> decomposition(c.extents, c.parts, c.periodic);
  grid::StencilSolver<S, T, Exec> solver(
      testing::instances_for<Exec>(decomposition.subdomains()), stencil, decomposition,
      {.steps_per_pass = c.steps_per_pass, .transport = c.transport});
  solver.initialise(Values<N>{});
  for (int k = 0; k < stencil_coefficients<S>; ++k) solver.set_coefficient(k, Values<N>{});
  const grid::StencilResult result = solver.run({.niter = niter});

  const auto start = [](const std::array<index_t, 3>& p) { return static_cast<T>(Values<N>{}(p)); };
  GridReference<T, N> reference(c.extents, c.periodic, start);
  const auto update = testing::oracle_of<T>(stencil);
  for (int i = 0; i < niter; ++i) {
    const double norm =
        reference.step([&](const auto& at, const auto& point) { return update(at, start(point)); });
    ASSERT_EQ(result.norm_history.at(static_cast<std::size_t>(i)).iteration, i);
    ASSERT_NEAR(result.norm_history[static_cast<std::size_t>(i)].norm, norm, 1e-12 * norm);
  }
  EXPECT_EQ(result.iterations, niter);
  EXPECT_EQ(result.status, grid::StencilStatus::completed);
  const std::vector<T> expected = reference.values();
  ASSERT_TRUE(all_equal(solver.gather(), [&](std::size_t i) { return expected[i]; }));
}

template <class Exec>
class Stencils : public ::testing::Test {};
TYPED_TEST_SUITE(Stencils, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

// Partition independence: every decomposition of a grid gives the oracle's bits.
std::vector<Case<2>> cuts() {
  const std::vector<Extents<2>> sizes{{1, 1},  {2, 1},   {1, 2},  {3, 3},   {5, 4},   {7, 7},
                                      {8, 5},  {9, 16},  {13, 6}, {16, 9},  {17, 17}, {31, 8},
                                      {33, 5}, {40, 12}, {64, 7}, {67, 10}, {130, 8}, {131, 20}};
  std::vector<Case<2>> all;
  for (const Extents<2>& extents : sizes)
    for (int p = 1; p <= 8; ++p)
      for (int q = 1; q <= 5; ++q)
        for (const bool periodic : {false, true})
          if (p <= extents[0] && q <= extents[1])
            all.push_back({extents, {p, q}, {periodic, periodic != (p % 2 == 0)}, 1});
  return all;
}

template <class Exec>
constexpr bool is_slow = std::is_same_v<Exec, HostTeams>;  // one thread at a time

// The stride through a list of cases: larger without optimisation, and on GPUs, which other tests
// use at the same time.
template <class Exec>
constexpr int step(int optimised, int slow) {
  if (is_slow<Exec>) return testing::optimised ? slow : 4 * slow;
  return optimised * (!testing::optimised ? 23 : has_block_threads<Exec> ? 7 : 1);
}

TYPED_TEST(Stencils, GiveTheSameBitsForEveryCut) {
  int number = 0;
  for (Case<2> c : cuts()) {
    if (++number % step<TypeParam>(1, 97) != 0) continue;
    // (Stripes send messages only if they are told to.)
    if (number % 3 == 0) c.transport = comm::Transport::staged;
    expect_reference<double, TypeParam>(LaplaceStencil{}, c, 3);
  }
}

TYPED_TEST(Stencils, GiveTheSameBitsForEveryCutWithCorners) {
  // (Everything is compiled here for HostTeams: one stencil in the plane and one in space must do.)
  if constexpr (!is_slow<TypeParam>) {
    int number = 0;
    for (const Case<2>& c : cuts())
      if (++number % step<TypeParam>(7, 401) == 0)
        expect_reference<double, TypeParam>(testing::NinePoints{}, c, 3);
  }
}

TYPED_TEST(Stencils, GiveTheSameBitsWithSeveralStepsAPass) {
  int number = 0;
  for (Case<2> c : cuts()) {
    if (++number % step<TypeParam>(5, 499) != 0) continue;
    for (const int steps : {2, 3, 5, 8}) {
      c.steps_per_pass = steps;
      bool deep_enough = true;
      for (std::size_t d = 0; d < 2; ++d)
        if (c.parts[d] > 1 || c.periodic[d])
          deep_enough = deep_enough && c.extents[d] / c.parts[d] >= steps;
      if (!deep_enough) continue;
      c.transport = steps == 3 ? comm::Transport::staged : comm::Transport::automatic;
      expect_reference<double, TypeParam>(LaplaceStencil{}, c, 2 * steps + 1);
      if constexpr (is_slow<TypeParam>)
        break;
      else
        expect_reference<float, TypeParam>(DiffusionStencil<float, 2>{{0.1F, 0.2F}}, c, steps + 1);
    }
  }
}

TYPED_TEST(Stencils, GiveTheSameBitsInThreeDimensions) {
  for (const comm::Parts<3>& parts :
       {comm::Parts<3>{1, 1, 1}, {1, 1, 3}, {1, 2, 2}, {3, 1, 1}, {2, 3, 2}, {1, 1, 2}}) {
    for (const bool periodic : {false, true}) {
      if (is_slow<TypeParam> && (periodic || parts[0] != 2)) continue;
      expect_reference<double, TypeParam>(testing::Weighted3d{},
                                          {{19, 6, 7}, parts, {periodic, false, periodic}}, 3);
      if constexpr (!is_slow<TypeParam>)
        expect_reference<float, TypeParam>(DiffusionStencil<float, 3>{{0.1F, 0.1F, 0.2F}},
                                           {{5, 3, 4}, parts, {false, periodic, true}}, 4);
    }
  }
}

// One subdomain, and cuts along z, along y, and along x and z, periodic or not.
TYPED_TEST(Stencils, GiveTheSameBitsWithSeveralStepsAPassInThreeDimensions) {
  for (const comm::Parts<3>& parts : {comm::Parts<3>{1, 1, 1}, {1, 1, 2}, {1, 2, 1}, {2, 1, 2}}) {
    for (const bool periodic : {false, true}) {
      if (is_slow<TypeParam> && (periodic || parts[2] != 2 || parts[0] != 1)) continue;
      for (const int steps : {2, 3}) {
        const Case<3> c{{10, 8, 9}, parts, {periodic, periodic, periodic}, steps};
        expect_reference<double, TypeParam>(testing::Weighted3d{}, c, steps + 1);
        if constexpr (is_slow<TypeParam>)
          break;
        else
          expect_reference<float, TypeParam>(DiffusionStencil<float, 3>{{0.1F, 0.1F, 0.2F}}, c,
                                             2 * steps + 1);
      }
    }
  }
}

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
  EXPECT_THAT(refusal(), HasSubstr("array 'u' is read before anything was written"));
  solver.initialise(Values<2>{});
  EXPECT_THAT(refusal(), HasSubstr("array 'coefficient 0' is read before anything was written"));
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
