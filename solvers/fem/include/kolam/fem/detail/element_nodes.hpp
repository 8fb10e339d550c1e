// SPDX-License-Identifier: Apache-2.0
// Nodes of elements: what stands at them on other points, and where corners are among them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <kolam/kernels/element/basis.hpp>
#include <vector>

namespace kolam::fem::detail {

/// [components, points] from [components, nodes] (components fastest, then x): what a basis for each
/// direction makes of them, with the nodes that it has.
template <int Dim>
std::vector<double> interpolated(
    std::vector<double> values,
    const std::array<const Basis*, static_cast<std::size_t>(Dim)>& bases, int components = Dim);

/// Of a corner (bit k: the upper end of direction k), its place among (order + 1)^dimensions nodes.
inline int place_of_corner(int dimensions, int corner, int order) {
  int place = 0;
  for (int k = dimensions - 1; k >= 0; --k) place = place * (order + 1) + (corner >> k & 1) * order;
  return place;
}

/// The positions of the corners of an element, [Dim, 2^Dim]; nodes: [Dim, (order + 1)^Dim].
template <int Dim>
std::array<double, static_cast<std::size_t>(Dim << Dim)> corners_of(const double* nodes,
                                                                    int order) {
  std::array<double, static_cast<std::size_t>(Dim << Dim)> result;
  for (int c = 0; c < 1 << Dim; ++c)
    std::copy_n(nodes + Dim * place_of_corner(Dim, c, order), Dim, result.data() + Dim * c);
  return result;
}

/// A matrix as mesh functions of the host have it.
template <int Dim>
using Matrix =
    std::array<std::array<double, static_cast<std::size_t>(Dim)>, static_cast<std::size_t>(Dim)>;
/// Its determinant.
template <int Dim>
double determinant(const Matrix<Dim>& j) {
  if constexpr (Dim == 2) {
    return j[0][0] * j[1][1] - j[0][1] * j[1][0];
  } else {
    return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
           j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
           j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
  }
}

}  // namespace kolam::fem::detail
