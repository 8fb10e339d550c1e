// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/testing/matchers.hpp>
#include <type_traits>

namespace kolam {
namespace {

static_assert(std::is_base_of_v<Error, AccessError>);

TEST(AccessError, IsCaughtAsErrorAndKeepsItsText) {
  EXPECT_EQ(testing::error_of<Error>([] { throw AccessError("array 'u'"); }), "array 'u'");
}

}  // namespace
}  // namespace kolam
