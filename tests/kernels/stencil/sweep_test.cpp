// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/kernels/stencil/sweep.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/local_operands.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/stencil_reference.hpp>
#include <kolam/testing/test_stencils.hpp>
#include <limits>
#include <numeric>
#include <vector>

namespace kolam::testing {
namespace {

template <class Exec>
class StencilSweep : public ::testing::Test {};
TYPED_TEST_SUITE(StencilSweep, ExecutionSpaces, ExecutionSpaceNames);

template <int N>
using Sizes = std::vector<std::array<index_t, N>>;
// Sizes below a vector, around a tile in each direction, and prime ones.
const Sizes<2> planes{{1, 1},  {2, 1},  {1, 2},    {3, 5},   {4, 6},   {31, 33},
                      {32, 4}, {5, 32}, {127, 37}, {129, 3}, {259, 9}, {1031, 67}};
const Sizes<3> spaces{{1, 1, 1},    {3, 2, 5},    {4, 8, 4},  {31, 9, 6},
                      {130, 3, 17}, {67, 17, 18}, {600, 3, 4}};

// Compares the whole sweep, and a sweep cut into parts, with the oracle.
template <class T, class Exec, class S>
void expect_oracle(const S& stencil, const Sizes<S::dimensions>& sizes, bool with_norm) {
  constexpr int N = S::dimensions;
  const Exec exec{};
  for (const auto& size : sizes) {
    // (HostTeams run one thread at a time.)
    if (std::is_same_v<Exec, HostTeams> && !optimised && size[0] > 40) continue;
    for (const index_t depth : {1, 3}) {
      const FieldLayout<N> layout = field_layout<N>(size, depth, sizeof(T));
      SCOPED_TRACE(std::to_string(size[0]) + " x " + std::to_string(size[1]) + ", depth " +
                   std::to_string(depth));
      LocalOperands<S, T, Exec> local(layout, 20 + static_cast<unsigned>(size[0]));
      LocalField<T, N> expected = local.host_u;
      const double square =
          reference_step(expected, local.host_coefficient, {}, oracle_of<T>(stencil));
      // All points in one part, and in slabs along the slowest dimension.
      const index_t middle = size[N - 1] / 3;
      Box<N> low = layout.all();
      Box<N> high = low;
      low[N - 1].end = high[N - 1].begin = middle;
      for (const std::vector<Box<N>>& parts : {std::vector{layout.all()}, std::vector{high, low}}) {
        local.reset_new_u();
        SweepControl<Exec> control;
        if (with_norm) control.partial_sums = local.sums(stencil_partial_sums<T, Exec>(parts));
        stencil_sweep<T>(exec, stencil, local.operands, parts, control);
        exec.fence("test");
        ASSERT_TRUE(local.new_u_is(expected));
        if (with_norm) {
          ASSERT_NEAR(total(control.partial_sums), square, 1e-12 * square);
        }
      }
    }
  }
}

TYPED_TEST(StencilSweep, GivesTheBitsOfTheSerialOracle) {
  expect_oracle<float, TypeParam>(LaplaceStencil{}, planes, true);
  expect_oracle<double, TypeParam>(LaplaceStencil{}, planes, true);
  expect_oracle<double, TypeParam>(NinePoints{}, planes, true);
}

TYPED_TEST(StencilSweep, TakesCoefficientsAndThreeDimensions) {
  expect_oracle<float, TypeParam>(DiffusionStencil<float, 2>{{0.1F, 0.2F}}, planes, true);
  expect_oracle<float, TypeParam>(DiffusionStencil<float, 3>{{0.1F, 0.2F, 0.3F}}, spaces, true);
  expect_oracle<double, TypeParam>(Weighted3d{}, spaces, true);
}

TYPED_TEST(StencilSweep, GivesTheSameWithoutNorms) {
  expect_oracle<float, TypeParam>(LaplaceStencil{}, {{33, 35}}, false);
  expect_oracle<double, TypeParam>(LaplaceStencil{}, {{33, 35}}, false);
}

// A field of one sign decays to zero: averages lie on both sides of the smallest normal number.
template <class T, class Exec>
void expect_no_subnormal_numbers(T sign) {
  const Exec exec{};
  LocalOperands<LaplaceStencil, T, Exec> local(field_layout<2>({67, 19}, 1, sizeof(T)), 11);
  for_each_point(local.layout, 1, [&](index_t x, index_t y, index_t) {
    T& u = local.host_u(x, y);
    u = u < 0 ? T(0) : sign * (1 + u) * std::numeric_limits<T>::min();
  });
  local.reset_u();
  LocalField<T, 2> expected = local.host_u;
  reference_step(expected, local.host_coefficient, {}, oracle_of<T>(LaplaceStencil{}));
  ASSERT_THAT(expected.values, ::testing::Contains(T(0)));
  stencil_sweep<T>(exec, LaplaceStencil{}, local.operands, {local.layout.all()});
  exec.fence("test");
  EXPECT_TRUE(local.new_u_is(expected));
}

TYPED_TEST(StencilSweep, MakesZerosOfSubnormalNumbers) {
  for (const int sign : {1, -1}) {
    expect_no_subnormal_numbers<float, TypeParam>(static_cast<float>(sign));
    expect_no_subnormal_numbers<double, TypeParam>(sign);
  }
}

// If the processor flushes subnormals to zero, it does so only during the sweep, in every thread.
TEST(StencilSweepOnHost, LeavesSubnormalNumbersToOthers) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Exec exec{};
  LocalOperands<LaplaceStencil, double, Exec> local(field_layout<2>({67, 190}, 1, 8), 11);
  stencil_sweep<double>(exec, LaplaceStencil{}, local.operands, {local.layout.all()});
  const volatile double least = std::numeric_limits<double>::min();
  index_t zeros = 0;
  Kokkos::parallel_reduce(
      "halve", Kokkos::RangePolicy<Exec>(exec, 0, 1000),
      [&](int, index_t& sum) { sum += least / 2 == 0; }, zeros);
  EXPECT_EQ(zeros, 0);
}

template <class Exec>
void expect_wrap() {
  const Exec exec{};
  for (const auto& size : planes) {
    LocalOperands<LaplaceStencil, double, Exec> local(field_layout<2>(size, 1, 8), 3);
    LocalField<double, 2> expected = local.host_u;
    reference_step(expected, local.host_coefficient, {}, oracle_of<double>(LaplaceStencil{}));
    for (index_t x = 0; x < size[0]; ++x) {
      expected(x, -1) = expected(x, size[1] - 1);
      expected(x, size[1]) = expected(x, 0);
    }
    auto operands = local.operands;
    double* const first = operands.new_u.data() + local.layout.origin;
    operands.low_ghosts = first + size[1] * local.layout.stride[1];
    operands.high_ghosts = first - local.layout.stride[1];
    stencil_sweep<double>(exec, LaplaceStencil{}, operands, {local.layout.all()});
    exec.fence("test");
    EXPECT_TRUE(local.new_u_is(expected, 1)) << size[0] << " x " << size[1];
  }
}

TYPED_TEST(StencilSweep, StoresIntoTheGhostsOfNeighbours) { expect_wrap<TypeParam>(); }

template <class Exec>
void expect_nothing_done_when_stopped() {
  const Exec exec{};
  LocalOperands<LaplaceStencil, double, Exec> local(field_layout<2>({9, 9}, 1, 8), 1);
  const Kokkos::View<int, typename Exec::memory_space> stop("stop");
  Kokkos::deep_copy(stop, 1);
  SweepControl<Exec> control;
  control.stop = stop;
  stencil_sweep<double>(exec, LaplaceStencil{}, local.operands, {local.layout.all()}, control);
  exec.fence("test");
  EXPECT_TRUE(local.new_u_is(local.host_new_u));
}

TYPED_TEST(StencilSweep, DoesNothingWhenStopped) { expect_nothing_done_when_stopped<TypeParam>(); }

TYPED_TEST(StencilSweep, RefusesMorePartsThanASubdomainHasFaces) {
  if constexpr (has_block_threads<TypeParam>) {
    LocalOperands<LaplaceStencil, double, TypeParam> local(field_layout<2>({9, 9}, 1, 8), 1);
    const std::vector<Box<2>> parts(5, local.layout.all());
    EXPECT_THAT(error_of<InvalidArgument>([&] {
                  stencil_sweep<double>(TypeParam{}, LaplaceStencil{}, local.operands, parts);
                }),
                ::testing::HasSubstr("5 parts"));
  } else {
    GTEST_SKIP() << "a host sweeps any number of parts";
  }
}

// Rows longer than a band of columns.
template <class T>
void expect_oracle_of_long_rows() {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const auto long_row = kolam::detail::host_band<T> + 37;
  expect_oracle<T, Exec>(LaplaceStencil{}, {{long_row, 3}}, true);
}
TEST(StencilSweepOnHost, TakesRowsOfSeveralBands) {
  expect_oracle_of_long_rows<float>();
  expect_oracle_of_long_rows<double>();
}

// By default one thread sweeps small fields, so each way is chosen explicitly.
template <class T, class S>
void expect_oracle_however_swept(const S& stencil, const Sizes<S::dimensions>& sizes) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  for (const auto& size : sizes) {
    SCOPED_TRACE(std::to_string(size[0]) + " x " + std::to_string(size[1]));
    const auto layout = field_layout<S::dimensions>(size, 1, sizeof(T));
    using kolam::detail::HostSweep;
    for (const auto by : {HostSweep::alone, HostSweep::together, HostSweep::non_temporal}) {
      LocalOperands<S, T, Exec> local(layout, 7);
      LocalField<T, S::dimensions> expected = local.host_u;
      const double square =
          reference_step(expected, local.host_coefficient, {}, oracle_of<T>(stencil));
      const std::vector parts{layout.all()};
      SweepControl<Exec> control;
      control.partial_sums = local.sums(stencil_partial_sums<T, Exec>(parts));
      kolam::detail::sweep_on_host<T>(Exec{}, stencil, local.operands, parts, control, by);
      EXPECT_TRUE(local.new_u_is(expected));
      EXPECT_NEAR(total(control.partial_sums), square, 1e-12 * square);
    }
  }
}

TEST(StencilSweepOnHost, GivesTheSameHoweverItIsSwept) {
  expect_oracle_however_swept<float>(LaplaceStencil{}, planes);
  expect_oracle_however_swept<double>(LaplaceStencil{}, planes);
  expect_oracle_however_swept<double>(DiffusionStencil<double, 2>{{0.1, 0.2}}, planes);
  expect_oracle_however_swept<float>(DiffusionStencil<float, 3>{{0.1F, 0.2F, 0.3F}}, spaces);
  expect_oracle_however_swept<double>(Weighted3d{}, spaces);
}

}  // namespace
}  // namespace kolam::testing
