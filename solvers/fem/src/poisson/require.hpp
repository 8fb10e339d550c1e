// SPDX-License-Identifier: Apache-2.0
// What problems on meshes refuse.
#pragma once

#include <kolam/fem/poisson.hpp>

namespace kolam::fem::detail {

// Throws InvalidArgument for a problem that does not fit. is_known: some sides have a Dirichlet
// condition. all_have_attributes: all sides of the boundary.
void require_problem_on_mesh(const PoissonMeshOptions& on_mesh, const PoissonOptions& options,
                             bool has_gradients, bool is_known, bool all_have_attributes);

}  // namespace kolam::fem::detail
