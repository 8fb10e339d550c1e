// SPDX-License-Identifier: Apache-2.0
// The heat conduction of Kokkos' tutorials (mpi_heat_conduction), alone or under mpiexec: a body is
// heated through one side for half of the time, and radiates from all sides.
//   heat_conduction -X 200 -Y 200 -Z 200 -N 10000 -I 100
#include <array>
#include <cstdio>
#include <cstdlib>
#include <kolam/kolam.hpp>
#include <map>
#include <string>
#include <utility>

using Exec = Kokkos::DefaultExecutionSpace;
namespace grid = kolam::grid;

// dT/dt = q times the sum of the differences to the six neighbours.
struct Conduction {
  static constexpr int dimensions = 3;
  double q;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const T& t) const {
    const double sides = t(-1, 0, 0) + t(1, 0, 0) + t(0, -1, 0) + t(0, 1, 0);
    return q * (sides + t(0, 0, -1) + t(0, 0, 1) - 6 * t.center());
  }
};

// The value beyond a side, such that its difference from the point gives the flux through the side:
// radiation sigma T^4 out, and power in at x = 0.
struct Surface {
  double q, sigma, power;

  template <class Point, class Inside>
  KOKKOS_FUNCTION double operator()(const Point& point, const Inside& inside) const {
    const double t = inside(0), heated = point.dimension == 0 && point.direction < 0 ? power : 0;
    return t + (heated - sigma * t * t * t * t) / q;
  }
};

int solve(const kolam::Communicator& all, std::map<std::string, double> options) {
  const auto number = [&](const char* name) { return static_cast<kolam::index_t>(options[name]); };
  const Exec exec = kolam::make_instances<Exec>(1, all.host_size())[0];
  const grid::Grid<3> body{.extents = {number("-X"), number("-Y"), number("-Z")},
                           .boundaries = grid::all_sides<3>(kolam::Boundary::functor),
                           .communicator = all};
  const double q = options["-q"], sigma = options["-sigma"];
  const auto heated =
      grid::stencil_operator<double>(exec, Conduction{q}, body, Surface{q, sigma, options["-P"]});
  const auto cooling =
      grid::stencil_operator<double>(exec, Conduction{q}, body, Surface{q, sigma, 0});
  auto t = heated.vector("T"), next = heated.vector("next T");
  Kokkos::deep_copy(exec, t.write(exec), options["-T0"]);

  const Kokkos::Timer timer;
  for (kolam::index_t step = 0; step <= number("-N"); ++step) {
    const auto& rate = step > number("-N") / 2 ? cooling : heated;
    if (step % number("-I") == 0 || step == number("-N")) {
      const auto values = t.read(exec);
      const double sum = all.sum(kolam::sum<double>(
          exec, "mean", t.size(),
          KOKKOS_LAMBDA(kolam::index_t i, double& partial) { partial += values(i); }));
      const double mean = sum / (options["-X"] * options["-Y"] * options["-Z"]);
      if (all.rank() == 0)
        std::printf("%lld T=%.12f Time (%f)\n", static_cast<long long>(step), mean,
                    timer.seconds());
    }
    rate.apply_stage(t.read(exec), 1.0, options["-dt"],  // next = T + dt rate(T)
                     std::array<kolam::linear::Term<double, Exec>, 0>{}, next.write(exec));
    std::swap(t, next);
  }
  return 0;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  std::map<std::string, double> options{{"-X", 200}, {"-Y", 200},    {"-Z", 200},  {"-N", 10000},
                                        {"-I", 100}, {"-T0", 0.0},   {"-dt", 0.1}, {"-q", 1.0},
                                        {"-P", 1.0}, {"-sigma", 1.0}};
  for (int i = 1; i < argc; i += 2) {
    if (!options.contains(argv[i]) || i + 1 == argc)
      return std::fprintf(stderr, "%s: no option, or without its value\n", argv[i]), 2;
    options[argv[i]] = std::atof(argv[i + 1]);
  }
  return kolam::comm::abort_on_exception(processes.all(),
                                         [&] { return solve(processes.all(), options); });
}
