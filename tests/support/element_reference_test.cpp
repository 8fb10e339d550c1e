// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <kolam/testing/element_reference.hpp>
#include <numeric>

namespace kolam::testing {
namespace {

// One element with an entry for each node.
RandomElements one_element(int dims, int d1d) {
  RandomElements all(dims, d1d, 1, 1);
  all.entries = all.nodes;
  std::iota(all.map.begin(), all.map.end(), 0);
  return all;
}

TEST(ElementReference, IntegratesAPolynomialAndItsDerivative) {
  const ElementBasis basis = gauss_element(2, 3);
  const RandomElements all = one_element(2, 3);
  std::vector<double> x;  // u = x^2 y
  for (int i = 0; i < 9; ++i) {
    const double at_x = basis.nodes[static_cast<std::size_t>(i % 3)];
    x.push_back(at_x * at_x * basis.nodes[static_cast<std::size_t>(i / 3)]);
  }
  double integral = 0;
  double of_x = 0;
  double of_y = 0;
  std::vector<double> y(9, 0.0);
  reference_apply(all, basis, 1, x, y, [&](index_t, int point, ReferencePoint& at) {
    const auto& weights = basis.quadrature.weights;
    const double weight =
        weights[static_cast<std::size_t>(point % 3)] * weights[static_cast<std::size_t>(point / 3)];
    integral += weight * at[0][0];
    of_x += weight * at[0][1];
    of_y += weight * at[0][2];
    at[0] = {weight, 0, 0, 0};
  });
  EXPECT_NEAR(integral, 1.0 / 6, 1e-15);
  EXPECT_NEAR(of_x, 1.0 / 2, 1e-15);
  EXPECT_NEAR(of_y, 1.0 / 3, 1e-15);
  EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0), 1,
              1e-15);  // the sum of test functions is 1
}

TEST(ElementReference, HasNodesWithoutEntries) {
  const RandomElements all(3, 3, 50, 1);
  EXPECT_TRUE(std::any_of(all.map.begin(), all.map.end(), [](int entry) { return entry < 0; }));
  EXPECT_TRUE(
      std::all_of(all.map.begin(), all.map.end(), [&](int entry) { return entry < all.entries; }));
}

}  // namespace
}  // namespace kolam::testing
