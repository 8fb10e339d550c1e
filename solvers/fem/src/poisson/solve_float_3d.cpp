// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

namespace kolam::fem {

#define KOLAM_INSTANTIATE(EXEC)                               \
  extern template class detail::PoissonOnBox<float, 2, EXEC>; \
  template class detail::PoissonRun<float, 3, EXEC>;          \
  template class detail::PoissonOnBox<float, 3, EXEC>;        \
  template PoissonSolution solve_poisson<float, EXEC>(const EXEC&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
