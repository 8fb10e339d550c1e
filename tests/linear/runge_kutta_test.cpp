// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <kolam/core/error.hpp>
#include <kolam/linear/runge_kutta.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <string>

#include "dense_operator.hpp"

namespace kolam::runge_kutta_test {
namespace {

using linear::RungeKutta;
using linear::RungeKuttaMethod;
using testing::ConstDenseVector;
using testing::DenseExec;
using testing::DenseVector;
using ::testing::HasSubstr;

struct Method {
  RungeKuttaMethod method;
  int order;
};
const Method methods[] = {
    {RungeKuttaMethod::ssp2, 2}, {RungeKuttaMethod::ssp3, 3}, {RungeKuttaMethod::rk4, 4}};

// For u' = lambda u, a step multiplies u by the exponential series up to the method's order.
TEST(RungeKuttaMethods, AreExponentialsUpToTheirOrder) {
  const auto lambda = [](int i) { return -0.7 * i + 0.3; };
  const testing::DenseOperator a(5, [&](int i, int j) { return i == j ? lambda(i) : 0.0; });
  for (const auto& [method, order] : methods) {
    RungeKutta time(a, method);
    Array<double> u("u", 5);
    Kokkos::deep_copy(u.write(host), 3.0);
    for (const double dt : {0.4, -0.25}) time.step(u, dt);
    for (int i = 0; i < 5; ++i) {
      double expected = 3;
      for (const double dt : {0.4, -0.25}) {
        double term = 1, series = 0;
        for (int n = 0; n <= order; ++n) {
          series += term;
          term *= lambda(i) * dt / (n + 1);
        }
        expected *= series;
      }
      EXPECT_NEAR(u.read(host)(i), expected, 1e-14);
    }
  }
}

// u' = u^2 cos(t), nonlinear and time-dependent. Solution: u = 1 / (1 / u(0) - sin(t)).
class Oscillating {
 public:
  using value_type = double;
  using execution_space = DenseExec;
  // (Public for nvcc.)
  struct Rate {
    ConstDenseVector x;
    DenseVector y;
    double cosine;
    KOKKOS_FUNCTION void operator()(index_t i) const { y(i) = x(i) * x(i) * cosine; }
  };

  double time = 0;

  const DenseExec& exec() const { return exec_; }
  index_t rows() const { return 3; }
  void apply(const ConstDenseVector& x, const DenseVector& y) const {
    forall(exec_, "rate", rows(), Rate{x, y, std::cos(time)});
  }

 private:
  DenseExec exec_;
};

double error_after(RungeKuttaMethod method, int steps) {
  RungeKutta time(Oscillating{}, method);
  Array<double> u("u", 3);
  for (int i = 0; i < 3; ++i) u.read_write(host)(i) = 0.2 * (i + 1);
  const double dt = 2.0 / steps;
  for (int s = 0; s < steps; ++s)
    time.step(u, dt, [&](double offset) { time.f().time = s * dt + offset; });
  double error = 0;
  for (int i = 0; i < 3; ++i)
    error = std::max(error, std::abs(u.read(host)(i) - 1 / (1 / (0.2 * (i + 1)) - std::sin(2.0))));
  return error;
}

TEST(RungeKuttaMethods, ConvergeAsTheirOrderSays) {
  for (const auto& [method, order] : methods) {
    const double ratio = error_after(method, 40) / error_after(method, 80);
    EXPECT_NEAR(std::log2(ratio), order, 0.2);
  }
}

TEST(RungeKuttaSteps, RefuseWhatIsNoStep) {
  RungeKutta time(Oscillating{});
  Array<double> u("u", 3), longer("longer", 4);
  EXPECT_THAT(testing::error_of<Error>([&] { time.step(u, 0.1); }),
              HasSubstr("'u'"));  // (never written)
  Kokkos::deep_copy(u.write(host), 1.0);
  Kokkos::deep_copy(longer.write(host), 1.0);
  EXPECT_THAT(testing::error_of<Error>([&] { time.step(longer, 0.1); }),
              HasSubstr("u has 4 values; f has 3 rows"));
  EXPECT_THAT(
      testing::error_of<Error>([&] { time.step(u, std::numeric_limits<double>::infinity()); }),
      HasSubstr("dt is inf; it must be finite"));
  EXPECT_EQ(u.read(host)(2), 1.0);
}

}  // namespace
}  // namespace kolam::runge_kutta_test
