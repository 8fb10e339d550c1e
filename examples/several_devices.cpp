// SPDX-License-Identifier: Apache-2.0
// All devices of one process, each with a part of the grid: Jacobi steps for -Laplace u = f in a
// box with cooled walls. The field is bitwise the same for every partition.
#include <algorithm>
#include <cstdio>
#include <kolam/kolam.hpp>
#include <string>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
constexpr kolam::index_t n = 63;  // points in each direction

// No sum contains a product, which compilers may or may not round: see StencilSolver.
struct Poisson {
  static constexpr int dimensions = 3;
  static constexpr int coefficients = 1;  // h^2 f

  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u, double f) const {
    const double sides = (u.left() + u.right()) + (u.below() + u.above());
    return (sides + (u.back() + u.front()) + f) / 6;
  }
};

struct Walls {
  KOKKOS_FUNCTION double operator()(const kolam::grid::GridPoint<3>&) const { return 0; }
};
struct WarmCorner {
  KOKKOS_FUNCTION double operator()(const kolam::grid::GridPoint<3>& p) const {
    return p[0] < 20 && p[1] < 20 && p[2] < 20 ? 1.0 / 64 : 0;
  }
};

// Returns the field after 300 steps on `subdomains` subdomains, one or more on each device.
std::vector<double> solve(int subdomains) {
  const kolam::Extents<3> points{n, n, n};
  const kolam::comm::Decomposition<3> grid(
      points, kolam::comm::parse_decomposition<3>("auto", points, subdomains));
  // Separate streams, on the devices in turn; on a host, all are the default instance.
  const auto instances = kolam::make_instances<Exec>(subdomains);
  kolam::grid::StencilSolver solver(instances, Poisson{}, grid);
  solver.initialise(Walls{});
  solver.set_coefficient(0, WarmCorner{});
  const kolam::grid::StencilResult result = solver.run({.niter = 300, .nccheck = 100});
  std::printf("subdomains %d, devices %d, halos: %s; %s, last norm %.3e\n", subdomains,
              std::min(subdomains, kolam::devices<Exec>()), solver.transport().c_str(),
              std::string(name(result.status)).c_str(), result.norm_history.back().norm);
  return solver.gather();
}

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const std::vector<double> one = solve(1);
  const bool same = solve(std::max(2, kolam::devices<Exec>())) == one;
  std::printf("the warmest point has %.4f, %s as one subdomain\n",
              *std::max_element(one.begin(), one.end()),
              same ? "the same bits" : "not the same bits");
  return same ? 0 : 1;
}
