// SPDX-License-Identifier: Apache-2.0
// A user-defined stencil on two subdomains: a square plate with one side at 1, the others at 0 and
// the corners between them at 1/2. Its middle converges to 1/4.
#include <iostream>
#include <kolam/kolam.hpp>

struct NinePointLaplace {
  static constexpr int dimensions = 2;
  static constexpr bool corners = true;  // reads neighbours across corners

  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u) const {
    const double sides = u.left() + u.right() + u.below() + u.above();
    const double diagonals = u(-1, -1) + u(1, -1) + u(-1, 1) + u(1, 1);
    return 0.2 * sides + 0.05 * diagonals;
  }
};

struct OneWarmSide {
  KOKKOS_FUNCTION double operator()(const kolam::grid::GridPoint<2>& p) const {
    if (p[0] >= 0) return 0;
    return p[1] < 0 || p[1] == 31 ? 0.5 : 1;
  }
};

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  using Exec = Kokkos::DefaultExecutionSpace;
  const kolam::comm::Decomposition<2> grid({31, 31}, {1, 2});
  kolam::grid::StencilSolver solver(kolam::make_instances<Exec>(2), NinePointLaplace{}, grid);
  solver.initialise(OneWarmSide{});
  const kolam::grid::StencilResult result = solver.run({.niter = 100000, .tol = 1e-12});
  std::cout << name(result.status) << ", middle " << solver.gather()[15 + 31 * 15] << '\n';
}
