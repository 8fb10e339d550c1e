// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/simd.hpp>
#include <kolam/testing/backends.hpp>

namespace kolam::testing {
namespace {

template <class T>
class SimdOf : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SimdOf, Numbers);

constexpr int width = 4;

// In each lane, a op b equals the same operation on T.
template <class T, class Op>
void expect_lane_by_lane(const Op& op) {
  Simd<T, width> a(T(0));
  Simd<T, width> b(T(0));
  for (int i = 0; i < width; ++i) {
    a.set(i, T(1.5) + T(i));
    b.set(i, T(0.3) - T(i));
  }
  const Simd<T, width> result = op(a, b);
  for (int i = 0; i < width; ++i) EXPECT_EQ(result[i], op(a[i], b[i])) << "lane " << i;
}

TYPED_TEST(SimdOf, CalculateLaneByLane) {
  using T = TypeParam;
  expect_lane_by_lane<T>([](auto a, auto b) { return decltype(a)(a + b); });
  expect_lane_by_lane<T>([](auto a, auto b) { return decltype(a)(a - b); });
  expect_lane_by_lane<T>([](auto a, auto b) { return decltype(a)(a * b); });
  expect_lane_by_lane<T>([](auto a, auto b) { return decltype(a)(a / b); });
  expect_lane_by_lane<T>([](auto a, auto) { return decltype(a)(-a); });
  expect_lane_by_lane<T>([](auto a, auto b) { return decltype(a)(T(3) * a + b * T(2)); });
  expect_lane_by_lane<T>([](auto a, auto b) {
    a += b;
    a *= b;
    a -= T(1);
    return a;
  });
}

// The processor may round once or twice, but a scalar and a full register give the same result.
template <class T, int N>
void expect_multiply_add() {
  const T third = T(1) / T(3);
  const Simd<T, N> a(third);
  Simd<T, N> c(T(0));
  for (int i = 0; i < N; ++i) c.set(i, -third * third + T(i));
  const Simd<T, N> sum = multiply_add(a, a, c);
  const Simd<T, N> scaled = multiply_add(third, a, c);
  for (int i = 0; i < N; ++i) {
    EXPECT_EQ(sum[i], multiply_add(third, third, c[i])) << "lane " << i;
    EXPECT_EQ(scaled[i], sum[i]) << "lane " << i;
  }
}

TYPED_TEST(SimdOf, MultiplyAndAddAsScalarsDo) {
  expect_multiply_add<TypeParam,
                      kolam::detail::register_bytes / static_cast<int>(sizeof(TypeParam))>();
}

template <class Exec>
class LanesOn : public ::testing::Test {};
TYPED_TEST_SUITE(LanesOn, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(LanesOn, AreOneOnDevicesAndARegisterOnHosts) {
  if (has_block_threads<TypeParam>) {
    EXPECT_EQ((simd_width<TypeParam, float>), 1);
    EXPECT_TRUE((std::is_same_v<SimdValue<TypeParam, float>, float>));
  } else {
    EXPECT_EQ((simd_width<TypeParam, float>), 2 * (simd_width<TypeParam, double>));
    EXPECT_EQ(sizeof(SimdValue<TypeParam, float>), sizeof(SimdValue<TypeParam, double>));
  }
}

}  // namespace
}  // namespace kolam::testing
