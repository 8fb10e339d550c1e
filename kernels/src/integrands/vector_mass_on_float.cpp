// SPDX-License-Identifier: Apache-2.0
#include <kolam/kernels/element_geometry.hpp>

namespace kolam {

#define KOLAM_INSTANTIATE(EXEC)                  \
  KOLAM_OPERATOR_ON(, 2, float, EXEC, MassOn, 2) \
  KOLAM_OPERATOR_ON(, 3, float, EXEC, MassOn, 3)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_OPERATOR_ON_HOST(, 2, float, MassOn, 2)
KOLAM_OPERATOR_ON_HOST(, 3, float, MassOn, 3)

}  // namespace kolam
