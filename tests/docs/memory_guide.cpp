// SPDX-License-Identifier: Apache-2.0
// The code of docs/guides/memory.md that is in no example.
#include <kolam/kolam.hpp>

namespace memory_guide {

using Exec = Kokkos::DefaultExecutionSpace;

double first_steps(const Exec& exec, kolam::index_t n) {
  kolam::Array<double> u("u", n);
  Kokkos::deep_copy(u.write(kolam::host), 1.0);
  const auto x = u.read_write(exec);
  kolam::forall(exec, "double", n, KOKKOS_LAMBDA(kolam::index_t i) { x(i) *= 2; });
  const auto y = u.read(kolam::host);
  return y(n - 1);
}

void parts(const Exec& exec, kolam::index_t nx, kolam::index_t ny, kolam::index_t p,
           kolam::index_t elements) {
  kolam::Array<double, 2> a("a", {nx, ny});
  Kokkos::deep_copy(exec, a.write(exec), 0.0);
  const auto first_row = a.read(kolam::host, {{{0, nx}, {0, 1}}});
  const auto first_column = a.read(kolam::host, {{{0, 1}, {0, ny}}});

  kolam::Array<double> state("state", 3 * p * p * elements);
  auto pressure = state.alias({0, p * p * elements});
  auto by_element = kolam::reshape(pressure, p, p, elements);
  auto every_third = state.alias({0, state.size()}, 3);
  const auto e = by_element.write(kolam::device);
  static_cast<void>(first_row(0, 0) + first_column(0, 0));
  static_cast<void>(every_third.size());
}

void advance(const Exec& exec, kolam::Array<double>& u);
void write_to_disk(const double* values, kolam::index_t n);

void policies(kolam::Array<double>& u, kolam::Array<double>& snapshot, int steps) {
  const auto exec = kolam::make_instances<Exec>(2);
  const kolam::SyncScope scope(kolam::explicit_only);
  snapshot.set_policy(kolam::prefetch(exec[1]));
  u.sync(kolam::device);
  for (int step = 0; step < steps; ++step) {
    advance(exec[0], u);
    if (step % 100 == 0) {
      if (step > 0) write_to_disk(snapshot.read(kolam::host).data(), snapshot.size());
      kolam::deep_copy(exec[0], snapshot, u);
      snapshot.sync(kolam::host);
    }
  }
}

#ifdef KOKKOS_ENABLE_CUDA
void clear(const Exec& exec, kolam::Array<double>& u) {
  cudaMemsetAsync(u.write(exec).data(), 0, u.size() * sizeof(double), exec.cuda_stream());
}
#endif

}  // namespace memory_guide
