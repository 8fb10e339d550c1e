// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/core/simd_math.hpp>
#include <limits>
#include <vector>

namespace kolam::testing {
namespace lane_math_test {
namespace {

template <class T>
class SimdMath : public ::testing::Test {
 public:
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T inf = std::numeric_limits<T>::infinity();
  static constexpr T tiny = std::numeric_limits<T>::denorm_min();

  // For registers of all widths, each function equals the scalar one bit for bit.
  template <class F>
  static void expect_as_scalars(const F& f) {
    expect_in<16 / sizeof(T)>(f);
    expect_in<32 / sizeof(T)>(f);
    expect_in<64 / sizeof(T)>(f);
  }

 private:
  template <int N, class F>
  static void expect_in(const F& f) {
    const std::vector<T> numbers{T(0), T(-0.0), T(1), T(-2.5), T(0.3), T(7),
                                 tiny, -tiny,   inf,  -inf,    nan};
    for (std::size_t shift = 0; shift < numbers.size(); ++shift) {
      Simd<T, N> a(T(0));
      Simd<T, N> b(T(0));
      for (int i = 0; i < N; ++i) {
        const auto at = static_cast<std::size_t>(i);
        a.set(i, numbers[at % numbers.size()]);
        b.set(i, numbers[(at + shift) % numbers.size()]);
      }
      const Simd<T, N> result = f(a, b);
      for (int i = 0; i < N; ++i) {
        const T expected = f(a[i], b[i]);
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(result[i])) << a[i] << " and " << b[i];
        } else {
          EXPECT_EQ(result[i], expected) << a[i] << " and " << b[i];
          EXPECT_EQ(std::signbit(result[i]), std::signbit(expected)) << a[i] << " and " << b[i];
        }
      }
    }
  }
};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SimdMath, Numbers);

TYPED_TEST(SimdMath, FunctionsAreThoseOfScalars) {
  this->expect_as_scalars([](auto a, auto) { return kolam::abs(a); });
  this->expect_as_scalars([](auto a, auto) { return kolam::sqrt(a); });
  this->expect_as_scalars([](auto a, auto) { return kolam::exp(a); });
  this->expect_as_scalars([](auto a, auto) { return kolam::log(a); });
  this->expect_as_scalars([](auto a, auto) { return kolam::sin(a); });
  this->expect_as_scalars([](auto a, auto) { return kolam::cos(a); });
  this->expect_as_scalars([](auto a, auto) { return kolam::tanh(a); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::pow(a, b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::min(a, b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::max(a, b); });
  this->expect_as_scalars([](auto a, auto) { return kolam::pow(a, 2); });
  this->expect_as_scalars([](auto a, auto) { return kolam::max(a, 0.5); });
}

TYPED_TEST(SimdMath, ScalarsAreTheNumbersOfTheStandardLibrary) {
  using T = TypeParam;
  EXPECT_EQ(kolam::abs(T(-0.0)), T(0));
  EXPECT_FALSE(std::signbit(kolam::abs(T(-0.0))));
  EXPECT_EQ(kolam::sqrt(T(6.25)), T(2.5));
  EXPECT_FLOAT_EQ(static_cast<float>(kolam::exp(T(0.7))), static_cast<float>(std::exp(T(0.7))));
  EXPECT_FLOAT_EQ(static_cast<float>(kolam::log(T(0.7))), static_cast<float>(std::log(T(0.7))));
  EXPECT_FLOAT_EQ(static_cast<float>(kolam::sin(T(0.7))), static_cast<float>(std::sin(T(0.7))));
  EXPECT_FLOAT_EQ(static_cast<float>(kolam::cos(T(0.7))), static_cast<float>(std::cos(T(0.7))));
  EXPECT_FLOAT_EQ(static_cast<float>(kolam::tanh(T(0.7))), static_cast<float>(std::tanh(T(0.7))));
  EXPECT_FLOAT_EQ(static_cast<float>(kolam::pow(T(0.7), 3)),
                  static_cast<float>(std::pow(T(0.7), T(3))));
  EXPECT_EQ(kolam::min(T(2), 3), T(2));
  EXPECT_EQ(kolam::max(T(2), 3), T(3));
  static_assert(std::same_as<decltype(kolam::pow(T(1), 2)), T>);
}

TYPED_TEST(SimdMath, ComparisonsSelectAsTheyDoForScalars) {
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(a < b, a, b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(a <= b, a, b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(a > b, a, b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(a >= b, a, b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(a == b, a, -b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(a != b, a, -b); });
  this->expect_as_scalars([](auto a, auto) { return kolam::select(a > 0.5, a, 0.5); });
  this->expect_as_scalars([](auto a, auto) { return kolam::select(1 > a, a, 7); });
}

TYPED_TEST(SimdMath, MasksAreCombined) {
  this->expect_as_scalars([](auto a, auto b) { return kolam::select((a > 0) & (b > 0), a, -b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select((a > 0) | (b > 0), a, -b); });
  this->expect_as_scalars([](auto a, auto b) { return kolam::select(!(a > b), a, -b); });
  Simd<TypeParam, 4> a(1);
  a.set(2, 5);
  const auto large = a > 2;
  EXPECT_FALSE(large[1]);
  EXPECT_TRUE(large[2]);
}

}  // namespace
}  // namespace lane_math_test
}  // namespace kolam::testing
