// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <limits>
#include <numbers>
#include <string>

namespace kolam {
namespace {

using Real = long double;

// Legendre's polynomial of degree n at 1 - 2 t.
struct Legendre {
  Real value = 1;
  Real difference = 0;  // from the value of degree n - 1
  Real squares = 0;     // sum of (2 k + 1) P_k^2, k < n

  Legendre(int n, Real t) {
    for (int k = 0; k < n; ++k) {
      const Real odd = 2 * k + 1;
      squares += odd * value * value;
      difference = (k * difference - 2 * odd * t * value) / (k + 1);
      value += difference;
    }
  }
};

template <class Step>
Real newton(Real t, const Step& step) {
  constexpr int most = 20;  // (About five are enough.)
  for (int i = 0; i < most; ++i) {
    const Real change = step(t);
    t += change;
    if (std::abs(change) <= 4 * std::numeric_limits<Real>::epsilon() * t) break;
  }
  return t;
}

// Returns a symmetric rule: point(i) gives the points of the lower half, weight(t) their weights.
template <class Point, class Weight>
Quadrature symmetric(int n, const Point& point, const Weight& weight) {
  const auto size = static_cast<std::size_t>(n);
  Quadrature q{std::vector<double>(size), std::vector<double>(size)};
  for (int i = 0; 2 * i < n; ++i) {
    const Real t = 2 * i + 1 == n ? Real(0.5) : point(i);
    const auto low = static_cast<std::size_t>(i);
    const std::size_t high = size - 1 - low;
    q.points[low] = static_cast<double>(t);
    q.points[high] = static_cast<double>(1 - t);
    q.weights[low] = q.weights[high] = static_cast<double>(weight(t));
  }
  return q;
}

void require_points(const char* name, int n, int least) {
  if (n >= least) return;
  throw InvalidArgument(std::string(name) + ": " + std::to_string(n) + " points; take at least " +
                        std::to_string(least));
}

}  // namespace

Quadrature gauss_legendre(int n) {
  require_points("gauss_legendre", n, 1);
  const auto point = [n](int i) {
    const Real half_angle = std::numbers::pi_v<Real> * (Real(i) + Real(0.75)) / (2 * n + 1);
    return newton(std::pow(std::sin(half_angle), 2), [n](Real t) {
      const Legendre p(n, t);
      const Real slope = n * (2 * t * p.value - p.difference) / (4 * t * (1 - t));
      return p.value / (2 * slope);
    });
  };
  return symmetric(n, point, [n](Real t) { return 1 / Legendre(n, t).squares; });
}

Quadrature gauss_lobatto(int n) {
  require_points("gauss_lobatto", n, 2);
  const int degree = n - 1;
  const auto point = [degree](int i) {
    if (i == 0) return Real(0);
    const Real half_angle = std::numbers::pi_v<Real> * i / (2 * degree);
    return newton(std::pow(std::sin(half_angle), 2), [degree](Real t) {
      const Legendre p(degree, t);
      return (p.difference - 2 * t * p.value) / (2 * (degree + 1) * p.value);
    });
  };
  return symmetric(n, point, [degree](Real t) {
    const Real value = Legendre(degree, t).value;
    return 1 / (Real(degree) * (degree + 1) * value * value);
  });
}

}  // namespace kolam
