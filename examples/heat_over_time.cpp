// SPDX-License-Identifier: Apache-2.0
// Heat conduction on a periodic square, a torus: a wave decays in Crank-Nicolson steps, and one
// file holds the field at every time.
#include <cmath>
#include <iostream>
#include <kolam/kolam.hpp>
#include <numbers>
#include <stdexcept>

namespace fem = kolam::fem;
using Exec = Kokkos::DefaultExecutionSpace;

constexpr double pi = std::numbers::pi;
struct Wave {
  double height;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return height * Kokkos::sin(2 * pi * at.x[0]) * Kokkos::cos(2 * pi * at.x[1]);
  }
};

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const auto mesh =
      fem::periodic(fem::mesh_of(fem::BoxMesh<2>{{24, 24}}), {{1.0, 0.0}, {0.0, 1.0}});
  const auto space = fem::space<double>(Exec{}, mesh, 2);

  // u' = Laplace u: (M + dt / 2 K) u_next = (M - dt / 2 K) u
  const double dt = 0.0005;
  const auto m_plus = [&](double c) {  // M + c K
    return fem::Operator(space, fem::Helmholtz{kolam::Constant{c}, kolam::Constant{1.0}});
  };
  const auto mass = m_plus(0), half_forward = m_plus(-dt / 2), half_back = m_plus(dt / 2);
  const kolam::linear::Jacobi preconditioner(half_back);

  auto b = space.vector("b"), u = space.vector("u");
  fem::add_source(space, Wave{1.0}, b);
  const auto solve = [&](const auto& a, const auto& m) {
    const auto result = kolam::conjugate_gradient(a, m, b, u, {.rtol = 1e-10});
    if (result.status != kolam::linear::SolveStatus::converged)
      throw std::runtime_error("no solution");
  };
  solve(mass, kolam::linear::Jacobi(mass));
  std::vector<kolam::TimeStep> steps;
  auto temperature = fem::dirichlet_values(space, kolam::Constant{0.0});
  for (int step = 0; step <= 40; ++step) {
    if (step > 0) {
      half_forward.apply(u, b);
      solve(half_back, preconditioner);
    }
    fem::set_dofs(space, u, temperature);
    steps.push_back({step * dt, {{"temperature", temperature}}});
  }

  const double height = std::exp(-8 * pi * pi * steps.back().time);
  std::cout << "after " << steps.back().time << " the wave is " << height << " high, error "
            << fem::l2_error(space, temperature, Wave{height}) << '\n';
  if (kolam::hdf5_version()) kolam::write_vtkhdf_mesh_series("heat.vtkhdf", mesh, 2, steps);
}
