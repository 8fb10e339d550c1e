// SPDX-License-Identifier: Apache-2.0
// What stands at the nodes of an element, on other points.
#pragma once

#include <array>
#include <kolam/kernels/element/basis.hpp>
#include <vector>

namespace kolam::fem::detail {

/// [components, points] from [components, nodes] (components fastest, then x): what a basis for each
/// direction makes of them, with the nodes that it has.
template <int Dim>
std::vector<double> interpolated(
    std::vector<double> values,
    const std::array<const Basis*, static_cast<std::size_t>(Dim)>& bases, int components = Dim);

}  // namespace kolam::fem::detail
