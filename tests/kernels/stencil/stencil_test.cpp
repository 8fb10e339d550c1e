// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/kernels/stencil/stencil.hpp>
#include <limits>
#include <string>

namespace kolam {
namespace {

struct Plain {
  static constexpr int dimensions = 2;
  template <class U>
  auto operator()(const U& u) const {
    return u.left() + u.right();
  }
};
struct Rich {
  static constexpr int dimensions = 3;
  static constexpr int coefficients = 2;
  static constexpr bool corners = true;
  template <class U, class T>
  T operator()(const U& u, T a, T b) const {
    return a * u.back() + b * u.front();
  }
};
struct OneDimension {
  static constexpr int dimensions = 1;
  template <class U>
  auto operator()(const U& u) const {
    return u.center();
  }
};
struct TooFewArguments {
  static constexpr int dimensions = 2;
  static constexpr int coefficients = 1;
  template <class U>
  auto operator()(const U& u) const {
    return u.center();
  }
};
struct OwnsMemory : Plain {
  std::string text;
};

static_assert(StencilOf<Plain, float> && StencilOf<Plain, double>);
static_assert(StencilOf<Rich, float>);
static_assert(!StencilOf<TooFewArguments, float>);
static_assert(!StencilOf<OwnsMemory, float>, "it travels to the device by its bytes");
static_assert(!StencilOf<OneDimension, float>);
static_assert(stencil_coefficients<Plain> == 0 && !stencil_corners<Plain>);
static_assert(stencil_coefficients<Rich> == 2 && stencil_corners<Rich>);

TEST(Neighbourhood, NamesItsNeighbours) {
  const auto at = [](int dx, int dy, int dz) { return 100 * dx + 10 * dy + dz; };
  const Neighbourhood<int, 3, decltype(at)> u(at);
  EXPECT_EQ(u.center(), 0);
  EXPECT_EQ(u.left(), -100);
  EXPECT_EQ(u.right(), 100);
  EXPECT_EQ(u.below(), -10);
  EXPECT_EQ(u.above(), 10);
  EXPECT_EQ(u.back(), -1);
  EXPECT_EQ(u.front(), 1);
  EXPECT_EQ(u(1, -1, 1), 91);
  const Neighbourhood<int, 2, decltype(at)> plane(at);
  EXPECT_EQ(plane(-1, 1), -90);
}

TEST(NeighbourhoodDeathTest, StopsAtOffsetsThatNobodyExchanges) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto at = [](int dx, int dy, int dz) { return 100 * dx + 10 * dy + dz; };
  const Neighbourhood<int, 2, decltype(at), false> plane(at);
  const Neighbourhood<int, 3, decltype(at), false> solid(at);
  EXPECT_EQ(plane(0, -1), -10);
  EXPECT_EQ(solid(0, 0, 1), 1);
  EXPECT_DEATH(static_cast<void>(plane(-1, 1)), "reads u across a corner.*bool corners = true");
  EXPECT_DEATH(static_cast<void>(solid(0, 1, 1)), "reads u across a corner");
  const Neighbourhood<int, 3, decltype(at)> corners(at);
  for (const int far : {-2, 2}) {
    EXPECT_DEATH(static_cast<void>(plane(far, 0)), "at an offset other than -1, 0 and 1");
    EXPECT_DEATH(static_cast<void>(corners(0, far, 0)), "at an offset other than");
    EXPECT_DEATH(static_cast<void>(corners(0, 0, far)), "at an offset other than");
  }
}

TEST(WithoutSubnormals, KeepsNormalNumbersInfinitiesAndNaN) {
  constexpr float least = std::numeric_limits<float>::min();
  EXPECT_EQ(without_subnormals(least), least);
  EXPECT_EQ(without_subnormals(-least), -least);
  EXPECT_EQ(without_subnormals(least / 2), 0.0F);
  EXPECT_EQ(without_subnormals(-least / 2), 0.0F);
  EXPECT_TRUE(std::signbit(without_subnormals(-least / 2)));
  EXPECT_FALSE(std::signbit(without_subnormals(least / 2)));
  EXPECT_TRUE(std::signbit(product_without_subnormals(0.25F, -least)));
  EXPECT_TRUE(std::isinf(without_subnormals(std::numeric_limits<float>::infinity())));
  EXPECT_TRUE(std::isnan(without_subnormals(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace kolam
