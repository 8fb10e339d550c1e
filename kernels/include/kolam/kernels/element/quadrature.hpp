// SPDX-License-Identifier: Apache-2.0
// Quadrature on an interval.
#pragma once

#include <vector>

namespace kolam {

/// Points on [0, 1], ascending, and their weights, whose sum is 1. Exactly symmetric: weights bit
/// for bit, points x and 1 - x to the last rounding.
struct Quadrature {
  std::vector<double> points;   ///< on [0, 1], ascending
  std::vector<double> weights;  ///< one for each point, positive
};

/// The n Gauss points, n >= 1: exact for polynomials of degree 2 n - 1. Throws InvalidArgument for
/// a smaller n.
///
/// Values are the exact ones rounded to double, but for a few that lie between two numbers (0.502
/// units in the last place, up to n = 64), where long double has more digits than double. Takes
/// O(n^2). (Newton's method on Legendre's recurrence in differences, as a function of the distance
/// from the end of the interval, so that points near to it keep their digits.)
Quadrature gauss_legendre(int n);

/// The n Gauss-Lobatto points, n >= 2, both ends among them: exact for polynomials of degree
/// 2 n - 3. Otherwise as gauss_legendre.
Quadrature gauss_lobatto(int n);

}  // namespace kolam
