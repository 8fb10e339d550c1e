// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>

namespace kolam {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

// Sizes smaller than the measured piece, equal to it, and between its multiples.
TEST(Bandwidth, IsMeasuredOnEveryBackendForAnySize) {
  for (const Backend backend : backends()) {
    for (const std::uint64_t bytes : {1, 8, 262144, 300000, 1 << 20}) {
      SCOPED_TRACE(std::string(name(backend)) + ", bytes " + std::to_string(bytes));
      const Bandwidth b = with_backend(
          backend, [=](const auto& exec) { return measure_bandwidth(exec, bytes, 1); });
      EXPECT_GT(b.copy_gbs, 0);
      EXPECT_GT(b.triad_gbs, 0);
      EXPECT_GT(b.array_bytes, 0U);
      EXPECT_LE(b.array_bytes, std::max<std::uint64_t>(bytes, 262144));
    }
  }
}

TEST(Bandwidth, PeakIsTheBetterOne) {
  EXPECT_EQ((Bandwidth{3, 5, 8}).peak_gbs(), 5);
  EXPECT_EQ((Bandwidth{7, 5, 8}).peak_gbs(), 7);
}

TEST(Bandwidth, RefusesNoRepeats) {
  for (const int repeats : {0, -1}) {
    const std::string text = error_of<InvalidArgument>(
        [&] { static_cast<void>(measure_bandwidth(Kokkos::DefaultExecutionSpace{}, 8, repeats)); });
    EXPECT_THAT(text, HasSubstr("repeats is " + std::to_string(repeats)));
  }
}

TEST(Bandwidth, RefusesArraysThatDoNotFit) {
  constexpr std::uint64_t piece = 262144;
  constexpr std::uint64_t third = (~std::uint64_t{0} / 3 / piece + 1) * piece;  // thrice this wraps
  for (const std::uint64_t bytes : {std::uint64_t{1} << 50, third, ~std::uint64_t{0}}) {
    EXPECT_THROW(static_cast<void>(measure_bandwidth(Kokkos::DefaultExecutionSpace{}, bytes, 1)),
                 OutOfMemory)
        << bytes;
  }
}

TEST(EffectiveThroughput, CountsUnknownsTwiceAndKnownsOnce) {
  EXPECT_EQ(effective_bytes(10), 20);
  EXPECT_EQ(effective_bytes(10, 3), 23);
  EXPECT_DOUBLE_EQ(effective_throughput_gbs(0.5, 100, 1e9), 400);
  EXPECT_DOUBLE_EQ(effective_throughput_gbs(2, 10, 1e9, 5e8), 12.5);
}

}  // namespace
}  // namespace kolam
