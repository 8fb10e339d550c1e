// SPDX-License-Identifier: Apache-2.0
#include "solve.hpp"

namespace kolam::fem::detail {

#define KOLAM_INSTANTIATE(EXEC) \
  template PoissonSolution solve_on_box<float, 2, EXEC>(const EXEC&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem::detail
