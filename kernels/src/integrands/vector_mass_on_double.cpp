// SPDX-License-Identifier: Apache-2.0
#include <kolam/kernels/element_geometry.hpp>

namespace kolam {

#define KOLAM_INSTANTIATE(EXEC)                   \
  KOLAM_OPERATOR_ON(, 2, double, EXEC, MassOn, 2) \
  KOLAM_OPERATOR_ON(, 3, double, EXEC, MassOn, 3)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_OPERATOR_ON_HOST(, 2, double, MassOn, 2)
KOLAM_OPERATOR_ON_HOST(, 3, double, MassOn, 3)

}  // namespace kolam
