// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <kolam/testing/shrink.hpp>
#include <vector>

namespace kolam::testing {
namespace {

struct Step {
  std::array<int, 2> n{};
  bool operator==(const Step&) const = default;
};

std::vector<Step> hundred_steps() {
  std::vector<Step> steps;
  for (int i = 0; i < 100; ++i) steps.push_back({{i, -i}});
  return steps;
}

TEST(Shrink, KeepsOnlyTheStepsThatMatter) {
  const auto holds_17_before_60 = [](const std::vector<Step>& steps) {
    const auto first = std::find(steps.begin(), steps.end(), Step{{17, -17}});
    return std::find(first, steps.end(), Step{{60, -60}}) != steps.end();
  };
  EXPECT_EQ(shrink(hundred_steps(), holds_17_before_60),
            (std::vector<Step>{{{17, -17}}, {{60, -60}}}));
}

TEST(Shrink, LowersIntegersTowardsZero) {
  const auto adds_up = [](const std::vector<Step>& steps) {
    return std::any_of(steps.begin(), steps.end(),
                       [](const Step& s) { return s.n[0] >= 13 && s.n[1] <= -5; });
  };
  EXPECT_EQ(shrink(hundred_steps(), adds_up), (std::vector<Step>{{{13, -5}}}));
}

TEST(Shrink, MayLeaveNothing) {
  EXPECT_TRUE(shrink(hundred_steps(), [](const std::vector<Step>&) { return true; }).empty());
  EXPECT_TRUE(shrink(std::vector<Step>{}, [](const std::vector<Step>&) { return true; }).empty());
}

TEST(Shrink, EndsWhereOnlyAllStepsFail) {
  const auto all = hundred_steps();
  EXPECT_EQ(shrink(all, [&](const std::vector<Step>& steps) { return steps == all; }), all);
}

}  // namespace
}  // namespace kolam::testing
