// SPDX-License-Identifier: Apache-2.0
// Sums 1 + 2 + ... + n on the default backend.
#include <Kokkos_Core.hpp>
#include <iostream>
#include <kolam/core/forall.hpp>
#include <kolam/core/runtime.hpp>

int main(int argc, char** argv) {
  kolam::Runtime runtime(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const kolam::index_t n = 1000;

  const double sum = kolam::reduce<Kokkos::Sum<double>>(
      exec, "sum", n, 0.0,
      KOKKOS_LAMBDA(kolam::index_t i, double& s) { s += static_cast<double>(i + 1); });
  std::cout << "1 + 2 + ... + " << n << " = " << sum << '\n';
  return sum == 500500.0 ? 0 : 1;
}
