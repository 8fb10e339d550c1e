// SPDX-License-Identifier: Apache-2.0
// Preconditioners that programs select by name.
#pragma once

#include <string_view>

namespace kolam::fem {

/// A preconditioner of conjugate gradients. `jacobi`: inverse diagonal; `chebyshev`: five steps of
/// Chebyshev iteration; `pmg`: multigrid. The solver is merged_conjugate_gradient for `none` and
/// `jacobi`, otherwise conjugate_gradient.
enum class Preconditioner { none, jacobi, chebyshev, pmg };

///@{
/// Converts to and from the names above. Throws InvalidArgument, naming the value and the allowed
/// names, if the text is not among them.
std::string_view name(Preconditioner preconditioner);
Preconditioner parse_preconditioner(std::string_view text);
///@}

/// Solver of the coarsest level of multigrid: diagonally preconditioned conjugate gradients (`cg`)
/// or one V-cycle of hypre's BoomerAMG (`boomeramg`), see BoomerAmg.
enum class CoarseSolver { cg, boomeramg };
///@{
/// Converts to and from the names above. Throws InvalidArgument, naming the value and the allowed
/// names, if the text is not among them.
std::string_view name(CoarseSolver solver);
CoarseSolver parse_coarse_solver(std::string_view text);
///@}

}  // namespace kolam::fem
