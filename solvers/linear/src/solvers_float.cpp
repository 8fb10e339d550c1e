// SPDX-License-Identifier: Apache-2.0
#include "solvers.hpp"

namespace kolam::linear {

#define KOLAM_INSTANTIATE(EXEC)   \
  KOLAM_SOLVERS_OF(, float, EXEC) \
  template class Multigrid<float, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::linear
