// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/grid/norm_log.hpp>
#include <kolam/testing/backends.hpp>
#include <limits>

namespace kolam::testing {
namespace {

template <class Exec>
class NormLogTest : public ::testing::Test {};
TYPED_TEST_SUITE(NormLogTest, ExecutionSpaces, ExecutionSpaceNames);

// Records a step whose partial sums give the norm `norm`.
template <class Exec>
bool take_step(grid::NormLog<Exec>& log, std::int64_t iteration, double norm) {
  const auto sums = log.partial_sums();
  Kokkos::deep_copy(sums, norm * norm / static_cast<double>(sums.extent(0)));
  log.record(iteration);
  return log.update();
}

TYPED_TEST(NormLogTest, GivesEveryNormInOrderWhateverTheBatch) {
  // Few sums make batches of 64 steps, many make batches of one or two.
  for (const index_t sums : {1, 4, 1000000}) {
    grid::NormLog<TypeParam> log(TypeParam{}, sums, std::nullopt);
    constexpr int steps = 7;
    for (int i = 0; i < steps; ++i) take_step(log, 10 * i, 2.0 * i);
    log.finish();
    ASSERT_EQ(log.records().size(), steps);
    for (int i = 0; i < steps; ++i) {
      EXPECT_EQ(log.records()[static_cast<std::size_t>(i)].iteration, 10 * i);
      EXPECT_NEAR(log.records()[static_cast<std::size_t>(i)].norm, 2.0 * i, 1e-9);
    }
    EXPECT_FALSE(log.ended());
  }
}

TYPED_TEST(NormLogTest, ReusesItsSlotsOverManyBatches) {
  grid::NormLog<TypeParam> log(TypeParam{}, 1000000, std::nullopt);
  constexpr int steps = optimised ? 23 : 9;
  bool arrived = false;
  for (int i = 0; i < steps; ++i) arrived = take_step(log, i, i + 1) || arrived;
  EXPECT_TRUE(arrived) << "norms must arrive while the loop runs";
  log.finish();
  ASSERT_EQ(log.records().size(), steps);
  for (int i = 0; i < steps; ++i)
    EXPECT_NEAR(log.records()[static_cast<std::size_t>(i)].norm, i + 1, 1e-9);
}

TYPED_TEST(NormLogTest, EndsAtTheToleranceAndLeavesOutTheStepsBehindIt) {
  grid::NormLog<TypeParam> log(TypeParam{}, 3, 1.0);
  for (int i = 0; i < 200; ++i) take_step(log, i, i == 5 ? 0.5 : 2.0);
  log.finish();
  EXPECT_TRUE(log.ended());
  ASSERT_EQ(log.records().size(), 6);
  EXPECT_EQ(log.records().back().iteration, 5);
}

TYPED_TEST(NormLogTest, EndsAtNaNAlsoWithoutATolerance) {
  grid::NormLog<TypeParam> log(TypeParam{}, 3, std::nullopt);
  for (int i = 0; i < 5; ++i)
    take_step(log, i, i == 2 ? std::numeric_limits<double>::quiet_NaN() : 1.0);
  log.finish();
  EXPECT_TRUE(log.ended());
  ASSERT_EQ(log.records().size(), 3);
  EXPECT_TRUE(std::isnan(log.records().back().norm));
}

}  // namespace
}  // namespace kolam::testing
