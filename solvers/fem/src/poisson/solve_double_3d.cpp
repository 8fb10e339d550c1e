// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

namespace kolam::fem {

#define KOLAM_INSTANTIATE(EXEC)                                \
  extern template class detail::PoissonOnBox<double, 2, EXEC>; \
  template class detail::PoissonRun<double, 3, EXEC>;          \
  template class detail::PoissonOnBox<double, 3, EXEC>;        \
  template PoissonSolution solve_poisson<double, EXEC>(const EXEC&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
