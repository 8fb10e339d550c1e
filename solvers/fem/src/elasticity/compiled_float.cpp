// SPDX-License-Identifier: Apache-2.0
// Explicit instantiations of the integrands of elasticity, see ../compiled_float.cpp.
#include <kolam/fem/operator.hpp>

namespace kolam::fem::detail {

#define KOLAM_INSTANTIATE(EXEC)                                        \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_ELASTICITY_IN_2, , 2, float, EXEC) \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_ELASTICITY_IN_3, , 3, float, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem::detail
