// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <kolam/kernels/stencil/norms.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/stencil_reference.hpp>
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

// Own points hold random values, all other points larger ones.
template <class T, int N, class Exec>
void expect_field_norms(const std::array<index_t, N>& size, T planted) {
  const FieldLayout<N> layout = field_layout<N>(size, 2, sizeof(T));
  LocalField<T, N> field = random_local_field<T, N>(layout, 3);
  const LocalField<T, N> random = field;
  std::fill(field.values.begin(), field.values.end(), T(100));
  double sum = 0;
  double most = 0;
  for_each_point(layout, 0, [&](index_t x, index_t y, index_t z) {
    const bool last = x == size[0] - 1 && y == size[1] - 1;
    const T value = last ? planted : random(x, y, z);
    field(x, y, z) = value;
    sum += static_cast<double>(value) * value;
    most = std::max(most, static_cast<double>(std::abs(value)));
  });
  const Kokkos::View<T*, typename Exec::memory_space> u("u", field.values.size());
  Kokkos::deep_copy(
      u, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
             field.values.data(), field.values.size()));

  const FieldNorms norms = field_norms<T, N>(Exec{}, layout, u);

  if (std::isnan(planted)) {
    EXPECT_TRUE(std::isnan(norms.sum) && std::isnan(norms.max));
  } else {
    EXPECT_NEAR(norms.sum, sum, 1e-13 * sum);
    EXPECT_EQ(norms.max, most);
  }
}

TYPED_TEST(Norms, OfAFieldLeaveOutTheGhostsAndThePadding) {
  for (const std::array<index_t, 2>& size : {std::array<index_t, 2>{1, 1}, {3, 5}, {298, 9}}) {
    expect_field_norms<float, 2, TypeParam>(size, -2.5F);
    expect_field_norms<double, 2, TypeParam>(size, -2.5);
  }
  expect_field_norms<double, 3, TypeParam>({33, 4, 5}, -2.5);
}

TYPED_TEST(Norms, OfAFieldWithNaNAreNaN) {
  expect_field_norms<float, 2, TypeParam>({7, 7}, std::numeric_limits<float>::quiet_NaN());
}

}  // namespace
}  // namespace kolam::testing
