// SPDX-License-Identifier: Apache-2.0
// The preconditioners that programs choose by name.
#pragma once

#include <string_view>

namespace kolam::fem {

/// `jacobi`: 1 over the diagonal; `chebyshev`: five steps of Chebyshev iteration; `pmg`:
/// multigrid. With none or `jacobi`, merged_conjugate_gradient solves, else conjugate_gradient.
enum class Preconditioner { none, jacobi, chebyshev, pmg };

///@{
/// The names above. `parse` throws InvalidArgument that names the value and those there are.
std::string_view name(Preconditioner preconditioner);
Preconditioner parse_preconditioner(std::string_view text);
///@}

/// How multigrid solves its coarsest level: by conjugate gradients with the diagonal (`cg`), or by one
/// V-cycle of hypre's BoomerAMG (`boomeramg`), see BoomerAmg.
enum class CoarseSolver { cg, boomeramg };
///@{
/// The names above. `parse` throws InvalidArgument that names the value and those there are.
std::string_view name(CoarseSolver solver);
CoarseSolver parse_coarse_solver(std::string_view text);
///@}

}  // namespace kolam::fem
