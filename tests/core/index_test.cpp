// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>

namespace kolam {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

constexpr index_t most = std::numeric_limits<index_t>::max();
constexpr index_t half = index_t{1} << 62;

TEST(CheckedProduct, IsTheProduct) {
  EXPECT_EQ(checked_product("x", {}), 1);
  EXPECT_EQ(checked_product("x", {7}), 7);
  EXPECT_EQ(checked_product("x", {3, 5, 7}), 105);
  EXPECT_EQ(checked_product("x", {1, most, 1}), most);
  EXPECT_EQ(checked_product("x", {65536, 65536}), index_t{1} << 32);
}

TEST(CheckedProduct, IsZeroWhereverTheZeroStands) {
  EXPECT_EQ(checked_product("x", {0, half, 4}), 0);
  EXPECT_EQ(checked_product("x", {half, 4, 0}), 0);
}

TEST(CheckedProduct, RefusesNegativeFactorsAndOverflow) {
  for (const auto& factors : {std::initializer_list<index_t>{-1},
                              {0, -1},
                              {-2, -3},
                              {half, 2},
                              {most, most, most},
                              {3037000500, 3037000500}}) {
    EXPECT_THROW(static_cast<void>(checked_product("x", factors)), InvalidArgument);
  }
}

TEST(CheckedProduct, NamesSubjectAndFactors) {
  const std::string text = error_of<InvalidArgument>(
      [] { static_cast<void>(checked_product("bytes of u", {half, -3, 2})); });

  EXPECT_THAT(text, HasSubstr("bytes of u = 4611686018427387904 x -3 x 2"));
  EXPECT_THAT(text, HasSubstr("2^63 - 1"));
}

}  // namespace
}  // namespace kolam
