// SPDX-License-Identifier: Apache-2.0
// Quadrature on an interval.
#pragma once

#include <vector>

namespace kolam {

/// Points and weights of a quadrature rule on [0, 1]; the weights sum to 1. Exactly symmetric:
/// weights bit for bit, points x and 1 - x to the last rounding.
struct Quadrature {
  std::vector<double> points;   ///< on [0, 1], ascending
  std::vector<double> weights;  ///< one for each point, positive
};

/// Returns the n Gauss points, n >= 1: exact for polynomials of degree 2 n - 1. Throws
/// InvalidArgument for a smaller n.
///
/// If long double has more digits than double, values are the exact ones rounded to double, except
/// a few that lie between two doubles (0.502 units in the last place, up to n = 64). Takes O(n^2)
/// operations. (Newton's method on Legendre's recurrence in differences, as a function of the
/// distance from the end of the interval, so that points near the end keep their digits.)
Quadrature gauss_legendre(int n);

/// Returns the n Gauss-Lobatto points, n >= 2, including both ends: exact for polynomials of degree
/// 2 n - 3. Accuracy, cost and errors are as for gauss_legendre.
Quadrature gauss_lobatto(int n);

}  // namespace kolam
