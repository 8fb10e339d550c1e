// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <kolam/core/for_each.hpp>
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

template <class View>
struct Number {
  View points;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const {
    points(i, j) = static_cast<double>(i + 100 * j);
  }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const {
    points(i, j, k) = static_cast<double>(i + 100 * j + 10000 * k);
  }
};

TYPED_TEST(FieldOn, HasAnInteriorAndRows) {
  const TypeParam exec;
  const FieldLayout<2> layout = field_layout<2>({5, 3}, 2, sizeof(double));
  grid::Field<double, 2> u("u", layout);
  {
    const auto all = u.write(exec);
    Kokkos::deep_copy(kokkos_instance(exec), all, -1.0);
    const auto points = grid::interior(layout, all);
    EXPECT_EQ(points.extent(0), 5U);
    EXPECT_EQ(points.extent(1), 3U);
    for_each(exec, "number", layout.all(), Number<std::decay_t<decltype(points)>>{points});
  }
  const auto all = std::as_const(u).read(host);
  const auto with_ghosts = grid::with_ghosts(layout, all);
  for (index_t j = -2; j < 5; ++j) {
    const auto row = grid::row(layout, all, j);
    ASSERT_EQ(row.extent(0), 5U);
    for (index_t i = 0; i < 5; ++i)
      EXPECT_EQ(row(i), j < 0 || j > 2 ? -1 : static_cast<double>(i + 100 * j)) << i << ' ' << j;
    EXPECT_EQ(with_ghosts(1, j + 2), -1);
    EXPECT_EQ(with_ghosts(7, j + 2), -1);
  }
}

TYPED_TEST(FieldOn, OfASolidHasAnInteriorAndRows) {
  const TypeParam exec;
  const FieldLayout<3> layout = field_layout<3>({4, 3, 2}, 1, sizeof(double));
  grid::Field<double, 3> u("u", layout);
  {
    const auto points = grid::interior(layout, u.write(exec));
    for_each(exec, "number", layout.all(), Number<std::decay_t<decltype(points)>>{points});
  }
  for (index_t k = 0; k < 2; ++k) {
    for (index_t j = 0; j < 3; ++j) {
      const auto row = grid::row(layout, std::as_const(u).read(host), j, k);
      for (index_t i = 0; i < 4; ++i)
        EXPECT_EQ(row(i), static_cast<double>(i + 100 * j + 10000 * k));
    }
  }
}

// Addresses of two fields in one loop must not share their low bits.
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
