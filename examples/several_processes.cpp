// SPDX-License-Identifier: Apache-2.0
// A user-written loop, alone or under mpiexec -np 2: heat in a ring between cold walls. Halos are
// exchanged while the interior is computed, and values are summed over all processes.
#include <cstdio>
#include <kolam/kolam.hpp>
#include <utility>

using Exec = Kokkos::DefaultExecutionSpace;
using Field = kolam::grid::HaloExchange<2, Exec>::Field<double>;
constexpr int n = 64, steps = 500;
constexpr double rate = 0.2, a = Kokkos::numbers::pi / (n + 1), b = 2 * Kokkos::numbers::pi / n;

// Steps the rows [begin, end); row 0 is a ghost.
void step(const Exec& exec, const Field& u, const Field& v, int begin, int end) {
  kolam::forall(
      exec, "step", n * (end - begin), KOKKOS_LAMBDA(int k) {
        const int i = 1 + k % n, j = begin + k / n;
        const double sides = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
        v(i, j) = u(i, j) + rate * (sides - 4 * u(i, j));
      });
}

int solve(const kolam::Communicator& all) {
  const kolam::comm::Decomposition<2> grid({n, n}, {1, all.size()}, {false, true});
  const kolam::Range own = grid.own(all.rank())[1];
  const int row = static_cast<int>(own.begin), rows = static_cast<int>(own.end) - row;
  const auto exec = kolam::make_instances<Exec>(1, all.host_size());
  kolam::grid::HaloExchange halo(exec, grid, 1, kolam::grid::Ghosts::faces, all);
  std::vector<Field> u{Field("u", n + 2, rows + 2)}, v{Field("v", n + 2, rows + 2)};
  const Field first = u[0];
  kolam::forall(
      exec[0], "a mode", n * rows, KOKKOS_LAMBDA(int k) {
        first(1 + k % n, 1 + k / n) = Kokkos::sin(a * (1 + k % n)) * Kokkos::sin(b * (row + k / n));
      });
  for (int s = 0; s < steps; ++s) {
    halo.start<double>(u);
    step(exec[0], u[0], v[0], 2, rows);  // the interior: needs no other process
    halo.finish();
    for (const int j : {1, rows}) step(exec[0], u[0], v[0], j, j + 1);
    std::swap(u, v);
  }
  const Field last = u[0];
  const double sum = all.sum(kolam::sum<double>(
      exec[0], "squares", n * rows, KOKKOS_LAMBDA(int k, double& squares) {
        squares += last(1 + k % n, 1 + k / n) * last(1 + k % n, 1 + k / n);
      }));
  const double factor = 1 - 2 * rate * (2 - Kokkos::cos(a) - Kokkos::cos(b));  // of each step
  const double exact = 0.25 * n * (n + 1) * Kokkos::pow(factor, 2 * steps);
  if (all.rank() == 0)
    std::printf("%d processes: sum of squares %.8f, exact %.8f\n", all.size(), sum, exact);
  return Kokkos::abs(sum - exact) < 1e-10 * exact ? 0 : 1;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);  // MPI_Init, if mpiexec started the program
  const kolam::Runtime runtime(argc, argv);
  return kolam::comm::abort_on_exception(processes.all(), [&] { return solve(processes.all()); });
}
