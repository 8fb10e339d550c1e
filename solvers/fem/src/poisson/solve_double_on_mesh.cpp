// SPDX-License-Identifier: Apache-2.0
#include "mesh.hpp"

namespace kolam::fem {

#define KOLAM_INSTANTIATE(EXEC)                                                       \
  extern template class detail::PoissonRun<double, 2, EXEC>;                          \
  extern template class detail::PoissonRun<double, 3, EXEC>;                          \
  template PoissonSolution solve_poisson<double, 2, EXEC>(                            \
      const EXEC&, const Mesh<2>&, const PoissonMeshOptions&, const PoissonOptions&); \
  template PoissonSolution solve_poisson<double, 3, EXEC>(                            \
      const EXEC&, const Mesh<3>&, const PoissonMeshOptions&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
