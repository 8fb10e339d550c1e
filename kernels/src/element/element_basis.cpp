// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/error.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <string>
#include <utility>

namespace kolam {
namespace {

void require_order(const std::string& what, int order) {
  if (order < 1) {
    throw InvalidArgument(what + ": order " + std::to_string(order) +
                          " has no nodes on both ends of an element; take 1 or more");
  }
}

ElementBasis element(int order, Quadrature quadrature, bool collocated) {
  std::vector<double> nodes = gauss_lobatto(order + 1).points;
  Basis values = lagrange_basis(nodes, quadrature.points);
  Basis gradients = lagrange_basis(quadrature.points, quadrature.points);
  return {std::move(values), std::move(gradients), std::move(nodes), std::move(quadrature),
          collocated};
}

}  // namespace

ElementBasis gauss_element(int order, int q1d) {
  require_order("gauss_element", order);
  if (q1d <= order) {
    throw InvalidArgument("gauss_element: " + std::to_string(q1d) + " points for order " +
                          std::to_string(order) +
                          " leave modes that no point sees; take q1d > order");
  }
  return element(order, gauss_legendre(q1d), false);
}

ElementBasis lobatto_element(int order) {
  require_order("lobatto_element", order);
  return element(order, gauss_lobatto(order + 1), true);
}

ElementBasis element_of_order(int order, const ElementBasis& other) {
  require_order("element_of_order", order);
  return element(order, other.quadrature, other.collocated && order + 1 == other.d1d());
}

}  // namespace kolam
