// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/kernels/stencil_pass.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/local_operands.hpp>
#include <kolam/testing/stencil_reference.hpp>
#include <kolam/testing/test_stencils.hpp>
#include <type_traits>
#include <vector>

namespace kolam::testing {
namespace {

template <class Exec>
class StencilPass : public ::testing::Test {};
TYPED_TEST_SUITE(StencilPass, ExecutionSpaces, ExecutionSpaceNames);

using Sizes = std::vector<std::array<index_t, 2>>;

template <class T, int Steps, class Exec, class S>
void expect_oracle(const S& stencil, const std::array<index_t, 2>& size, index_t depth,
                   const FixedSides<2>& fixed) {
  SCOPED_TRACE(std::to_string(Steps) + " steps, " + std::to_string(size[0]) + " x " +
               std::to_string(size[1]) + ", fixed " + std::to_string(fixed[0][0]) +
               std::to_string(fixed[0][1]) + std::to_string(fixed[1][0]) +
               std::to_string(fixed[1][1]));
  const Exec exec{};
  LocalOperands<S, T, Exec> local(field_layout<2>(size, depth, sizeof(T)), 5);
  LocalField<T, 2> expected = local.host_u;
  double squares[Steps];
  for (double& square : squares)
    square = reference_step<T, 2>(expected, local.host_coefficient, fixed, oracle_of<T>(stencil));
  const auto count = static_cast<std::size_t>(stencil_pass_sums<T, Steps>(exec, local.layout));
  const Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> sums("sums", count,
                                                                                     Steps);
  Kokkos::deep_copy(sums, std::numeric_limits<double>::quiet_NaN());
  stencil_pass<T, Steps>(exec, stencil, local.operands, fixed, sums);
  exec.fence("test");
  ASSERT_TRUE(local.new_u_is(expected));
  for (int s = 0; s < Steps; ++s) {
    ASSERT_NEAR(total(Kokkos::subview(sums, Kokkos::ALL, s)), squares[s], 1e-12 * squares[s])
        << "step " << s;
  }
}

constexpr FixedSides<2> cut{};
constexpr FixedSides<2> closed{{{true, true}, {true, true}}};
constexpr FixedSides<2> closed_at_sides{{{true, true}, {false, false}}};
constexpr FixedSides<2> left_and_top{{{true, false}, {false, true}}};
constexpr FixedSides<2> right_and_bottom{{{false, true}, {true, false}}};

// Threads that take turns take their time.
template <class Exec>
Sizes sizes() {
  if (std::is_same_v<Exec, HostTeams>)
    return optimised ? Sizes{{1, 1}, {5, 9}, {117, 3}} : Sizes{{5, 3}};
  if (!optimised) return {{1, 1}, {5, 9}, {31, 33}, {113, 17}};
  return {{1, 1},    {2, 3},   {4, 1},    {5, 9},     {31, 33},
          {120, 40}, {121, 7}, {113, 17}, {517, 131}, {1100, 300}};
}

template <class T, int Steps, class Exec>
void expect_laplace() {
  for (const auto& size : sizes<Exec>())
    for (const auto& fixed : {cut, closed, left_and_top, right_and_bottom})
      expect_oracle<T, Steps, Exec>(LaplaceStencil{}, size, Steps, fixed);
}

TYPED_TEST(StencilPass, GivesTheBitsAndTheNormsOfSingleSteps) {
  expect_laplace<float, 1, TypeParam>();
  expect_laplace<float, 2, TypeParam>();
  expect_laplace<float, 3, TypeParam>();
  expect_laplace<float, 5, TypeParam>();
  expect_laplace<float, 8, TypeParam>();
  expect_laplace<double, 2, TypeParam>();
  expect_laplace<double, 4, TypeParam>();
  expect_laplace<double, 7, TypeParam>();
}

TYPED_TEST(StencilPass, TakesDeeperGhostsCornersAndCoefficients) {
  for (const auto& fixed : {cut, closed, right_and_bottom}) {
    for (const std::array<index_t, 2>& size : {std::array<index_t, 2>{9, 5}, {131, 11}}) {
      if (std::is_same_v<TypeParam, HostTeams> && (!optimised || fixed[0][0])) break;
      expect_oracle<double, 3, TypeParam>(LaplaceStencil{}, size, 7, fixed);
      expect_oracle<double, 3, TypeParam>(NinePoints{}, size, 3, fixed);
      expect_oracle<float, 4, TypeParam>(DiffusionStencil<float, 2>{{0.1F, 0.2F}}, size, 4, fixed);
    }
  }
}

// Periodic along y: the first and last rows go to the ghosts behind the other end.
template <int Steps, class Exec>
void expect_wrap() {
  for (const auto& size : sizes<Exec>()) {
    if (size[1] < Steps) continue;
    const Exec exec{};
    LocalOperands<LaplaceStencil, double, Exec> local(field_layout<2>(size, Steps, 8), 3);
    LocalField<double, 2> expected = local.host_u;
    for (int s = 0; s < Steps; ++s)
      reference_step(expected, local.host_coefficient, closed_at_sides,
                     oracle_of<double>(LaplaceStencil{}));
    for (index_t x = 0; x < size[0]; ++x) {
      for (index_t y = 0; y < Steps; ++y) {
        expected(x, y - Steps) = expected(x, size[1] + y - Steps);
        expected(x, size[1] + y) = expected(x, y);
      }
    }
    auto operands = local.operands;
    double* const first = operands.new_u.data() + local.layout.origin;
    operands.low_ghosts = first + size[1] * local.layout.stride[1];
    operands.high_ghosts = first - Steps * local.layout.stride[1];
    const Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> sums(
        "sums", static_cast<std::size_t>(stencil_pass_sums<double, Steps>(exec, local.layout)),
        Steps);
    stencil_pass<double, Steps>(exec, LaplaceStencil{}, operands, closed_at_sides, sums);
    exec.fence("test");
    EXPECT_TRUE(local.new_u_is(expected, Steps)) << size[0] << " x " << size[1];
  }
}

TYPED_TEST(StencilPass, StoresIntoTheGhostsOfNeighbours) {
  expect_wrap<1, TypeParam>();
  expect_wrap<3, TypeParam>();
  expect_wrap<6, TypeParam>();
}

TYPED_TEST(StencilPass, RefusesGhostsThatAreNotDeepEnough) {
  LocalOperands<LaplaceStencil, double, TypeParam> local(field_layout<2>({9, 9}, 2, 8), 1);
  const Kokkos::View<double**, Kokkos::LayoutLeft, typename TypeParam::memory_space> sums("sums", 9,
                                                                                          3);
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                stencil_pass<double, 3>(TypeParam{}, LaplaceStencil{}, local.operands, cut, sums);
              }),
              ::testing::HasSubstr("ghosts of depth 2 for 3 steps"));
}

}  // namespace
}  // namespace kolam::testing
