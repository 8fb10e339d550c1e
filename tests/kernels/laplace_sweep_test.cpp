// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <kolam/kernels/detail/laplace_host.hpp>
#include <kolam/kernels/laplace_sweep.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/laplace_reference.hpp>
#include <kolam/testing/matchers.hpp>
#include <limits>
#include <numeric>
#include <utility>

namespace kolam::testing {
namespace {

// A field on Exec, its padding poisoned: whoever reads it gets NaN.
template <class T, class Exec>
Kokkos::View<T*, typename Exec::memory_space> upload(const Grid2d& grid, const Field<T>& field) {
  std::vector<T> values(static_cast<std::size_t>(grid.size()), std::numeric_limits<T>::quiet_NaN());
  for (std::size_t y = 0; y < field.ny; ++y)
    for (std::size_t x = 0; x < field.nx; ++x)
      values[x + static_cast<std::size_t>(grid.pitch) * y] = field(x, y);
  Kokkos::View<T*, typename Exec::memory_space> view("field", values.size());
  Kokkos::deep_copy(
      view, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                values.data(), values.size()));
  return view;
}

template <class View, class T>
::testing::AssertionResult same_bits(const View& view, const Grid2d& grid, const Field<T>& field) {
  const auto values = to_host(view);
  Field<T> actual{field.nx, field.ny};
  for (std::size_t y = 0; y < field.ny; ++y)
    for (std::size_t x = 0; x < field.nx; ++x)
      actual(x, y) = values[x + static_cast<std::size_t>(grid.pitch) * y];
  return all_equal(actual.values, [&](std::size_t i) { return field.values[i]; });
}

// Sizes below a vector, around a tile in both directions, and prime ones.
constexpr std::pair<std::size_t, std::size_t> sizes[] = {{3, 3},    {4, 3},   {3, 4},    {5, 7},
                                                         {8, 6},    {31, 33}, {32, 34},  {33, 35},
                                                         {127, 37}, {129, 3}, {1031, 67}};

template <class Exec>
class LaplaceSweep : public ::testing::Test {};
TYPED_TEST_SUITE(LaplaceSweep, ExecutionSpaces, ExecutionSpaceNames);

template <class T, class Exec>
void expect_oracle(std::size_t nx, std::size_t ny, bool with_norm) {
  SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny));
  const Exec exec{};
  const Grid2d grid = padded_grid(static_cast<index_t>(nx), static_cast<index_t>(ny), sizeof(T));
  Field<T> u = random_field<T>(nx, ny, 20 + static_cast<unsigned>(nx));
  Field<T> new_u = u;
  auto view = upload<T, Exec>(grid, u);
  auto new_view = upload<T, Exec>(grid, u);
  SweepControl<Exec> control;
  if (with_norm) {
    control.partial_sums = decltype(control.partial_sums)(
        "sums", static_cast<std::size_t>(laplace_partial_sums<T, Exec>(grid)));
    Kokkos::deep_copy(control.partial_sums, std::numeric_limits<double>::quiet_NaN());
  }
  for (int step = 0; step < 3; ++step) {
    const double norm = laplace_sweep(u, new_u);
    laplace_sweep<T>(exec, grid, view, new_view, control);
    exec.fence("test");
    ASSERT_TRUE(same_bits(new_view, grid, new_u));
    if (with_norm) {
      const auto sums = to_host(control.partial_sums);
      const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
      ASSERT_NEAR(std::sqrt(sum), norm, 1e-12 * norm);
    }
    std::swap(u, new_u);
    std::swap(view, new_view);
  }
}

TYPED_TEST(LaplaceSweep, GivesTheBitsOfTheSerialOracle) {
  for (const auto& [nx, ny] : sizes) {
    expect_oracle<float, TypeParam>(nx, ny, true);
    expect_oracle<double, TypeParam>(nx, ny, true);
  }
}

TYPED_TEST(LaplaceSweep, GivesTheSameWithoutNorms) {
  expect_oracle<float, TypeParam>(33, 35, false);
  expect_oracle<double, TypeParam>(33, 35, false);
}

template <class Exec>
void expect_nothing_done_when_stopped() {
  const Exec exec{};
  const Grid2d grid = padded_grid(9, 9, sizeof(double));
  const Field<double> u = random_field<double>(9, 9, 1);
  const Field<double> before = random_field<double>(9, 9, 2);
  const auto view = upload<double, Exec>(grid, u);
  const auto new_view = upload<double, Exec>(grid, before);
  const Kokkos::View<int, typename Exec::memory_space> stop("stop");
  Kokkos::deep_copy(stop, 1);
  SweepControl<Exec> control;
  control.stop = stop;
  laplace_sweep<double>(exec, grid, view, new_view, control);
  exec.fence("test");
  EXPECT_TRUE(same_bits(new_view, grid, before));
}

TYPED_TEST(LaplaceSweep, DoesNothingWhenStopped) { expect_nothing_done_when_stopped<TypeParam>(); }

// Small fields are not streamed by themselves.
template <class T>
void expect_oracle_when_streamed(std::size_t nx, std::size_t ny) {
  SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny));
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Grid2d grid = padded_grid(static_cast<index_t>(nx), static_cast<index_t>(ny), sizeof(T));
  const Field<T> u = random_field<T>(nx, ny, 5);
  Field<T> new_u = u;
  laplace_sweep(u, new_u);
  const auto view = upload<T, Exec>(grid, u);
  const auto new_view = upload<T, Exec>(grid, u);
  kolam::detail::laplace_sweep_on_host<T, Exec>(Exec{}, grid, view.data(), new_view.data(), {},
                                                true);
  EXPECT_TRUE(same_bits(new_view, grid, new_u));
}

TEST(LaplaceSweepOnHost, GivesTheSameWhenStreamed) {
  for (const auto& [nx, ny] : sizes) {
    expect_oracle_when_streamed<float>(nx, ny);
    expect_oracle_when_streamed<double>(nx, ny);
  }
}

TEST(LaplaceAverage, GivesNoSubnormalNumbers) {
  constexpr float least = std::numeric_limits<float>::min();
  EXPECT_EQ(laplace_average(least, least, least, least), least);
  EXPECT_EQ(laplace_average(least, least, least, 0.0F), 0.0F);
  EXPECT_EQ(laplace_average(-least, -least, -least, 0.0F), 0.0F);
  EXPECT_TRUE(std::isnan(laplace_average(std::nan(""), 0.0, 0.0, 0.0)));
}

TEST(LaplaceAverage, AddsInTheDocumentedOrder) {
  EXPECT_EQ(laplace_average(1e30, -1e30, 1.0, 3.0), 1.0);
  EXPECT_EQ(laplace_average(1.0F, 1e30F, -1e30F, 0.0F), 0.0F);
}

}  // namespace
}  // namespace kolam::testing
