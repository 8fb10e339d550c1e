// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <kolam/grid/stencil_solver.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/grid_reference.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/test_stencils.hpp>
#include <vector>

#include "solver_cases.hpp"

namespace kolam::stencil_cuts_test {

using testing::GridReference;
using namespace solver_cases;

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
  ASSERT_TRUE(testing::all_equal(solver.gather(), [&](std::size_t i) { return expected[i]; }));
}

template <class Exec>
class StencilCuts : public ::testing::Test {};
TYPED_TEST_SUITE(StencilCuts, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

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

// The stride through a list of cases: larger without optimisation, and on GPUs, which other tests
// use at the same time.
template <class Exec>
constexpr int step(int optimised, int slow) {
  if (is_slow<Exec>) return testing::optimised ? slow : 4 * slow;
  return optimised * (!testing::optimised ? 23 : has_block_threads<Exec> ? 7 : 1);
}

TYPED_TEST(StencilCuts, GiveTheSameBitsForEveryCut) {
  int number = 0;
  for (Case<2> c : cuts()) {
    if (++number % step<TypeParam>(1, 97) != 0) continue;
    // (Stripes send messages only if they are told to.)
    if (number % 3 == 0) c.transport = comm::Transport::staged;
    expect_reference<double, TypeParam>(LaplaceStencil{}, c, 3);
  }
}

TYPED_TEST(StencilCuts, GiveTheSameBitsForEveryCutWithCorners) {
  // (Everything is compiled here for HostTeams: one stencil in the plane and one in space must do.)
  if constexpr (!is_slow<TypeParam>) {
    int number = 0;
    for (const Case<2>& c : cuts())
      if (++number % step<TypeParam>(7, 401) == 0)
        expect_reference<double, TypeParam>(testing::NinePoints{}, c, 3);
  }
}

TYPED_TEST(StencilCuts, GiveTheSameBitsWithSeveralStepsAPass) {
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

TYPED_TEST(StencilCuts, GiveTheSameBitsInThreeDimensions) {
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
TYPED_TEST(StencilCuts, GiveTheSameBitsWithSeveralStepsAPassInThreeDimensions) {
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

}  // namespace kolam::stencil_cuts_test
