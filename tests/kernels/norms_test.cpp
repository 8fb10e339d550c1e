// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <kolam/kernels/norms.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/laplace_reference.hpp>
#include <limits>

namespace kolam::testing {
namespace {

template <class Exec>
class Norms : public ::testing::Test {};
TYPED_TEST_SUITE(Norms, ExecutionSpaces, ExecutionSpaceNames);

template <class Exec>
struct Batch {
  Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> sums;
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> slots;
  Kokkos::View<int, typename Exec::memory_space> stop{"stop"};

  // Step s has `count` sums of s + 1 each.
  Batch(std::size_t count, std::size_t steps) : sums("sums", count, steps), slots("slots", 8) {
    auto host_sums = Kokkos::create_mirror_view(sums);
    for (std::size_t s = 0; s < steps; ++s)
      for (std::size_t i = 0; i < count; ++i) host_sums(i, s) = static_cast<double>(s + 1);
    Kokkos::deep_copy(sums, host_sums);
    Kokkos::deep_copy(slots, norm_pending);
  }
};

TYPED_TEST(Norms, FinishEachStepInItsOwnSlot) {
  for (const std::size_t count : {1, 2, 1023, 1024, 1025, 5000}) {
    const TypeParam exec{};
    Batch<TypeParam> batch(count, 3);
    finish_norms<TypeParam>(exec, batch.sums, 3, batch.slots, 2);
    exec.fence("test");
    for (std::size_t slot = 0; slot < 8; ++slot) {
      const double expected =
          slot < 2 || slot > 4
              ? norm_pending
              : std::sqrt(static_cast<double>(count) * static_cast<double>(slot - 1));
      EXPECT_DOUBLE_EQ(batch.slots(slot), expected)
          << "slot " << slot << " of " << count << " sums";
    }
  }
}

TYPED_TEST(Norms, RaiseTheStopFlagAtTheToleranceAndSkipWhatFollows) {
  const TypeParam exec{};
  Batch<TypeParam> batch(4, 1);  // norm 2
  finish_norms<TypeParam>(exec, batch.sums, 1, batch.slots, 0, batch.stop, 1.9);
  finish_norms<TypeParam>(exec, batch.sums, 1, batch.slots, 1, batch.stop, 2.0);
  finish_norms<TypeParam>(exec, batch.sums, 1, batch.slots, 2, batch.stop, 2.0);
  exec.fence("test");
  EXPECT_EQ(batch.slots(0), 2);
  EXPECT_EQ(batch.slots(1), 2);
  EXPECT_EQ(batch.slots(2), norm_skipped);
}

TYPED_TEST(Norms, RaiseTheStopFlagAtNaN) {
  const TypeParam exec{};
  Batch<TypeParam> batch(4, 1);
  Kokkos::deep_copy(batch.sums, std::numeric_limits<double>::quiet_NaN());
  finish_norms<TypeParam>(exec, batch.sums, 1, batch.slots, 0, batch.stop, 0.0);
  finish_norms<TypeParam>(exec, batch.sums, 1, batch.slots, 1, batch.stop, 0.0);
  exec.fence("test");
  EXPECT_TRUE(std::isnan(batch.slots(0)));
  EXPECT_EQ(batch.slots(1), norm_skipped);
}

// The interior holds random values, everything around it larger ones.
template <class T, class Exec>
void expect_interior_norms(std::size_t nx, std::size_t ny, T planted) {
  const Exec exec{};
  const Grid2d grid = padded_grid(static_cast<index_t>(nx), static_cast<index_t>(ny), sizeof(T));
  Kokkos::View<T*, typename Exec::memory_space> u("u", static_cast<std::size_t>(grid.size()));
  auto values = Kokkos::create_mirror_view(u);
  Kokkos::deep_copy(values, T(100));
  Field<T> field = random_field<T>(nx, ny, 3);
  field(nx - 2, ny - 2) = planted;
  double sum = 0;
  double most = 0;
  for (std::size_t y = 1; y + 1 < ny; ++y) {
    for (std::size_t x = 1; x + 1 < nx; ++x) {
      values(x + static_cast<std::size_t>(grid.pitch) * y) = field(x, y);
      sum += static_cast<double>(field(x, y)) * field(x, y);
      most = std::max(most, static_cast<double>(std::abs(field(x, y))));
    }
  }
  Kokkos::deep_copy(u, values);

  const FieldNorms norms = interior_norms<T>(exec, grid, u);

  if (std::isnan(planted)) {
    EXPECT_TRUE(std::isnan(norms.l2) && std::isnan(norms.max));
  } else {
    EXPECT_NEAR(norms.l2, std::sqrt(sum), 1e-13 * std::sqrt(sum));
    EXPECT_EQ(norms.max, most);
  }
}

TYPED_TEST(Norms, OfTheInteriorLeaveOutTheBoundaryAndThePadding) {
  for (const auto& [nx, ny] : {std::pair{3, 3}, {5, 7}, {300, 11}}) {
    expect_interior_norms<float, TypeParam>(nx, ny, -2.5F);
    expect_interior_norms<double, TypeParam>(nx, ny, -2.5);
  }
}

TYPED_TEST(Norms, OfAnInteriorWithNaNAreNaN) {
  expect_interior_norms<float, TypeParam>(9, 9, std::numeric_limits<float>::quiet_NaN());
}

}  // namespace
}  // namespace kolam::testing
