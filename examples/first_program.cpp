// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <kolam/kolam.hpp>

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  kolam::Array<double> u("u", 1000);

  auto x = u.write(kolam::device);  // a Kokkos View<double*>
  kolam::forall("fill", u.size(), KOKKOS_LAMBDA(kolam::index_t i) { x(i) = 2.0 * i; });

  auto y = u.read(kolam::host);  // a View<const double*>, copied because it is stale here
  std::cout << "y(321) = " << y(321) << '\n';
}
