// SPDX-License-Identifier: Apache-2.0
// Explicit instantiations of operators and solvers, for model problems and users' programs.
#include "chosen_solver.hpp"

#define KOLAM_INSTANTIATE(EXEC)         \
  KOLAM_MULTIGRID_OF(, 2, double, EXEC) \
  KOLAM_MULTIGRID_OF(, 3, double, EXEC)
namespace kolam {
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
}  // namespace kolam

#undef KOLAM_INSTANTIATE
#define KOLAM_INSTANTIATE(EXEC) KOLAM_OPERATORS(, double, EXEC)
namespace kolam::fem {
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
}  // namespace kolam::fem

#undef KOLAM_INSTANTIATE
#define KOLAM_INSTANTIATE(EXEC) KOLAM_CHOSEN_SOLVER(, double, EXEC)
namespace kolam::fem::detail {
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
}  // namespace kolam::fem::detail
