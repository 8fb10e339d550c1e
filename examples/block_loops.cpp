// SPDX-License-Identifier: Apache-2.0
// Fills an array element by element, in blocks of threads, scales it, and checks it on the host.
#include <iostream>
#include <kolam/kolam.hpp>

int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  const int p = 4, elements = 1000, n = p * p * p * elements;
  kolam::Array<double> u("u", n), v("v", n);

  auto a = kolam::reshape(u.write(kolam::device), p, p, p, elements);  // first index fastest
  kolam::forall_3d(
      "fill", elements, {p, p, p}, KOKKOS_LAMBDA(const kolam::Block<>& block, kolam::index_t e) {
        block.foreach_z(p, [&](int k) {
          block.foreach_y(p, [&](int j) {
            block.foreach_x(p, [&](int i) { a(i, j, k, e) = i + 10 * j + 100 * k; });
          });
        });
      });

  auto x = u.read(kolam::device);   // View<const double*>
  auto y = v.write(kolam::device);  // View<double*>
  kolam::forall("scale", n, KOKKOS_LAMBDA(kolam::index_t i) { y(i) = 2 * x(i); });

  auto h = kolam::reshape(v.read(kolam::host), p, p, p, elements);  // copies only what is stale
  std::cout << "v(1, 2, 3, last) = " << h(1, 2, 3, elements - 1) << '\n';
  return h(1, 2, 3, elements - 1) == 642 ? 0 : 1;
}
