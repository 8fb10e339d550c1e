// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <kolam/core/forall.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/memory/emulation.hpp>
#include <kolam/testing/backends.hpp>
#include <utility>

namespace kolam::field_test {

template <class View>
struct FillPoints {
  View points;
  KOKKOS_FUNCTION void operator()(index_t row) const {
    for (std::size_t x = 0; x < points.extent(0); ++x)
      points(x, row) = static_cast<double>(x) + 100 * static_cast<double>(row);
  }
};

template <class Exec>
class FieldOn : public ::testing::Test {};
TYPED_TEST_SUITE(FieldOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(FieldOn, HasItsPointsAndGhostsOnBothSides) {
  const FieldLayout<2> layout = field_layout<2>({5, 3}, 2, sizeof(double));
  grid::Field<double, 2> u("u", layout, 1);
  {
    const TypeParam exec;
    const auto all = u.write(exec);
    EXPECT_EQ(all.extent(0), static_cast<std::size_t>(layout.size));
    const auto points = grid::with_ghosts(layout, all);
    EXPECT_EQ(points.extent(0), static_cast<std::size_t>(layout.stride[1]));
    EXPECT_EQ(points.extent(1), 7U);
    forall(exec, "fill", 7, FillPoints<std::decay_t<decltype(points)>>{points});
  }
  grid::Field<double, 2> moved("empty", layout);
  std::swap(u, moved);
  const auto values = std::as_const(moved).read(host);
  for (index_t y = -2; y < 5; ++y) {
    for (index_t x = -2; x < 7; ++x) {
      ASSERT_EQ(values(layout.origin + x + y * layout.stride[1]),
                static_cast<double>(x + 2) + 100 * static_cast<double>(y + 2));
    }
  }
  EXPECT_EQ(moved.array().label(), "u");
  EXPECT_THROW(static_cast<void>(u.read(host)), AccessError) << "it was never written";
}

TEST(Field, OfThreeDimensionsHasItsGhostsInEach) {
  const FieldLayout<3> layout = field_layout<3>({4, 3, 2}, 1, sizeof(float));
  grid::Field<float, 3> u("u", layout);
  const auto all = u.write(host);
  const auto points = grid::with_ghosts(layout, all);
  EXPECT_EQ(points.extent(1), 5U);
  EXPECT_EQ(points.extent(2), 4U);
  EXPECT_EQ(&points(1, 1, 1), &all(layout.origin));
  EXPECT_EQ(&points(4, 3, 2), &all(layout.origin + 3 + 2 * layout.stride[1] + layout.stride[2]));
}

// What two fields of one loop must not have is addresses that end alike.
TEST(Field, BeginsWhereItsNumberSays) {
  if (emulation() == Emulation::strict) GTEST_SKIP() << "arrays end where their pages end";
  const FieldLayout<2> layout = field_layout<2>({500, 300}, 1, sizeof(double));
  for (int number = 0; number < 4; ++number) {
    grid::Field<double, 2> u("u", layout, number);
    const auto address = reinterpret_cast<std::uintptr_t>(u.write(host).data());
    EXPECT_EQ(address % 4096, static_cast<std::uintptr_t>(number) * 1152 % 4096);
  }
}

}  // namespace kolam::field_test
