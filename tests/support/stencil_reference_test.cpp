// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/testing/stencil_reference.hpp>
#include <set>

namespace kolam::testing {
namespace {

TEST(LocalField, HasAPlaceForEveryPointAndGhost) {
  LocalField<double, 3> field = random_local_field<double, 3>(field_layout<3>({5, 4, 3}, 2, 8), 1);
  std::set<const double*> places;
  for_each_point(field.layout, 2, [&](index_t x, index_t y, index_t z) {
    EXPECT_FALSE(std::isnan(field(x, y, z)));
    places.insert(&field(x, y, z));
  });
  EXPECT_EQ(places.size(), 9 * 8 * 7);
}

// A field that moves to the right shows which points are updated and which are fixed.
TEST(ReferenceStep, MovesAllButTheFixedGhosts) {
  const FieldLayout<2> layout = field_layout<2>({3, 1}, 2, 8);
  LocalField<double, 2> u{layout};
  for_each_point(layout, 2,
                 [&](index_t x, index_t y, index_t) { u(x, y) = static_cast<double>(x * x); });
  const FixedSides<2> left{{{true, false}, {false, false}}};
  const double sum =
      reference_step<double, 2>(u, u, left, [](const auto& at, double) { return at(-1, 0, 0); });
  EXPECT_EQ(u(-1, 0), 1);  // fixed
  EXPECT_EQ(u(0, 0), 1);
  EXPECT_EQ(u(1, 0), 0);
  EXPECT_EQ(u(2, 0), 1);
  EXPECT_EQ(u(3, 0), 4);   // a ghost with neighbours
  EXPECT_EQ(u(4, 0), 16);  // a ghost without neighbours
  EXPECT_EQ(sum, 1 + 1 + 9);
}

}  // namespace
}  // namespace kolam::testing
