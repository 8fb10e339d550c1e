// SPDX-License-Identifier: Apache-2.0
#include <kolam/kernels/integrands.hpp>

namespace kolam {

#define KOLAM_INSTANTIATE_IN(DIM, T, EXEC) KOLAM_APPLY_ELEMENTS(DIM, T, EXEC, Mass<T, DIM, EXEC>)
#define KOLAM_INSTANTIATE(EXEC)         \
  KOLAM_INSTANTIATE_IN(2, double, EXEC) \
  KOLAM_INSTANTIATE_IN(3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_APPLY_ON_HOST(2, double, Mass<double, 2, detail::AnyHost>)
KOLAM_APPLY_ON_HOST(3, double, Mass<double, 3, detail::AnyHost>)

}  // namespace kolam
