// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <kolam/testing/matchers.hpp>
#include <map>
#include <utility>
#include <vector>

namespace kolam::testing {
namespace {

// [point q][polynomial i] of six Gauss-Lobatto nodes at seven Gauss points: value, derivative.
const std::map<std::pair<int, int>, std::pair<double, double>> matrix_values{
    {{0, 0}, {0.6613801132697960389, -11.70128831301215958}},
    {{0, 3}, {0.078668976486173446298, 1.8272373011578665837}},
    {{1, 5}, {-0.005632944855822907125, -0.47935500843871364957}},
    {{2, 1}, {0.25494310274497868853, -4.9052330582418547923}},
    {{3, 2}, {0.63214864235384227977, -4.432530108549472838}},
    {{4, 4}, {0.25494310274497868853, 4.9052330582418547923}},
    {{6, 0}, {0.017268933385440837434, -0.39084295844161497804}},
};

Basis on_gauss_points(int d1d, int q1d) {
  return lagrange_basis(gauss_lobatto(d1d).points, gauss_legendre(q1d).points);
}

// (Up to the rounding errors of nodes and points.)
TEST(Basis, MatchesValuesOfHighPrecision) {
  const Basis basis = on_gauss_points(6, 7);
  for (const auto& [place, expected] : matrix_values) {
    const auto [q, i] = place;
    EXPECT_NEAR(basis.value(q, i), expected.first, 3e-16) << q << ' ' << i;
    EXPECT_NEAR(basis.gradient(q, i), expected.second, 1e-14) << q << ' ' << i;
  }
}

// Interpolates x^k from the nodes to points that are not nodes.
TEST(Basis, ReproducesPolynomials) {
  for (int d1d = 2; d1d <= 12; ++d1d) {
    const std::vector<double> nodes = gauss_lobatto(d1d).points;
    const std::vector<double> points{-0.1, 0.0, 0.31, 0.77, 1.0, 1.05};
    const Basis basis = lagrange_basis(nodes, points);
    for (int k = 0; k < d1d; ++k) {
      for (int q = 0; q < basis.q1d; ++q) {
        double value = 0;
        double gradient = 0;
        for (int i = 0; i < d1d; ++i) {
          const double at_node = std::pow(nodes[static_cast<std::size_t>(i)], k);
          value += basis.value(q, i) * at_node;
          gradient += basis.gradient(q, i) * at_node;
        }
        const double x = points[static_cast<std::size_t>(q)];
        EXPECT_NEAR(value, std::pow(x, k), 1e-13) << d1d << ' ' << k;
        EXPECT_NEAR(gradient, k == 0 ? 0 : k * std::pow(x, k - 1), 2e-11) << d1d << ' ' << k;
      }
    }
  }
}

TEST(Basis, IsTheIdentityAtItsNodes) {
  const std::vector<double> nodes = gauss_lobatto(9).points;
  const Basis basis = lagrange_basis(nodes, nodes);
  for (int q = 0; q < 9; ++q)
    for (int i = 0; i < 9; ++i) EXPECT_EQ(basis.value(q, i), q == i ? 1 : 0);
}

TEST(Basis, IsSymmetricToTheLastBit) {
  for (const auto& [d1d, q1d] : {std::pair(2, 2), {4, 5}, {5, 5}, {7, 9}, {41, 42}}) {
    const Basis basis = on_gauss_points(d1d, q1d);
    for (int q = 0; q < q1d; ++q) {
      for (int i = 0; i < d1d; ++i) {
        ASSERT_EQ(basis.value(q, i), basis.value(q1d - 1 - q, d1d - 1 - i));
        ASSERT_EQ(basis.gradient(q, i), -basis.gradient(q1d - 1 - q, d1d - 1 - i));
      }
    }
  }
  // One node, and points without symmetry.
  EXPECT_EQ(lagrange_basis({0.5}, {0.1, 0.2}).values, (std::vector<double>{1, 1}));
  EXPECT_EQ(lagrange_basis({0, 1}, {0.25, 0.5}).values,
            (std::vector<double>{0.75, 0.5, 0.25, 0.5}));
}

TEST(Basis, RefusesNodesThatDoNotAscend) {
  EXPECT_EQ(
      error_of<InvalidArgument>([] { static_cast<void>(lagrange_basis({0, 0.5, 0.5}, {0})); }),
      "lagrange_basis: node 0.500000 follows 0.500000; nodes must ascend");
  EXPECT_EQ(error_of<InvalidArgument>([] { static_cast<void>(lagrange_basis({}, {0})); }),
            "lagrange_basis: 0 nodes and 1 points; take at least one of each");
}

}  // namespace
}  // namespace kolam::testing
