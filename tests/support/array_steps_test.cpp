// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/array_steps.hpp>

namespace kolam::testing {
namespace {

TEST(ArraySteps, NameTheirNumbers) {
  const Step step{Op::write, {2, 1, 0, 3, 5, 7, 9, 1, 40}};
  EXPECT_EQ(step.slot(), 2U);
  EXPECT_EQ(step.where(), Where::device);
  EXPECT_EQ(step.box()[0][0], 3);
  EXPECT_EQ(step.box()[1][1], 9);
  EXPECT_TRUE(step.whole());
  EXPECT_EQ(step.value(), 40);
  const Step copy{Op::deep_copy, {0, 4, 2}};
  EXPECT_EQ(copy.from(), 4U);
  EXPECT_EQ(copy.where(), Where::second);
  const Step policy{Op::set_policy, {0, 3}};
  EXPECT_EQ(policy.policy(), Policy::prefetch_second);
}

}  // namespace
}  // namespace kolam::testing
