// SPDX-License-Identifier: Apache-2.0
// Checks of the options of solve_elasticity.
#pragma once

#include <kolam/fem/elasticity.hpp>

namespace kolam::fem::detail {

// Throws InvalidArgument as solve_elasticity does, without the checks of `space` and per_attribute.
template <int Dim>
void require_elasticity(const Mesh<Dim>& mesh, const ElasticityOptions& options);

}  // namespace kolam::fem::detail
