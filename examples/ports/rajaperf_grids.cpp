// SPDX-License-Identifier: Apache-2.0
// HEAT_3D and HALO_EXCHANGE of the RAJA Performance Suite, on one or several processes. HEAT_3D
// twice: as a loop over the points of a box, and as a stencil whose steps kolam fuses. It starts
// from a product of sines, which each step multiplies by a constant factor, so the result is known.
//   rajaperf_grids 100 20    (points in each direction of a process, repetitions)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <kolam/kolam.hpp>
#include <numbers>
#include <string>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using kolam::index_t;
namespace grid = kolam::grid;
constexpr int steps = 40;  // of HEAT_3D in a repetition, as in the suite

bool report(const char* name, double seconds, bool right) {
  std::printf("%-22s %10.4f ms, %s\n", name, 1e3 * seconds, right ? "right" : "WRONG");
  return right;
}

struct Sines {  // point p of n in each direction; 0 at -1 and n
  double h;
  KOKKOS_FUNCTION double operator()(const grid::GridPoint<3>& p) const {
    double product = 1;
    for (int d = 0; d < 3; ++d) product *= Kokkos::sin(h * static_cast<double>(p[d] + 1));
    return product;
  }
};
// Returns whether `sum` is that of the exact field after all steps.
bool is_right(double sum, double h) {
  const double start = 1 / std::pow(std::tan(h / 2), 3);
  return std::abs(sum / start / std::pow(1 + 0.75 * (std::cos(h) - 1), steps) - 1) < 1e-10;
}

using Cube = Kokkos::View<double***, Kokkos::LayoutLeft>;
void heat_step(const Exec& exec, const kolam::Box<3>& inside, const Cube& u, const Cube& next) {
  kolam::for_each(
      exec, "HEAT_3D", inside, KOKKOS_LAMBDA(index_t i, index_t j, index_t k) {
        next(i, j, k) = 0.125 * (u(i + 1, j, k) - 2 * u(i, j, k) + u(i - 1, j, k)) +
                        0.125 * (u(i, j + 1, k) - 2 * u(i, j, k) + u(i, j - 1, k)) +
                        0.125 * (u(i, j, k + 1) - 2 * u(i, j, k) + u(i, j, k - 1)) + u(i, j, k);
      });
}

bool heat_by_loops(const Exec& exec, index_t n, int repetitions) {
  const Sines sines{std::numbers::pi / static_cast<double>(n + 1)};
  const Cube a("a", n + 2, n + 2, n + 2), b("b", n + 2, n + 2, n + 2);  // walls are 0
  const kolam::Range own{1, n + 1};
  const kolam::Box<3> inside{own, own, own};
  double seconds = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    kolam::for_each(
        exec, "start", inside, KOKKOS_LAMBDA(index_t i, index_t j, index_t k) {
          a(i, j, k) = sines({i - 1, j - 1, k - 1});
        });
    exec.fence();
    const Kokkos::Timer timer;
    for (int step = 0; step < steps; step += 2) {
      heat_step(exec, inside, a, b);
      heat_step(exec, inside, b, a);
    }
    exec.fence();
    seconds += timer.seconds() / repetitions / steps;
  }
  const double sum = kolam::sum<double>(
      exec, "sum", inside,
      KOKKOS_LAMBDA(index_t i, index_t j, index_t k, double& partial) { partial += a(i, j, k); });
  return report("HEAT_3D, loop", seconds, is_right(sum, sines.h));
}

struct Heat {
  static constexpr int dimensions = 3;
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const U& u) const {
    return 0.125 * (u.right() - 2 * u.center() + u.left()) +
           0.125 * (u.above() - 2 * u.center() + u.below()) +
           0.125 * (u.front() - 2 * u.center() + u.back()) + u.center();
  }
};

bool heat_by_stencil(const Exec& exec, index_t n, int repetitions) {
  const Sines sines{std::numbers::pi / static_cast<double>(n + 1)};
  grid::StencilSolver solver(std::vector{exec}, Heat{},
                             kolam::comm::Decomposition<3>({n, n, n}, {1, 1, 1}));
  double seconds = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    solver.initialise(sines);
    const Kokkos::Timer timer;
    static_cast<void>(solver.run({.niter = steps, .nccheck = steps}));
    seconds += timer.seconds() / repetitions / steps;
  }
  double sum = 0;
  for (const double value : solver.gather()) sum += value;
  return report("HEAT_3D, StencilSolver", seconds, is_right(sum, sines.h));
}

// The value of a field at a point of the whole periodic grid.
struct Value {
  Kokkos::Array<index_t, 3> extents;
  int field;
  KOKKOS_FUNCTION double operator()(index_t i, index_t j, index_t k) const {
    const auto wrap = [&](index_t p, int d) {
      return static_cast<double>((p + extents[d]) % extents[d]);
    };
    return field + wrap(i, 0) + 1e3 * wrap(j, 1) + 1e6 * wrap(k, 2);
  }
};

bool halo_exchange(const Exec& exec, const kolam::Communicator& all, index_t n, int repetitions) {
  constexpr int fields = 3;
  const auto parts = kolam::comm::parse_decomposition<3>(
      "blocks", {n * all.size(), n * all.size(), n * all.size()}, all.size());
  const kolam::Extents<3> extents{n * parts[0], n * parts[1], n * parts[2]};
  const kolam::comm::Decomposition<3> decomposition(extents, parts, {true, true, true});
  const auto own = decomposition.own(all.rank());
  const auto layout = kolam::field_layout<3>({n, n, n}, 1, sizeof(double));
  std::vector<grid::Field<double, 3>> u;
  for (int f = 0; f < fields; ++f) {
    const auto points = grid::interior(layout, u.emplace_back("u", layout, f).write(exec));
    const Value value{{extents[0], extents[1], extents[2]}, f};
    const index_t x = own[0].begin, y = own[1].begin, z = own[2].begin;
    kolam::for_each(
        exec, "own points", layout.all(), KOKKOS_LAMBDA(index_t i, index_t j, index_t k) {
          points(i, j, k) = value(x + i, y + j, z + k);
        });
  }
  grid::HaloExchange<3, Exec> halo({exec}, decomposition, 1, grid::Ghosts::corners, all);
  halo.exchange(u[0], u[1], u[2]);
  exec.fence();
  const Kokkos::Timer timer;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    halo.release();
    halo.exchange(u[0], u[1], u[2]);
  }
  exec.fence();
  const double seconds = timer.seconds() / repetitions;
  index_t wrong = 0;
  for (int f = 0; f < fields; ++f) {
    const auto points = grid::with_ghosts(layout, u[f].read(exec));
    const Value value{{extents[0], extents[1], extents[2]}, f};
    const index_t x = own[0].begin - 1, y = own[1].begin - 1, z = own[2].begin - 1;
    const kolam::Range range{0, n + 2};
    wrong += kolam::sum<index_t>(
        exec, "ghosts", kolam::Box<3>{range, range, range},
        KOKKOS_LAMBDA(index_t i, index_t j, index_t k, index_t & partial) {
          partial += points(i, j, k) != value(x + i, y + j, z + k);
        });
  }
  const double all_wrong = all.sum(static_cast<double>(wrong));
  return all.rank() == 0 ? report("HALO_EXCHANGE", seconds, all_wrong == 0) : all_wrong == 0;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  const kolam::Communicator& all = processes.all();
  const int n = argc > 1 ? std::atoi(argv[1]) : 100,
            repetitions = argc > 2 ? std::atoi(argv[2]) : 20;
  if (n < 2 || repetitions < 1)
    return std::fputs("usage: rajaperf_grids [POINTS [REPETITIONS]], at least 2 and 1\n", stderr),
           2;
  return kolam::comm::abort_on_exception(all, [&] {
    const Exec exec = kolam::make_instances<Exec>(1, all.host_size())[0];
    bool right = halo_exchange(exec, all, n, 10 * repetitions);
    if (all.size() == 1) right = heat_by_loops(exec, n, repetitions) && right;
    if (all.size() == 1) right = heat_by_stencil(exec, n, repetitions) && right;
    return right ? 0 : 1;
  });
}
