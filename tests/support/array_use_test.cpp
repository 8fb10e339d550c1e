// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/testing/array_use.hpp>
#include <kolam/testing/instances.hpp>

namespace kolam::testing {
namespace {

using ::testing::ElementsAre;

template <class Where>
void expect_filled(const Where& where) {
  Array<int> a("a", 5);
  fill(where, a.write(where), 10);
  add(where, a.read_write(where), 100);
  EXPECT_THAT(values(where, a.read(where)), ElementsAre(110, 11, 112, 13, 114));
  fill_mirror(where, a, 1, {1, 3});
  EXPECT_THAT(values(where, a.read(where)), ElementsAre(110, 1, 2, 13, 114));
  Array<int, 2> b("b", {2, 3});
  fill(where, b.write(where), 0);
  EXPECT_THAT(values(where, b.read(where, {{{1, 2}, {0, 3}}})), ElementsAre(1, 3, 5));
}

TEST(ArrayUse, FillsAndReadsOnEverySide) {
  expect_filled(host);
  expect_filled(device);
  expect_filled(two_instances().front());
}

TEST(ArrayUse, LendsMemory) {
  EXPECT_THAT(ascending(3, 7), ElementsAre(7, 8, 9));
  EXPECT_NE(ascending(0, 7).data(), nullptr);
  EXPECT_EQ(ascending_on_device(3, 7).extent(0), 4U);
}

}  // namespace
}  // namespace kolam::testing
