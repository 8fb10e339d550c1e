// SPDX-License-Identifier: Apache-2.0
// The code in pages of docs/ that is in no example.
#include <exception>
#include <iostream>
#include <kolam/kolam.hpp>

namespace pages {

template <class View>
void fill(const View& x) {
  Kokkos::deep_copy(x, 1.0);
}

// docs/start.md
int solve() {
  const kolam::Array<double> u("u", 1000);
  return u.size() == 1000 ? 0 : 1;
}
int main(int argc, char** argv) {
  try {
    const kolam::Runtime runtime(argc, argv);
    return solve();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

// docs/strict-mode.md
double strict_mode() {
  double sum = 0;
  kolam::Array<double> u("u", 100);
  fill(u.write(kolam::host));
  const double* kept = u.read(kolam::host).data();
  fill(u.write(kolam::device));
  sum += kept[5];
  return sum;
}

// docs/profiling.md
void profiling(std::uint64_t steps) {
  const kolam::TransferBudget budget{.host_to_device = 0, .device_to_host = 8 * steps};
}

}  // namespace pages
