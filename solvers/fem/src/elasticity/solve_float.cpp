// SPDX-License-Identifier: Apache-2.0
#include "solve.hpp"

namespace kolam::fem {

#define KOLAM_INSTANTIATE(EXEC)                                                             \
  template ElasticitySolution solve_elasticity<float, 2, EXEC>(const EXEC&, const Mesh<2>&, \
                                                               const ElasticityOptions&);   \
  template ElasticitySolution solve_elasticity<float, 3, EXEC>(const EXEC&, const Mesh<3>&, \
                                                               const ElasticityOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
