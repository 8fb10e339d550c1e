// SPDX-License-Identifier: Apache-2.0
// Nodes of elements: interpolation from them, and the places of corners and sides among them.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/mapped_points.hpp>
#include <vector>

namespace kolam::fem::detail {

/// Interpolates nodal values, [components, nodes] (components fastest, then x), with one basis per
/// direction. Returns [components, points].
template <int Dim>
std::vector<double> interpolated(
    std::vector<double> values,
    const std::array<const Basis*, static_cast<std::size_t>(Dim)>& bases, int components = Dim);

/// Returns the place of a corner (bit k: upper end of direction k) among the nodes,
/// (order + 1)^dimensions.
KOKKOS_INLINE_FUNCTION int place_of_corner(int dimensions, int corner, int order) {
  int place = 0;
  for (int k = dimensions - 1; k >= 0; --k) place = place * (order + 1) + (corner >> k & 1) * order;
  return place;
}

/// Returns the place of node i of a side (see ElementSide; lower direction fastest) among the nodes
/// of the element, d1d per direction.
KOKKOS_INLINE_FUNCTION int place_on_side(int side, int i, int d1d) {
  const int stride = kolam::detail::power(d1d, side / 2);
  return i % stride + stride * (side % 2 * (d1d - 1) + d1d * (i / stride));
}

/// Returns the positions of the corners of an element, [Dim, 2^Dim].
/// `nodes` is [Dim, (order + 1)^Dim].
template <int Dim>
std::array<double, static_cast<std::size_t>(Dim << Dim)> corners_of(const double* nodes,
                                                                    int order) {
  std::array<double, static_cast<std::size_t>(Dim << Dim)> result;
  for (int c = 0; c < 1 << Dim; ++c)
    std::copy_n(nodes + Dim * place_of_corner(Dim, c, order), Dim, result.data() + Dim * c);
  return result;
}

/// Returns the Jacobian determinant, at corner c, of the straight element with the same corners;
/// `nodes` is [Dim, d1d^Dim].
template <int Dim>
KOKKOS_FUNCTION double straight_determinant_at(int c, const double* nodes, int d1d) {
  const auto place = [&](int corner) { return place_of_corner(Dim, corner, d1d - 1); };
  double jacobian[Dim][Dim];
  for (int k = 0; k < Dim; ++k)
    for (int m = 0; m < Dim; ++m)
      jacobian[k][m] = nodes[Dim * place(c | 1 << k) + m] - nodes[Dim * place(c & ~(1 << k)) + m];
  return kolam::detail::determinant(jacobian);
}

}  // namespace kolam::fem::detail
