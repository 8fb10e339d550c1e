// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/testing/array_model.hpp>

namespace kolam::testing {
namespace {

using ::testing::ElementsAre;

// The example of the design: [5,10), [8,19) and [50,55) written on the device.
TEST(ArrayModel, CountsWhatMovesInStretches) {
  ArrayModel model(true);
  EXPECT_EQ(model.apply({Op::make, {0, 60, 0}}), Outcome::done);
  EXPECT_EQ(model.apply({Op::read, {0, on_host, 0, 0, 0, 0, 0, 1}}), Outcome::access_error);
  EXPECT_EQ(model.apply({Op::write, {0, on_host, 0, 0, 0, 0, 0, 1, 7}}), Outcome::done);
  for (const auto& [begin, end] : {std::pair{5, 10}, {8, 19}, {50, 55}}) {
    model.apply({Op::write, {0, on_device, 0, begin, end, 0, 0, 0, 100}});
  }
  EXPECT_EQ(model.apply({Op::read, {0, on_host, 0, 7, 10}}), Outcome::done);
  EXPECT_THAT(model.read(), ElementsAre(102, 100, 101));
  model.apply({Op::sync, {0, on_host, 0, 0, 0, 0, 0, 1}});
  const Transfers& counts = model.array(0)->memory->counts;
  EXPECT_EQ(counts.copies_to_host, 4U);  // 7-10, then 5-7, 10-19 and 50-55
  EXPECT_EQ(counts.bytes_to_host, 19 * sizeof(int));
  EXPECT_EQ(counts.copies_to_device, 0U);
  EXPECT_EQ(counts.allocations, 2U);
}

TEST(ArrayModel, OfOneSideMovesNothing) {
  ArrayModel model(false);
  model.apply({Op::make, {0, 4, 0}});
  model.apply({Op::write, {0, on_device, 0, 0, 0, 0, 0, 1, 1}});
  model.apply({Op::read, {0, on_host, 0, 0, 0, 0, 0, 1}});
  EXPECT_THAT(model.read(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(model.array(0)->memory->counts.copies(), 0U);
  EXPECT_EQ(model.array(0)->memory->counts.allocations, 1U);
}

TEST(ArrayModel, RefusesWhatArraysRefuse) {
  ArrayModel model(true);
  EXPECT_EQ(model.apply({Op::read, {0, on_host}}), Outcome::nothing);
  EXPECT_EQ(model.apply({Op::make, {0, -1, 0}}), Outcome::invalid_argument);
  model.apply({Op::make, {0, 4, static_cast<int>(MemoryKind::host_only)}});
  EXPECT_EQ(model.apply({Op::write, {0, on_device, 0, 0, 1}}), Outcome::access_error);
  EXPECT_EQ(model.apply({Op::write, {0, on_host, 0, 0, 5}}), Outcome::invalid_argument);
}

}  // namespace
}  // namespace kolam::testing
