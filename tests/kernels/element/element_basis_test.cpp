// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

// Interpolates x^power from the nodes to the points, and takes derivatives from these values.
void expect_exact(const ElementBasis& basis, int power) {
  const auto f = [&](double x) { return std::pow(x, power); };
  const auto derivative = [&](double x) { return power * std::pow(x, power - 1); };
  std::vector<double> values(static_cast<std::size_t>(basis.q1d()), 0.0);
  for (int q = 0; q < basis.q1d(); ++q)
    for (int i = 0; i < basis.d1d(); ++i)
      values[static_cast<std::size_t>(q)] +=
          basis.values.value(q, i) * f(basis.nodes[static_cast<std::size_t>(i)]);
  for (int q = 0; q < basis.q1d(); ++q) {
    const double x = basis.quadrature.points[static_cast<std::size_t>(q)];
    EXPECT_NEAR(values[static_cast<std::size_t>(q)], f(x), 1e-14);
    double sum = 0;
    for (int k = 0; k < basis.q1d(); ++k)
      sum += basis.gradients.gradient(q, k) * values[static_cast<std::size_t>(k)];
    EXPECT_NEAR(sum, derivative(x), 1e-12 * power);
  }
}

TEST(ElementBasis, InterpolatesAndDerivesPolynomialsOfItsOrder) {
  for (int order = 1; order <= 8; ++order) {
    for (int power = 1; power <= order; ++power) {
      expect_exact(gauss_element(order, order + 1), power);
      expect_exact(gauss_element(order, order + 2), power);
      expect_exact(lobatto_element(order), power);
    }
  }
}

TEST(ElementBasis, LeavesValuesAtNodesAsTheyAre) {
  const ElementBasis basis = lobatto_element(5);
  EXPECT_TRUE(basis.collocated);
  EXPECT_FALSE(gauss_element(5, 6).collocated);
  for (int q = 0; q < basis.q1d(); ++q)
    for (int i = 0; i < basis.d1d(); ++i) EXPECT_EQ(basis.values.value(q, i), q == i ? 1 : 0);
}

TEST(ElementBasis, RefusesOrdersAndPointsThatMakeNoElement) {
  const auto gauss = [](int order, int q1d) {
    return error_of<InvalidArgument>([=] { static_cast<void>(gauss_element(order, q1d)); });
  };
  EXPECT_THAT(gauss(0, 2), HasSubstr("order 0 has no nodes on both ends"));
  EXPECT_THAT(gauss(3, 3), HasSubstr("3 points for order 3 leave modes that no point sees"));
  EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(lobatto_element(-1)); }),
              HasSubstr("lobatto_element: order -1"));
}

}  // namespace
}  // namespace kolam::testing
