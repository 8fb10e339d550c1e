// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/kernels/element_sizes.hpp>
#include <regex>
#include <set>

namespace kolam::testing {
namespace {

TEST(ElementSizes, AreThoseOfTheBuildEachOnce) {
  const std::vector<std::string> sizes = element_sizes();
  EXPECT_FALSE(sizes.empty());
  EXPECT_EQ(std::set<std::string>(sizes.begin(), sizes.end()).size(), sizes.size());
  for (const std::string& size : sizes)
    EXPECT_TRUE(std::regex_match(size, std::regex("[0-9]+x[0-9]+c?"))) << size;
}

}  // namespace
}  // namespace kolam::testing
