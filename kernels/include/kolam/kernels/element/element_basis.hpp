// SPDX-License-Identifier: Apache-2.0
// Nodes and quadrature points of elements that are tensor products.
#pragma once

#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/quadrature.hpp>

namespace kolam {

/// One direction of an element [0, 1]^Dim; the others are the same.
struct ElementBasis {
  Basis values;     ///< [q1d, d1d]: of the nodes' polynomials at the points
  Basis gradients;  ///< [q1d, q1d]: of the points' own polynomials, to derive what is known there
  std::vector<double> nodes;  ///< d1d of them
  Quadrature quadrature;      ///< q1d points
  bool collocated;            ///< points are nodes: values are as they are

  /// Nodes in a direction: order + 1.
  int d1d() const { return values.d1d; }
  /// Quadrature points in a direction.
  int q1d() const { return values.q1d; }
};

/// Polynomials of `order` on Gauss-Lobatto nodes, integrated at q1d Gauss points in each direction
/// (order + 2 by CEED's convention, order + 1 are enough for an affine element). Throws
/// InvalidArgument unless 1 <= order < q1d.
ElementBasis gauss_element(int order, int q1d);

/// The same integrated at the nodes ("collocated", spectral elements): cheaper, and the mass matrix
/// is diagonal. Throws InvalidArgument for order < 1.
ElementBasis lobatto_element(int order);

/// Polynomials of `order` on Gauss-Lobatto nodes, where `other` integrates: for what elements have of
/// another order than a field, their geometry. Throws InvalidArgument for order < 1.
ElementBasis element_of_order(int order, const ElementBasis& other);

}  // namespace kolam
