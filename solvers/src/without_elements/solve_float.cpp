// SPDX-License-Identifier: Apache-2.0
// Stands in for src/poisson/solve_float_*.cpp in a build whose finite elements are of doubles
// alone.
#include <Kokkos_Core.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/solvers/poisson.hpp>

namespace kolam::detail {

template <class T, int Dim, class Exec>
PoissonSolution solve_on_box(const Exec&, const PoissonOptions&) {
  throw InvalidArgument(
      "finite elements in single precision are left out of this build of kolam, which is compiled "
      "sooner without "
      "them; `scripts/demo poisson --precision float` adds them, `cmake --workflow --preset "
      "openmp` builds everything");
}

#define KOLAM_INSTANTIATE(EXEC)                                                              \
  template PoissonSolution solve_on_box<float, 2, EXEC>(const EXEC&, const PoissonOptions&); \
  template PoissonSolution solve_on_box<float, 3, EXEC>(const EXEC&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::detail
