// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <kolam/core/error.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <limits>
#include <string>

namespace kolam {
namespace {

using Real = long double;

// Returns the product over all nodes but `i` (and `k`) of (x - node) / (node i - node).
Real product(const std::vector<double>& nodes, std::size_t i, std::size_t k, Real x) {
  Real result = 1;
  for (std::size_t j = 0; j < nodes.size(); ++j)
    if (j != i && j != k) result *= (x - nodes[j]) / (Real(nodes[i]) - nodes[j]);
  return result;
}

Real derivative(const std::vector<double>& nodes, std::size_t i, Real x) {
  Real sum = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != i) sum += product(nodes, i, k, x) / (Real(nodes[i]) - nodes[k]);
  return sum;
}

bool symmetric(const std::vector<double>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i)
    if (std::abs(x[i] + x[n - 1 - i] - 1) > 2 * std::numeric_limits<double>::epsilon())
      return false;
  return true;
}

}  // namespace

Basis lagrange_basis(const std::vector<double>& nodes, const std::vector<double>& points) {
  if (nodes.empty() || points.empty()) {
    throw InvalidArgument("lagrange_basis: " + std::to_string(nodes.size()) + " nodes and " +
                          std::to_string(points.size()) + " points; take at least one of each");
  }
  const auto not_above = std::adjacent_find(nodes.begin(), nodes.end(), std::not_fn(std::less<>()));
  if (not_above != nodes.end()) {
    throw InvalidArgument("lagrange_basis: node " + std::to_string(not_above[1]) + " follows " +
                          std::to_string(not_above[0]) + "; nodes must ascend");
  }
  const std::size_t q1d = points.size();
  const std::size_t d1d = nodes.size();
  Basis basis{static_cast<int>(d1d), static_cast<int>(q1d), std::vector<double>(q1d * d1d),
              std::vector<double>(q1d * d1d)};
  const auto set = [&](std::size_t q, std::size_t i, Real value, Real gradient) {
    basis.values[q + q1d * i] = static_cast<double>(value);
    basis.gradients[q + q1d * i] = static_cast<double>(gradient);
  };
  // (Only half of a symmetric matrix is computed: rounding would make the other half a little
  // different.)
  const bool mirrored = symmetric(nodes) && symmetric(points);
  for (std::size_t i = 0; i < (mirrored ? (d1d + 1) / 2 : d1d); ++i) {
    for (std::size_t q = 0; q < q1d; ++q) {
      const std::size_t across = q1d - 1 - q;
      if (mirrored && 2 * i + 1 == d1d && q > across) continue;
      const bool centre = mirrored && 2 * i + 1 == d1d && q == across;
      const Real value = product(nodes, i, i, points[q]);
      const Real gradient = centre ? Real(0) : derivative(nodes, i, points[q]);
      set(q, i, value, gradient);
      if (mirrored) set(across, d1d - 1 - i, value, -gradient);
    }
  }
  return basis;
}

}  // namespace kolam
