// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace kolam::testing {
namespace {

using Rule = std::vector<std::pair<double, double>>;

// Points and weights of the lower half, by number of points; from 60 digits.
const std::map<int, Rule> gauss_values{
    {1, {{0.5, 1.0}}},
    {2, {{0.21132486540518711775, 0.5}}},
    {3, {{0.11270166537925831148, 0.27777777777777777778}, {0.5, 0.44444444444444444444}}},
    {5,
     {{0.046910077030668003601, 0.11846344252809454376},
      {0.23076534494715845448, 0.23931433524968323402},
      {0.5, 0.28444444444444444444}}},
    {8,
     {{0.019855071751231884158, 0.050614268145188129576},
      {0.1016667612931866302, 0.11119051722668723527},
      {0.23723379504183550709, 0.15685332293894364367},
      {0.40828267875217509753, 0.18134189168918099148}}},
    {16,
     {{0.0052995325041750337019, 0.013576229705877047426},
      {0.027712488463383711961, 0.031126761969323946431},
      {0.06718439880608412806, 0.047579255841246392405},
      {0.12229779582249848305, 0.062314485627766936026},
      {0.19106187779867812578, 0.074797994408288366041},
      {0.27099161117138630683, 0.084578259697501269095},
      {0.35919822461037054338, 0.091301707522461794433},
      {0.45249374508118127991, 0.094725305227534248143}}},
};
const std::map<int, Rule> lobatto_values{
    {2, {{0.0, 0.5}}},
    {3, {{0.0, 0.16666666666666666667}, {0.5, 0.66666666666666666667}}},
    {4, {{0.0, 0.083333333333333333333}, {0.27639320225002103036, 0.41666666666666666667}}},
    {5,
     {{0.0, 0.05}, {0.1726731646460114281, 0.27222222222222222222}, {0.5, 0.35555555555555555556}}},
    {9,
     {{0.0, 0.013888888888888888889},
      {0.050121002294269921344, 0.082747680780402762523},
      {0.16140686024463112328, 0.13726935625008086764},
      {0.31844126808691092064, 0.17321425548652317256},
      {0.5, 0.18575963718820861678}}},
    {16,
     {{0.0, 0.0041666666666666666667},
      {0.015215976864891033524, 0.025425180502959952702},
      {0.050399733453263953503, 0.044696848662965400496},
      {0.10399585406909246803, 0.062127691066257049175},
      {0.17380564855875345527, 0.077013490403582140408},
      {0.25697028905643119411, 0.088745956695852062651},
      {0.35008476554961839595, 0.096845011912601792158},
      {0.44933686323902527608, 0.10097915408911493574}}},
};

// (If long double is double, the last bits are lost.)
constexpr bool extended = std::numeric_limits<long double>::digits > 53;

void expect_values(const Quadrature& q, const Rule& expected) {
  const std::size_t n = q.points.size();
  ASSERT_EQ(q.weights.size(), n);
  ASSERT_EQ(expected.size(), (n + 1) / 2);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto [point, weight] = expected[i];
    if (extended) {
      EXPECT_EQ(q.points[i], point) << i << " of " << n;
      EXPECT_EQ(q.weights[i], weight) << i << " of " << n;
    }
    EXPECT_NEAR(q.points[i], point, 4e-16);
    EXPECT_NEAR(q.weights[i], weight, 4e-16);
    EXPECT_NEAR(q.points[n - 1 - i], 1 - point, 2e-16);
    EXPECT_EQ(q.weights[n - 1 - i], q.weights[i]);
  }
}

// The integral of x^degree over [0, 1] is 1 / (degree + 1).
double moment(const Quadrature& q, int degree) {
  double sum = 0;
  for (std::size_t i = 0; i < q.points.size(); ++i)
    sum += q.weights[i] * std::pow(q.points[i], degree);
  return sum;
}

TEST(Quadrature, GaussPointsAreExactToTheLastBit) {
  for (const auto& [n, expected] : gauss_values) expect_values(gauss_legendre(n), expected);
}

TEST(Quadrature, GaussLobattoPointsAreExactToTheLastBit) {
  for (const auto& [n, expected] : lobatto_values) expect_values(gauss_lobatto(n), expected);
}

TEST(Quadrature, IntegratesPolynomialsUpToItsDegreeOnly) {
  for (int n = 1; n <= 70; ++n) {
    const Quadrature gauss = gauss_legendre(n);
    for (int degree = 0; degree < 2 * n; ++degree)
      ASSERT_NEAR(moment(gauss, degree) * (degree + 1), 1, 1e-13) << n << ' ' << degree;
    if (n < 2) continue;
    const Quadrature lobatto = gauss_lobatto(n);
    for (int degree = 0; degree < 2 * n - 2; ++degree)
      ASSERT_NEAR(moment(lobatto, degree) * (degree + 1), 1, 1e-13) << n << ' ' << degree;
  }
  EXPECT_GT(std::abs(moment(gauss_legendre(3), 6) - 1.0 / 7), 1e-4);
  EXPECT_GT(std::abs(moment(gauss_lobatto(4), 6) - 1.0 / 7), 1e-4);
}

TEST(Quadrature, RefusesTooFewPoints) {
  EXPECT_EQ(error_of<InvalidArgument>([] { static_cast<void>(gauss_legendre(0)); }),
            "gauss_legendre: 0 points; take at least 1");
  EXPECT_EQ(error_of<InvalidArgument>([] { static_cast<void>(gauss_lobatto(1)); }),
            "gauss_lobatto: 1 points; take at least 2");
}

}  // namespace
}  // namespace kolam::testing
