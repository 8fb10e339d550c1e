// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/array_run.hpp>
#include <kolam/testing/array_use.hpp>
#include <kolam/testing/instances.hpp>

namespace kolam::testing {
namespace {

TEST(ArrayRun, FindsNoDifferenceWhereThereIsNone) {
  const Steps steps{{Op::make, {0, 6, 0}},
                    {Op::write, {0, on_device, 0, 0, 0, 0, 0, 1, 3}},
                    {Op::read, {0, on_host, 0, 2, 4}},
                    {Op::read, {0, on_host, 0, 0, 9}},
                    {Op::deep_copy, {0, 0, on_device}}};
  EXPECT_EQ(first_difference(steps, two_instances().front()), "");
  EXPECT_EQ(first_difference({}, two_instances().front()), "");
}

TEST(ArrayRun, KnowsWhetherArraysHaveTwoSides) {
  EXPECT_EQ(arrays_have_two_sides(), !one_memory || emulation() != Emulation::off);
}

}  // namespace
}  // namespace kolam::testing
