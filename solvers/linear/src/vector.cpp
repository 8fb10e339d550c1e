// SPDX-License-Identifier: Apache-2.0
#include <kolam/linear/vector.hpp>

namespace kolam::linear {

#define KOLAM_INSTANTIATE(EXEC) \
  KOLAM_VECTORS(, float, EXEC)  \
  KOLAM_VECTORS(, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::linear
