// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/array_model.hpp>
#include <kolam/testing/random_array_steps.hpp>
#include <map>
#include <utility>

namespace kolam::testing {
namespace {

// NOLINTBEGIN(bugprone-random-generator-seed): the same every time
TEST(RandomArraySteps, AreTheSameForTheSameSeed) {
  std::mt19937 one(3);
  std::mt19937 other(3);
  for (int i = 0; i < 10; ++i) {
    const Steps a = random_array_steps(one, true, 50);
    const Steps b = random_array_steps(other, true, 50);
    ASSERT_EQ(a.size(), 50U);
    for (std::size_t s = 0; s < a.size(); ++s) {
      EXPECT_EQ(a[s].op, b[s].op);
      EXPECT_EQ(a[s].n, b[s].n);
    }
  }
}

TEST(RandomArraySteps, DoEverythingAndRarelyThrowOrDoNothing) {
  std::mt19937 random(4);
  std::map<std::pair<Op, Outcome>, int> seen;
  std::map<Outcome, int> outcomes;
  for (int i = 0; i < 400; ++i) {
    ArrayModel model(true);
    for (const Step& step : random_array_steps(random, true, 50)) {
      const Outcome outcome = model.apply(step);
      ++seen[{step.op, outcome}];
      ++outcomes[outcome];
    }
  }
  for (int op = 0; op < static_cast<int>(Op::count); ++op) {
    EXPECT_GT((seen[{static_cast<Op>(op), Outcome::done}]), 20) << "operation " << op;
  }
  for (const Op op : {Op::read, Op::read_write, Op::write, Op::modified, Op::sync, Op::release,
                      Op::discard, Op::deep_copy}) {
    EXPECT_GT((seen[{op, Outcome::access_error}]), 0) << "operation " << static_cast<int>(op);
  }
  for (const Op op : {Op::make, Op::alias, Op::alias_strided, Op::reshape, Op::read, Op::write,
                      Op::deep_copy, Op::resize}) {
    EXPECT_GT((seen[{op, Outcome::invalid_argument}]), 0) << "operation " << static_cast<int>(op);
  }
  EXPECT_GT(outcomes[Outcome::done], 400 * 50 * 3 / 5);
}
// NOLINTEND(bugprone-random-generator-seed)

}  // namespace
}  // namespace kolam::testing
