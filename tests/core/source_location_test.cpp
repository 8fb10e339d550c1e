// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/core/source_location.hpp>
#include <string_view>
#include <type_traits>

namespace kolam {
namespace {

SourceLocation place_of_call(SourceLocation where = SourceLocation::current()) { return where; }

struct Holder {
  int value = 0;
  SourceLocation where = SourceLocation::current();
};

static_assert(!std::is_constructible_v<SourceLocation, const char*, int>);
static_assert(!std::is_convertible_v<const char*, SourceLocation>);

TEST(SourceLocation, AsADefaultArgumentIsThePlaceOfTheCall) {
  const SourceLocation first = place_of_call();
  const SourceLocation second = place_of_call();
  EXPECT_EQ(second.line(), first.line() + 1);
  EXPECT_EQ(std::string_view(first.file()), __FILE__);
}

TEST(SourceLocation, AsADefaultMemberIsThePlaceWhereTheObjectIsMade) {
  const int line = __LINE__ + 1;
  const Holder holder{.value = 1};
  EXPECT_EQ(holder.where.line(), line);
  EXPECT_EQ(std::string_view(holder.where.file()), __FILE__);
}

TEST(SourceLocation, IsShownWithoutItsFolders) {
  const std::string line = std::to_string(__LINE__ + 1);
  EXPECT_EQ(to_string(place_of_call()), "source_location_test.cpp:" + line);
  EXPECT_EQ(to_string(SourceLocation::current("a.cpp", 7)), "a.cpp:7");
  EXPECT_EQ(to_string(SourceLocation::current("/b/c.d/", 7)), ":7");
}

TEST(SourceLocation, IsNowhereByDefault) {
  EXPECT_EQ(to_string(SourceLocation{}), ":0");
  EXPECT_EQ(SourceLocation{}.line(), 0);
}

}  // namespace
}  // namespace kolam
