// SPDX-License-Identifier: Apache-2.0
#include <kolam/kernels/element_diagonal.hpp>
#include <kolam/kernels/geometry.hpp>

namespace kolam {

#define KOLAM_INSTANTIATE(EXEC)      \
  KOLAM_ADD_DIAGONAL(2, float, EXEC) \
  KOLAM_ADD_DIAGONAL(3, float, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_APPLY_ON_HOST(2, float, Source<float, 1, detail::AnyHost>)
KOLAM_APPLY_ON_HOST(3, float, Source<float, 1, detail::AnyHost>)
KOLAM_APPLY_ON_HOST(2, float, detail::MappedPointsOnHost<float, 2>)
KOLAM_APPLY_ON_HOST(3, float, detail::MappedPointsOnHost<float, 3>)

}  // namespace kolam
