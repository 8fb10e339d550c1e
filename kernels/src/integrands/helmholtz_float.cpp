// SPDX-License-Identifier: Apache-2.0
#include <kolam/kernels/integrands.hpp>

namespace kolam {

#define KOLAM_INSTANTIATE_IN(DIM, T, EXEC) \
  KOLAM_APPLY_ELEMENTS(DIM, T, EXEC, Helmholtz<T, DIM, 1, EXEC>)
#define KOLAM_INSTANTIATE(EXEC)        \
  KOLAM_INSTANTIATE_IN(2, float, EXEC) \
  KOLAM_INSTANTIATE_IN(3, float, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_APPLY_ON_HOST(2, float, Helmholtz<float, 2, 1, detail::AnyHost>)
KOLAM_APPLY_ON_HOST(3, float, Helmholtz<float, 3, 1, detail::AnyHost>)

}  // namespace kolam
