// SPDX-License-Identifier: Apache-2.0
// Nodes and quadrature points of tensor-product elements.
#pragma once

#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/quadrature.hpp>

namespace kolam {

/// The basis of an element [0, 1]^Dim in one direction; all directions share it.
struct ElementBasis {
  Basis values;     ///< [q1d, d1d]: polynomials of the nodes, at the points
  Basis gradients;  ///< [q1d, q1d]: polynomials of the points, to differentiate values there
  std::vector<double> nodes;  ///< d1d nodes
  Quadrature quadrature;      ///< q1d points
  bool collocated;            ///< whether the points are the nodes, so that values need no product

  /// Returns the number of nodes in a direction, order + 1.
  int d1d() const { return values.d1d; }
  /// Returns the number of quadrature points in a direction.
  int q1d() const { return values.q1d; }
};

/// Returns polynomials of `order` on Gauss-Lobatto nodes, integrated at q1d Gauss points in each
/// direction (order + 2 by CEED's convention; order + 1 are enough for an affine element). Throws
/// InvalidArgument unless 1 <= order < q1d.
ElementBasis gauss_element(int order, int q1d);

/// Returns polynomials of `order` on Gauss-Lobatto nodes, integrated at the nodes ("collocated",
/// spectral elements): cheaper, and the mass matrix is diagonal. Throws InvalidArgument for
/// order < 1.
ElementBasis lobatto_element(int order);

/// Returns polynomials of `order` on Gauss-Lobatto nodes, integrated at the points of `other`: for
/// data of elements whose order differs from the field's, such as their geometry. Throws
/// InvalidArgument for order < 1.
ElementBasis element_of_order(int order, const ElementBasis& other);

}  // namespace kolam
