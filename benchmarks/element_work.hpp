// SPDX-License-Identifier: Apache-2.0
// Formulas for the bytes and flop of finite-element operators in three dimensions.
#pragma once

#include <algorithm>
#include <cmath>
#include <kolam/core/index.hpp>
#include <kolam/fem/poisson.hpp>
#include <kolam/kernels/element/sizes.hpp>
#include <set>
#include <string>
#include <vector>

#include "suite.hpp"

namespace kolam::benchmarks {

/// n^3 elements of a CEED bake-off problem.
struct ElementWork {
  fem::PoissonProblem problem;
  fem::Geometry geometry;
  int order;
  index_t n;
  std::size_t value;  ///< bytes of a number

  bool mass() const {
    return problem == fem::PoissonProblem::bp1 || problem == fem::PoissonProblem::bp2;
  }
  bool collocated() const {
    return problem == fem::PoissonProblem::bp5 || problem == fem::PoissonProblem::bp6;
  }
  int components() const {
    return problem == fem::PoissonProblem::bp2 || problem == fem::PoissonProblem::bp4 ||
                   problem == fem::PoissonProblem::bp6
               ? 3
               : 1;
  }
  /// Returns the quadrature points per direction.
  int q1d() const { return collocated() ? order + 1 : order + 2; }
  double elements() const { return static_cast<double>(n * n * n); }
  /// Returns the nodes of the structured grid.
  double nodes() const {
    const auto across = static_cast<double>(n * order + 1);
    return across * across * across;
  }
  double nodes_of_elements() const {
    const double d = order + 1;
    return d * d * d * elements();
  }
  /// Returns the bytes of quadrature data or geometry.
  double bytes_of_data() const {
    const double q = q1d();
    const double of_point = mass() ? 1 : 6;
    const double numbers = geometry == fem::Geometry::stored   ? of_point * q * q * q
                           : geometry == fem::Geometry::affine ? 7
                                                               : 24;
    return static_cast<double>(value) * numbers * elements();
  }
  /// Returns the flop of contractions, without even-odd decomposition, and at quadrature points.
  double flop() const {
    const double d = order + 1;
    const double q = q1d();
    double of_element = 0;
    if (!collocated()) of_element += 4 * (d * d * d * q + d * d * q * q + d * q * q * q);
    if (!mass()) of_element += 12 * q * q * q * q + 15 * q * q * q;
    if (mass()) of_element += q * q * q;
    return of_element * components() * elements();
  }
  double dofs() const { return nodes() * components(); }

  /// Returns whether the build has kernels for this size; else the kernel for any size would run.
  bool compiled() const {
    const std::string size =
        std::to_string(order + 1) + "x" + std::to_string(q1d()) + (collocated() ? "c" : "");
    const std::vector<std::string> sizes = element_sizes();
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
  }

  /// "bp3-stored-p4"
  std::string text() const {
    std::string all(name(problem));
    return all.append("-").append(name(geometry)).append("-p").append(std::to_string(order));
  }
};

/// Returns the elements per direction for about `dofs` unknowns.
inline index_t elements_across(index_t dofs, int components, int order) {
  const double nodes = static_cast<double>(dofs) / components;
  return std::max<index_t>(1, std::llround((std::cbrt(nodes) - 1) / order));
}

/// Returns the orders to measure: the requested ones, else the build's; at scales below full only
/// those in `quick`, or the lowest if there are none.
inline std::set<int> orders_of_build(const std::set<int>& quick) {
  std::set<int> orders(options().orders.begin(), options().orders.end());
  if (!orders.empty()) return orders;
  for (const std::string& size : element_sizes()) orders.insert(std::stoi(size) - 1);
  if (options().scale == Scale::full) return orders;
  std::set<int> few;
  for (const int order : orders) {
    if (quick.contains(order)) few.insert(order);
  }
  return few.empty() ? std::set<int>{*orders.begin()} : few;
}

/// Returns the unknowns to measure on a backend: the requested ones, else by scale.
template <class Exec>
std::vector<index_t> unknowns_to_measure() {
  if (!options().dofs.empty()) return options().dofs;
  if (has_block_threads<Exec>)
    return options().by_scale<std::vector<index_t>>({1000}, {2'000'000},
                                                    {100'000, 1'000'000, 14'000'000});
  return options().by_scale<std::vector<index_t>>({1000}, {100'000}, {20'000, 390'000, 5'000'000});
}

}  // namespace kolam::benchmarks
