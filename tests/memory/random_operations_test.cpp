// SPDX-License-Identifier: Apache-2.0
// Thousands of random sequences of all operations on arrays, compared with a naive model.
#include <gtest/gtest.h>

#include <array>
#include <kolam/memory/emulation.hpp>
#include <kolam/testing/array_code.hpp>
#include <kolam/testing/array_run.hpp>
#include <kolam/testing/array_use.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/instances.hpp>
#include <kolam/testing/random_array_steps.hpp>
#include <kolam/testing/shrink.hpp>
#include <random>
#include <string>
#include <vector>

namespace kolam::testing {
namespace {

constexpr int sequences = optimised ? 20000 : 600;
constexpr std::size_t steps_each = 50;
constexpr unsigned seed = 20;

// Sets the emulation for one test: the sides of this build, or emulated ones.
class RandomOperations : public ::testing::TestWithParam<Emulation> {
 public:
  void SetUp() override { emulate(GetParam()); }
  void TearDown() override { emulate(before_); }

 private:
  Emulation before_ = emulation();
};

std::vector<Emulation> modes() {
  std::vector<Emulation> all{Emulation::off};
  if (one_memory) all.push_back(Emulation::on);
#ifdef __linux__
  if (one_memory) all.push_back(Emulation::strict);
#endif
  return all;
}
std::string mode_name(const ::testing::TestParamInfo<Emulation>& info) {
  return std::array{"AsBuilt", "Emulated", "Strict"}[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(, RandomOperations, ::testing::ValuesIn(modes()), mode_name);

TEST_P(RandomOperations, AgreeWithTheModel) {
  const auto second = two_instances().front();
  const bool two_sides = arrays_have_two_sides();
  std::mt19937 random(seed);  // NOLINT(bugprone-random-generator-seed): the same every time
  for (int sequence = 0; sequence < sequences; ++sequence) {
    const Steps steps = random_array_steps(random, two_sides, steps_each);
    if (first_difference(steps, second).empty()) continue;
    const Steps few =
        shrink(steps, [&](const Steps& some) { return !first_difference(some, second).empty(); });
    FAIL() << "sequence " << sequence << " of seed " << seed << ", shrunk:\n\n"
           << as_code(few, two_sides) << '\n'
           << first_difference(few, second);
  }
}

}  // namespace
}  // namespace kolam::testing
