// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/access_error.hpp>
#include <kolam/testing/array_runner.hpp>
#include <kolam/testing/array_use.hpp>
#include <kolam/testing/instances.hpp>

namespace kolam::testing {
namespace {

using ::testing::ElementsAre;

TEST(ArrayRunner, DoesTheStepsWithArrays) {
  ArrayRunner runner(two_instances().front());
  runner.apply({Op::borrow, {0, 4, 0, 0, 0, 0, 0, 0, 20}}, "lent");
  runner.apply({Op::alias, {1, 0, 0, 1, 3}}, "");
  runner.apply({Op::write, {1, on_device, 0, 0, 0, 0, 0, 1, 5}}, "");
  EXPECT_THAT(runner.apply({Op::read, {0, on_host, 0, 0, 0, 0, 0, 1}}, ""),
              ElementsAre(20, 5, 6, 23));
  EXPECT_EQ(std::get<Array<int>>(runner.array(0)).label(), "lent");
  EXPECT_EQ(std::get<Array<int>>(runner.array(1)).size(), 2);
  runner.apply({Op::reshape, {2, 0, 0, 2, 2}}, "");
  EXPECT_EQ((std::get<Array<int, 2>>(runner.array(2)).extent(1)), 2);
  EXPECT_THROW(runner.apply({Op::make, {3, -1, 0}}, "bad"), InvalidArgument);
  runner.apply({Op::destroy, {0}}, "");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(runner.array(0)));
}

}  // namespace
}  // namespace kolam::testing
