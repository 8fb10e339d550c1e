// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/memory/array.hpp>
#include <kolam/testing/two_sides.hpp>

namespace kolam::testing {
namespace {

TEST(TwoSides, HaveValuesOfTheirOwn) {
  const Emulation before = emulation();
  {
    const TwoSides two;
    Array<int> u("u", 1);
    u.write(host)(0) = 1;
    EXPECT_FALSE(u.valid(device));
  }
  EXPECT_EQ(emulation(), before);
}

}  // namespace
}  // namespace kolam::testing
