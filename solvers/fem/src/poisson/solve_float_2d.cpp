// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

namespace kolam::fem::detail {

#define KOLAM_INSTANTIATE(EXEC)              \
  template class PoissonRun<float, 2, EXEC>; \
  template class PoissonOnBox<float, 2, EXEC>;
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem::detail
