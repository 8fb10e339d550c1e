// SPDX-License-Identifier: Apache-2.0
// Checks of problems on meshes.
#pragma once

#include <kolam/fem/poisson.hpp>

namespace kolam::fem::detail {

// Throws InvalidArgument for a problem that does not fit the mesh. is_known: some sides have a
// Dirichlet or Robin condition. all_have_attributes: all boundary sides have attributes.
void require_problem_on_mesh(const PoissonMeshOptions& on_mesh, const PoissonOptions& options,
                             bool has_gradients, bool is_known, bool all_have_attributes);

}  // namespace kolam::fem::detail
