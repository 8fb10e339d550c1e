// SPDX-License-Identifier: Apache-2.0
// What solve_elasticity refuses.
#pragma once

#include <kolam/fem/elasticity.hpp>

namespace kolam::fem::detail {

// Throws InvalidArgument as solve_elasticity says, but for what `space` and per_attribute see.
template <int Dim>
void require_elasticity(const Mesh<Dim>& mesh, const ElasticityOptions& options);

}  // namespace kolam::fem::detail
