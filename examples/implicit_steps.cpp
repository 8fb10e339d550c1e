// SPDX-License-Identifier: Apache-2.0
// Implicit steps with a user-defined operator, alone or under mpiexec -np 2: heat in a plate
// without flux through its sides spreads ten times as fast along x as along y.
#include <cmath>
#include <cstdio>
#include <kolam/kolam.hpp>
#include <utility>

using Exec = Kokkos::DefaultExecutionSpace;
constexpr int n = 128, steps = 20;
constexpr double h = 1.0 / n, dt = 0.01, pi = Kokkos::numbers::pi;

// A backward Euler step: u - dt (kx u_xx + ky u_yy) at the new time equals u at the old time.
struct AnisotropicStep {
  static constexpr int dimensions = 2;
  double rx, ry;  // dt kx / h^2, dt ky / h^2

  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u) const {
    const double c = u.center();
    return c + rx * ((c - u.left()) + (c - u.right())) + ry * ((c - u.below()) + (c - u.above()));
  }
};

struct Wave {  // the wave that decays slowest, by the index in the whole grid
  KOKKOS_FUNCTION double operator()(kolam::index_t i, kolam::index_t j) const {
    return Kokkos::cos(pi * h * (double(i) + 0.5)) * Kokkos::cos(pi * h * (double(j) + 0.5));
  }
};

int solve(const kolam::Communicator& all) {
  const Exec exec = kolam::make_instances<Exec>(1, all.host_size())[0];
  const kolam::grid::Grid<2> grid{.extents = {n, n},
                                  .boundaries = kolam::grid::all_sides<2>(kolam::Boundary::no_flux),
                                  .communicator = all};
  const double rx = dt * 1.0 / (h * h), ry = dt * 0.1 / (h * h);
  const auto a = kolam::grid::stencil_operator<double>(exec, AnisotropicStep{rx, ry}, grid);
  const auto m = kolam::grid::multigrid(a);

  auto u = a.vector("u"), old = a.vector("old");
  a.set_values(u, Wave{});

  for (int s = 0; s < steps; ++s) {
    std::swap(u, old);
    const auto result = kolam::conjugate_gradient(a, m, old, u, {.rtol = 1e-12});
    if (result.status != kolam::linear::SolveStatus::converged) return 1;
  }
  const double decay = std::pow(1 + (rx + ry) * (2 - 2 * std::cos(pi * h)), -steps);
  const double corner = u.read(kolam::host)(0);
  if (all.rank() == 0)
    std::printf("the corner has %.6f, exact %.6f\n", corner, decay * Wave{}(0, 0));
  return 0;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  return kolam::comm::abort_on_exception(processes.all(), [&] { return solve(processes.all()); });
}
