// SPDX-License-Identifier: Apache-2.0
#include "solve.hpp"

namespace kolam::fem {

#define KOLAM_INSTANTIATE(EXEC) KOLAM_WITHOUT_ELASTICITY(float, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
