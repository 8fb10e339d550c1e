// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/testing/backends.hpp>
#include <vector>

namespace kolam {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

template <class Exec>
class Allocate : public ::testing::Test {};
TYPED_TEST_SUITE(Allocate, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(Allocate, GivesTheSizesAndZerosWhereAskedTo) {
  using Plane = Kokkos::View<double**, Kokkos::LayoutLeft, typename TypeParam::memory_space>;
  const auto plane = detail::allocate_view<Plane>(TypeParam{}, "plane", index_t{3}, 5);
  EXPECT_EQ(plane.extent(0), 3U);
  EXPECT_EQ(plane.extent(1), 5U);
  EXPECT_EQ(plane.label(), "plane");
  const auto zeros = detail::allocate_zeros<Plane>(TypeParam{}, "zeros", 100, 7);
  EXPECT_THAT(testing::to_host(zeros), Each(0.0));
  EXPECT_EQ(zeros.size(), 700U);
}

TYPED_TEST(Allocate, OutOfMemoryNamesWhatForAndHowMuch) {
  using Line = Kokkos::View<float*, typename TypeParam::memory_space>;
  constexpr std::size_t count = std::size_t{1} << 55U;  // more than there are addresses
  const auto expect_refusal = [](const auto& allocate) {
    try {
      allocate();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const OutOfMemory& error) {
      EXPECT_GE(error.requested(), std::uint64_t{4} * count);
      EXPECT_GT(error.available(), 0U);
      EXPECT_THAT(error.what(), AllOf(HasSubstr("too long a line needs 128.00 PiB"),
                                      HasSubstr("use a smaller problem")));
    }
  };
  expect_refusal([&] {
    static_cast<void>(detail::allocate_view<Line>(TypeParam{}, "too long a line", count));
  });
  expect_refusal([&] {
    static_cast<void>(detail::allocate_zeros<Line>(TypeParam{}, "too long a line", count));
  });
  expect_refusal(
      [&] { static_cast<void>(detail::allocate_pinned<float>("too long a line", count)); });
  EXPECT_EQ(detail::allocate_view<Line>(TypeParam{}, "short", 4).size(), 4U);
}

TYPED_TEST(Allocate, LetsTheHostReadWhatWasWritten) {
  using Line = Kokkos::View<const int*, typename TypeParam::memory_space>;
  const auto line = detail::allocate_view<Kokkos::View<int*, typename TypeParam::memory_space>>(
      TypeParam{}, "line", 3);
  Kokkos::deep_copy(line, 7);
  const auto there = detail::readable_on_host(Line(line));
  EXPECT_EQ((std::vector<int>(there.data(), there.data() + there.size())),
            (std::vector<int>{7, 7, 7}));
}

}  // namespace
}  // namespace kolam
