// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/kernels/element/sizes.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace kolam::testing {
namespace {

// KOLAM_ELEMENT_SIZES as configured in the build, with _ instead of ;.
#define KOLAM_TEXT_OF(x) #x
#define KOLAM_TEXT(x) KOLAM_TEXT_OF(x)
constexpr std::string_view configured = KOLAM_TEXT(KOLAM_CONFIGURED_ELEMENT_SIZES);

std::vector<std::string> expected_sizes() {
  std::vector<std::string> sizes;
  const auto add = [&](const std::string& size) {
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  };
  if (configured == "all") {
    for (int order = 1; order <= 8; ++order) {
      const std::string nodes = std::to_string(order + 1);
      add(nodes + "x" + std::to_string(order + 2));
      add(nodes + "x" + nodes + "c");
    }
  } else {
    std::istringstream list{std::string(configured)};
    for (std::string size; std::getline(list, size, '_');) add(size);
  }
  return sizes;
}

TEST(ElementSizes, AreThoseOfTheBuildEachOnce) {
  const std::vector<std::string> expected = expected_sizes();
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(element_sizes(), expected);
}

}  // namespace
}  // namespace kolam::testing
