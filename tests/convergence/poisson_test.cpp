// SPDX-License-Identifier: Apache-2.0
// Errors fall with the element size as theory predicts: like h^(p + 1) in L2 and h^p in the H1
// seminorm, on curved elements, for every order.
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/fem/poisson.hpp>

namespace kolam {
namespace {

struct Case {
  int dimensions;
  int order;
  index_t coarse;
  index_t fine;
};

class Convergence : public ::testing::TestWithParam<Case> {};

TEST_P(Convergence, HasTheSlopesOfItsOrder) {
  const Case c = GetParam();
  for (const auto problem : {fem::PoissonProblem::poisson, fem::PoissonProblem::bp5}) {
    const auto solve = [&](index_t n) {
      fem::PoissonOptions options;
      options.dimensions = c.dimensions;
      options.order = c.order;
      options.elements = {n, n, n};
      options.problem = problem;
      options.map = fem::PoissonMap::sine;
      options.preconditioner = fem::Preconditioner::pmg;
      options.solve.rtol = 1e-13;
      options.solve.patience = 5;
      return fem::solve_poisson<double>(Kokkos::DefaultHostExecutionSpace{}, options);
    };
    const fem::PoissonSolution coarse = solve(c.coarse);
    const fem::PoissonSolution fine = solve(c.fine);
    const double h = std::log(static_cast<double>(c.fine) / static_cast<double>(c.coarse));
    const double l2 = std::log(*coarse.l2_error / *fine.l2_error) / h;
    const double h1 = std::log(*coarse.h1_error / *fine.h1_error) / h;
    SCOPED_TRACE(name(problem));
    EXPECT_NEAR(h1, c.order, 0.3);
    // (Collocated elements gain an order, because errors are measured at their own points, the
    // nodes.)
    EXPECT_NEAR(l2, c.order + (problem == fem::PoissonProblem::bp5 && c.order > 1 ? 2 : 1), 0.4);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Orders, Convergence,
    ::testing::Values(Case{2, 1, 16, 32}, Case{2, 2, 12, 24}, Case{2, 3, 8, 16}, Case{2, 4, 8, 16},
                      Case{2, 5, 6, 12}, Case{2, 6, 5, 10}, Case{3, 1, 8, 16}, Case{3, 2, 6, 12},
                      Case{3, 3, 6, 10}, Case{3, 4, 5, 8}, Case{3, 5, 4, 6}, Case{3, 6, 5, 7}),
    [](const auto& one) {
      return std::to_string(one.param.dimensions) + "DOrder" + std::to_string(one.param.order);
    });

}  // namespace
}  // namespace kolam
