// SPDX-License-Identifier: Apache-2.0
// Explicit instantiations, which users' programs then need not compile: spaces of boxes and of
// meshes, and the integrands of the library's forms.
#include <kolam/fem/operator.hpp>

#include "space_of_mesh.hpp"

namespace kolam::fem {

#define KOLAM_INSTANTIATE(EXEC)         \
  KOLAM_SPACE_OF_MESH(2, double, EXEC)  \
  KOLAM_SPACE_OF_MESH(3, double, EXEC)  \
  KOLAM_SPACE_OF_BOX(, 2, double, EXEC) \
  KOLAM_SPACE_OF_BOX(, 3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

namespace detail {
#undef KOLAM_INSTANTIATE
#define KOLAM_INSTANTIATE(EXEC)                                           \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_EACH_PHYSICS_IN_2, , 2, double, EXEC) \
  KOLAM_SHARED_INTEGRANDS(KOLAM_FOR_EACH_PHYSICS_IN_3, , 3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
}  // namespace detail

}  // namespace kolam::fem
