// SPDX-License-Identifier: Apache-2.0
// The code of docs/guides/stencils.md that is in no example.
#include <filesystem>
#include <iostream>
#include <kolam/kolam.hpp>
#include <vector>

namespace stencil_guide {

using Exec = Kokkos::DefaultExecutionSpace;

// An explicit Euler step of rho c du/dt = lambda laplace(u) + q.
struct Heat {
  static constexpr int dimensions = 2;
  static constexpr int coefficients = 2;  // dt q / (rho c) and 1 / (rho c)
  double rate;                            // lambda dt / h^2

  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u, double source, double inverse) const {
    const double center = u.center();
    const double sum =
        (u.left() - center) + (u.right() - center) + (u.below() - center) + (u.above() - center);
    return u.without_subnormals(center + source + rate * inverse * sum);
  }
};

struct WarmWall {
  kolam::index_t nx;
  KOKKOS_FUNCTION double operator()(const kolam::grid::GridPoint<2>& p) const {
    if (p[0] < 0) return 100;  // the boundary at the left
    return p[0] == nx ? 20 : 50;
  }
};
struct Lamp {
  KOKKOS_FUNCTION double operator()(const kolam::grid::GridPoint<2>& p) const {
    return p[0] < 100 && p[1] < 100 ? 1e-3 : 0;
  }
};
struct Material {
  KOKKOS_FUNCTION double operator()(const kolam::grid::GridPoint<2>& p) const {
    return p[1] < 512 ? 1 : 0.4;
  }
};

void run_it(kolam::index_t nx, kolam::index_t ny, double rate) {
  const kolam::Extents<2> points{nx, ny};
  const int devices = kolam::devices<Exec>();
  const kolam::comm::Decomposition<2> grid(
      points, kolam::comm::parse_decomposition<2>("auto", points, devices), {false, true});
  kolam::grid::StencilSolver solver(kolam::make_instances<Exec>(devices), Heat{rate}, grid,
                                    {.steps_per_pass = 0});
  solver.initialise(WarmWall{nx});
  solver.set_coefficient(0, Lamp{});
  solver.set_coefficient(1, Material{});

  const kolam::grid::StencilRun run{.niter = 100000, .nccheck = 100, .tol = 1e-6};
  const kolam::grid::StencilResult result = solver.run(run);
  std::cout << name(result.status) << " after " << result.iterations << " steps, norm "
            << result.norm_history.back().norm << '\n';

  const double field = static_cast<double>(nx * ny * sizeof(double));
  const auto steps = static_cast<double>(result.iterations - result.first_step);
  const double t_eff =
      kolam::effective_throughput_gbs(result.seconds, steps, field, /*known*/ 2 * field);
  const double t_peak = kolam::measure_bandwidth(Exec{}).peak_gbs();
  std::cout << t_eff << " GB/s of " << t_peak << '\n';
}

kolam::grid::StencilResult saved(kolam::grid::StencilSolver<Heat, double, Exec>& solver,
                                 const kolam::grid::StencilRun& run, double rate) {
  const kolam::StopRequest stop;  // SIGTERM and SIGINT save the run and end it
  const bool again = std::filesystem::exists("heat.h5");
  const kolam::grid::StencilResult result =
      kolam::run_with_checkpoints(solver, run,
                                  {.program = "heat",
                                   .parameters = {{"rate", rate}},
                                   .restart = again ? "heat.h5" : "",
                                   .file = "heat.h5",
                                   .every_seconds = 600,
                                   .stop = &stop});
  return result;
}

void output(const kolam::grid::StencilSolver<Heat, double, Exec>& solver,
            const kolam::grid::StencilResult& result, kolam::index_t nx, kolam::index_t ny,
            double h, double dt) {
  const std::vector<double> u = solver.gather();  // on rank 0, x fastest
  if (solver.communicator().rank() == 0) kolam::write_image("heat.png", u.data(), nx, ny, nx);

  const kolam::grid::HostField<double> field = solver.on_host();
  const kolam::VtkGrid<3> grid{.extents = field.extents,
                               .spacing = {h, h, h},
                               .time = dt * static_cast<double>(result.iterations),
                               .step = result.iterations};
  kolam::write_vtkhdf<double, 3>("heat.vtkhdf", grid, {{"temperature", field.blocks}},
                                 solver.communicator());
}

struct WaveRate {  // u' = v, v' = c^2 laplace(u)
  static constexpr int dimensions = 2;
  static constexpr int fields = 2;
  double rate;  // (c / h)^2
  template <class U>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const U& u, const U& v) const {
    return {v.center(), rate * (u.left() + u.right() + u.below() + u.above() - 4 * u.center())};
  }
};

void waves(const Exec& exec, const kolam::grid::Grid<2>& grid, double dt) {
  const auto f = kolam::grid::stencil_operator<double>(exec, WaveRate{1}, grid);
  auto u = f.vector("u, v");
  kolam::linear::RungeKutta time(f, kolam::linear::RungeKuttaMethod::ssp3);
  for (int step = 0; step < 100; ++step) {
    time.step(u, dt);
  }
}

struct Robin {  // du/dn = -h u, points at distance dx
  double h, dx;
  template <class P, class Inside>
  KOKKOS_FUNCTION double operator()(const P&, const Inside& inside) const {
    return inside(1) - 2 * dx * h * inside(0);
  }
};

struct Laplacian {
  static constexpr int dimensions = 2;
  template <class U>
  KOKKOS_FUNCTION double operator()(const U& u) const {
    const double c = u.center();
    return (c - u.left()) + (c - u.right()) + (c - u.below()) + (c - u.above());
  }
};

// u - dt div(k grad u), kx at the face to the left of a point, ky at the one below.
struct Conduction {
  static constexpr int dimensions = 2;
  static constexpr int coefficients = 2;
  static constexpr bool coefficient_neighbours = true;

  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& kx, const K& ky) const {
    const auto c = u.center();
    return c + kx.center() * (c - u.left()) + kx.right() * (c - u.right()) +
           ky.center() * (c - u.below()) + ky.above() * (c - u.above());
  }
};

// No flux through the outer faces.
struct AtFaces {
  kolam::index_t faces;
  int dimension;
  KOKKOS_FUNCTION double operator()(kolam::index_t i, kolam::index_t j) const {
    const kolam::index_t face = dimension == 0 ? i : j;
    return face > 0 && face < faces ? 1 : 0;
  }
};

void with_coefficients_at_faces(const Exec& exec, const kolam::grid::Grid<2>& grid) {
  auto a = kolam::grid::stencil_operator<double>(exec, Conduction{}, grid);
  a.set_coefficient(0, AtFaces{grid.extents[0], 0});
  a.set_coefficient(1, AtFaces{grid.extents[1], 1});
  auto diagonal = a.vector("diagonal");
  a.diagonal(diagonal.write(exec));
}

// u - dt div(k grad u)
struct ConductionStep {
  static constexpr int dimensions = 2;
  static constexpr int coefficients = 1;
  static constexpr bool coefficient_neighbours = true;
  double r;  // dt / (2 h^2)

  template <class U, class K>
  KOKKOS_FUNCTION auto operator()(const U& u, const K& k) const {
    const auto c = u.center(), kc = k.center();
    return c + r * ((kc + k.left()) * (c - u.left()) + (kc + k.right()) * (c - u.right()) +
                    (kc + k.below()) * (c - u.below()) + (kc + k.above()) * (c - u.above()));
  }
};

double as_operator(const Exec& exec, const kolam::grid::Grid<2>& grid, double h, double r) {
  const kolam::index_t n = grid.extents[0];
  auto a = kolam::grid::stencil_operator<double>(exec, ConductionStep{r}, grid);  // (not const)
  a.set_coefficient(
      0, KOKKOS_LAMBDA(kolam::index_t i, kolam::index_t j) {
        return i < n / 2 && j < n / 2 ? 10.0 : 1.0;
      });
  auto u = a.vector("u"), old = a.vector("old");
  a.set_values(u, KOKKOS_LAMBDA(kolam::index_t i, kolam::index_t) { return i < n / 4 ? 1 : 0; });
  const auto values = u.read(exec);
  const double heat = grid.communicator.sum(kolam::sum<double>(
      exec, "heat", a.points(),
      KOKKOS_LAMBDA(kolam::index_t i, double& sum) { sum += h * h * values(i); }));
  return heat;
}

kolam::linear::SolveStatus chosen(const kolam::grid::StencilOperator<double, Laplacian, Exec>& a,
                                  const kolam::Array<double>& old, kolam::Array<double>& u,
                                  bool with_multigrid) {
  const auto step = [&](const auto& preconditioner) {
    return kolam::conjugate_gradient(a, preconditioner, old, u, {.rtol = 1e-10});
  };
  const auto result =
      with_multigrid ? step(kolam::grid::multigrid(a)) : step(kolam::linear::Identity{});
  return result.status;
}

kolam::index_t cooled_points(const Exec& exec, const kolam::grid::Grid<2>& grid) {
  return kolam::grid::stencil_operator<double>(exec, ConductionStep{1}, grid, Robin{0.1, 0.5})
      .rows();
}

kolam::linear::SolveStatus step_in_time(const Exec& exec, const kolam::grid::Grid<2>& grid,
                                        const Laplacian& l, kolam::grid::TimeScheme scheme,
                                        double dt) {
  const double factor = kolam::grid::implicit_share(scheme) * dt;
  auto a = kolam::grid::stencil_operator<double>(exec, kolam::grid::ImplicitStep{l, factor}, grid);
  const auto m = kolam::grid::multigrid(a);
  auto u = a.vector("u"), b = a.vector("b");
  kolam::grid::set_right_side(scheme, a, u, b);
  const auto result = kolam::conjugate_gradient(a, m, b, u);
  return result.status;
}

template <class A>
kolam::linear::SolveStatus by_a_polynomial(const A& a, kolam::Array<double>& b,
                                           kolam::Array<double>& x) {
  const auto m = kolam::linear::polynomial_preconditioner(a, 10);
  const auto result = kolam::conjugate_gradient(a, m, b, x);
  return result.status;
}
template kolam::linear::SolveStatus by_a_polynomial(const kolam::linear::AnyOperator<double, Exec>&,
                                                    kolam::Array<double>&, kolam::Array<double>&);

}  // namespace stencil_guide
