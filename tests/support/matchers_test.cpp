// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

double twice(std::size_t i) { return 2.0 * static_cast<double>(i); }

template <class Exec>
class Matchers : public ::testing::Test {};
TYPED_TEST_SUITE(Matchers, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(Matchers, TakeViewsOfEverySpace) {
  const Kokkos::View<double*, typename TypeParam::memory_space> view("view", 3);
  Kokkos::deep_copy(view, 7.0);

  EXPECT_TRUE(all_equal(view, [](std::size_t) { return 7; }));
  EXPECT_TRUE(all_near(view, [](std::size_t) { return 7.25; }, 0.25));
  EXPECT_FALSE(all_equal(view, twice));
}

TEST(Matchers, ShowTheFirstFailingIndices) {
  std::vector<double> values{0, 2, 4.5, 6, 8};
  EXPECT_STREQ(all_equal(values, twice).message(), "1 of 5 values differ\n  at 2: 4.5, expected 4");

  values.assign(100, -1);
  EXPECT_THAT(all_near(values, twice, 0.5).message(),
              AllOf(HasSubstr("100 of 100"), HasSubstr("at 4: -1, expected 8\n  ..."),
                    Not(HasSubstr("at 5"))));
}

TEST(Matchers, ShowCharactersAsNumbers) {
  EXPECT_STREQ(
      all_equal(std::vector<unsigned char>{65}, [](std::size_t) { return char{66}; }).message(),
      "1 of 1 values differ\n  at 0: 65, expected 66");
}

TEST(Matchers, HoldForNoValues) { EXPECT_TRUE(all_equal(std::vector<int>{}, twice)); }

TEST(Matchers, NearIncludesTheToleranceAndNeverNaN) {
  const auto zero = [](std::size_t) { return 0.0; };
  const double nan = std::numeric_limits<double>::quiet_NaN();

  EXPECT_TRUE(all_near(std::vector<double>{0.5, -0.5}, zero, 0.5));
  EXPECT_FALSE(all_near(std::vector<double>{0.51}, zero, 0.5));
  EXPECT_FALSE(all_near(std::vector<double>{nan}, zero, 1e300));
  EXPECT_FALSE(all_near(std::vector<double>{0}, [=](std::size_t) { return nan; }, 1e300));
}

TEST(ErrorOf, ReturnsTheText) {
  EXPECT_EQ(error_of<InvalidArgument>([] { throw InvalidArgument("why"); }), "why");
}

}  // namespace
}  // namespace kolam::testing
