// SPDX-License-Identifier: Apache-2.0
// Polynomials on an interval, the factors of an element's tensor-product polynomials.
#pragma once

#include <cstddef>
#include <vector>

namespace kolam {

/// Values and first derivatives of the Lagrange polynomials of d1d nodes at q1d points.
struct Basis {
  int d1d;                        ///< number of nodes: degree + 1
  int q1d;                        ///< number of points
  std::vector<double> values;     ///< [q1d, d1d]: polynomial i at point q is values[q + q1d * i]
  std::vector<double> gradients;  ///< [q1d, d1d]: their derivatives, likewise

  ///@{
  /// Returns polynomial i (0 to d1d - 1), or its derivative, at point q (0 to q1d - 1).
  double value(int q, int i) const { return values[index(q, i)]; }
  double gradient(int q, int i) const { return gradients[index(q, i)]; }
  ///@}

 private:
  std::size_t index(int q, int i) const {
    return static_cast<std::size_t>(q) +
           static_cast<std::size_t>(q1d) * static_cast<std::size_t>(i);
  }
};

/// Returns the Lagrange polynomials of `nodes` at `points`: polynomial i is one at nodes[i] and
/// zero at the other nodes. Nodes must ascend; points may lie anywhere. If both are symmetric on
/// [0, 1] (to rounding), the matrices are symmetric bit for bit: value(q, i) =
/// value(q1d - 1 - q, d1d - 1 - i), and gradients have the opposite sign. Computed in long double.
/// Throws InvalidArgument for no nodes, no points, or nodes that do not ascend. Takes O(q1d d1d^3)
/// operations.
Basis lagrange_basis(const std::vector<double>& nodes, const std::vector<double>& points);

}  // namespace kolam
