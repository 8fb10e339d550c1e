// SPDX-License-Identifier: Apache-2.0
// Explicit steps of several fields: a heap of water spreads in a basin with walls. Shallow water of
// height h and momenta hu, hv: finite volumes, Lax-Friedrichs flux, third-order Runge-Kutta steps.
#include <cstdio>
#include <kolam/kolam.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using State = Kokkos::Array<double, 3>;  // h, hu, hv
constexpr int n = 128;
constexpr double size = 1.0 / n, gravity = 9.81, fastest = 8, dt = 0.4 * size / fastest;

struct ShallowWater {
  static constexpr int dimensions = 2;
  static constexpr int fields = 3;

  KOKKOS_FORCEINLINE_FUNCTION static State flow(const State& w, int d) {
    const double velocity = w[1 + d] / w[0], pressure = gravity / 2 * w[0] * w[0];
    return {w[1 + d], w[1] * velocity + (1 - d) * pressure, w[2] * velocity + d * pressure};
  }
  KOKKOS_FORCEINLINE_FUNCTION static State flux(const State& a, const State& b, int d) {
    const State from = flow(a, d), to = flow(b, d);
    State through{};
    for (int f = 0; f < 3; ++f) through[f] = (from[f] + to[f] - fastest * (b[f] - a[f])) / 2;
    return through;
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION State operator()(const U& h, const U& hu, const U& hv) const {
    const State here{h.center(), hu.center(), hv.center()};
    const State left = flux({h.left(), hu.left(), hv.left()}, here, 0);
    const State right = flux(here, {h.right(), hu.right(), hv.right()}, 0);
    const State below = flux({h.below(), hu.below(), hv.below()}, here, 1);
    const State above = flux(here, {h.above(), hu.above(), hv.above()}, 1);
    const auto rate = [&](int f) { return (left[f] - right[f] + below[f] - above[f]) / size; };
    return {rate(0), rate(1), rate(2)};
  }
};

struct Wall {  // The mirrored state: the normal momentum changes sign.
  template <class Point, class Inside>
  KOKKOS_FUNCTION double operator()(const Point& point, const Inside& inside) const {
    return point.field == 1 + point.dimension ? -inside(0) : inside(0);
  }
};

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const kolam::grid::Grid<2> basin{{n, n}, kolam::grid::all_sides<2>(kolam::Boundary::functor)};
  const auto f = kolam::grid::stencil_operator<double>(Exec{}, ShallowWater{}, basin, Wall{});
  auto w = f.vector("h, hu, hv");
  const auto start = w.read_write(kolam::host);  // the n * n values of h, then those of hu and hv
  for (int cell = 0; cell < n * n; ++cell) start(cell) = cell % n + cell / n < n / 2 ? 2 : 1;

  kolam::linear::RungeKutta time(f, kolam::linear::RungeKuttaMethod::ssp3);
  for (int step = 0; step < 500; ++step) time.step(w, dt);
  const auto after = w.read(kolam::host);
  double volume = 0;
  for (int cell = 0; cell < n * n; ++cell) volume += after(cell) * size * size;
  std::printf("volume %.10f, height in the corner %.4f\n", volume, after(0));
}
