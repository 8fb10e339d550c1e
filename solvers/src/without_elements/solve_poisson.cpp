// SPDX-License-Identifier: Apache-2.0
// Stands in for src/poisson/solve_*.cpp in a build without finite elements.
#include <Kokkos_Core.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/solvers/poisson.hpp>

namespace kolam {

template <class T, class Exec>
PoissonSolution solve_poisson(const Exec&, const PoissonOptions&) {
  throw InvalidArgument(
      "finite elements are left out of this build of kolam, which is compiled sooner without them; "
      "`scripts/demo poisson` adds them, `cmake --workflow --preset openmp` builds everything");
}

#define KOLAM_INSTANTIATE(EXEC)                                                            \
  template PoissonSolution solve_poisson<float, EXEC>(const EXEC&, const PoissonOptions&); \
  template PoissonSolution solve_poisson<double, EXEC>(const EXEC&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
