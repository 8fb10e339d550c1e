// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/kernels/stencil/fused_steps.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/local_operands.hpp>
#include <kolam/testing/stencil_reference.hpp>
#include <kolam/testing/test_stencils.hpp>
#include <type_traits>
#include <vector>

namespace kolam::testing::fused_steps_test {
namespace {

template <class Exec>
class FusedSteps : public ::testing::Test {};
TYPED_TEST_SUITE(FusedSteps, ExecutionSpaces, ExecutionSpaceNames);

using Sizes = std::vector<std::array<index_t, 2>>;

template <int N>
std::string to_text(const std::array<index_t, N>& size, const FixedSides<N>& fixed) {
  std::string text;
  for (const index_t n : size) text.append(text.empty() ? "" : " x ").append(std::to_string(n));
  text += ", fixed ";
  for (std::size_t d = 0; d < N; ++d)
    for (const bool side : {fixed[d][0], fixed[d][1]}) text += side ? "1" : "0";
  return text;
}

// Copies the first layers of the slowest dimension to the ghosts after the last layer, and vice
// versa.
template <class T, int N>
void wrap(LocalField<T, N>& field, index_t layers) {
  const LocalField<T, N> copy = field;
  for_each_point(field.layout, layers, [&](index_t x, index_t y, index_t z) {
    const index_t n = field.layout.own[N - 1];
    if constexpr (N == 2) field(x, y) = copy(x, (y + n) % n);
    if constexpr (N == 3) field(x, y, z) = copy(x, y, (z + n) % n);
  });
}

// Cuts a subdomain as a solver does: the layers that neighbours wait for, and the rest; along x at
// multiples of a short vector.
template <class T, int N>
std::vector<Box<N>> cut_into_parts(const FieldLayout<N>& layout, index_t depth) {
  Box<N> rest = layout.all();
  std::vector<Box<N>> parts;
  for (std::size_t d = N; d-- > 0;) {
    constexpr index_t width = ShortVector<T>::size;
    const index_t low = d == 0 ? (depth + width - 1) / width * width : depth;
    Box<N> part = rest;
    part[d].end = rest[d].begin = std::min(low, layout.own[d]);
    parts.push_back(part);
  }
  parts.push_back(rest);
  return parts;
}

// `wrapped`: the layers that the kernel stores for neighbours are its own ghosts.
template <class T, int Steps, class Exec, class S>
void expect_oracle(const S& stencil, const std::array<index_t, S::dimensions>& size, index_t depth,
                   const FixedSides<S::dimensions>& fixed, bool wrapped = false) {
  constexpr int N = S::dimensions;
  SCOPED_TRACE(std::to_string(Steps) + " steps, " + to_text<N>(size, fixed));
  const Exec exec{};
  LocalOperands<S, T, Exec> local(field_layout<N>(size, depth, sizeof(T)), 5);
  LocalField<T, N> expected = local.host_u;
  double squares[Steps];
  for (double& square : squares)
    square = reference_step<T, N>(expected, local.host_coefficient, fixed, oracle_of<T>(stencil));
  auto operands = local.operands;
  const auto local_new_u = Kokkos::create_mirror(typename Exec::memory_space(), operands.new_u);
  Kokkos::deep_copy(local_new_u, operands.new_u);
  if (wrapped) {
    wrap<T, N>(expected, Steps);
    const index_t layer = local.layout.stride[N - 1];
    operands.low_ghosts = operands.new_u.data() + local.layout.origin + size[N - 1] * layer;
    operands.high_ghosts = operands.new_u.data() + local.layout.origin - Steps * layer;
  }
  for (const auto& parts :
       {std::vector{local.layout.all()}, cut_into_parts<T>(local.layout, depth)}) {
    SCOPED_TRACE(std::to_string(parts.size()) + " parts");
    const auto count = static_cast<std::size_t>(fused_steps_sums<S, T, Steps>(exec, parts));
    const Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> sums(
        "sums", count, Steps);
    Kokkos::deep_copy(sums, std::numeric_limits<double>::quiet_NaN());
    fused_steps<T, Steps>(exec, stencil, operands, fixed, parts, sums);
    exec.fence("test");
    ASSERT_TRUE(local.new_u_is(expected, wrapped ? Steps : 0));
    for (int s = 0; s < Steps; ++s) {
      ASSERT_NEAR(total(Kokkos::subview(sums, Kokkos::ALL, s)), squares[s], 1e-12 * squares[s])
          << "step " << s;
    }
    // (Restores new_u in the same memory.)
    Kokkos::deep_copy(operands.new_u, local_new_u);
  }
}

constexpr FixedSides<2> cut{};
constexpr FixedSides<2> closed{{{true, true}, {true, true}}};
constexpr FixedSides<2> closed_at_sides{{{true, true}, {false, false}}};
constexpr FixedSides<2> left_and_top{{{true, false}, {false, true}}};
constexpr FixedSides<2> right_and_bottom{{{false, true}, {true, false}}};

// HostTeams run one thread at a time, so they get fewer sizes.
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

TYPED_TEST(FusedSteps, GivesTheBitsAndTheNormsOfSingleSteps) {
  expect_laplace<float, 1, TypeParam>();
  expect_laplace<float, 3, TypeParam>();
  expect_laplace<double, 4, TypeParam>();
  // (Everything is compiled here for HostTeams; an odd and an even number of steps have all
  // barriers.)
  if constexpr (!std::is_same_v<TypeParam, HostTeams>) {
    expect_laplace<float, 2, TypeParam>();
    expect_laplace<float, 5, TypeParam>();
    expect_laplace<float, 8, TypeParam>();
    expect_laplace<double, 2, TypeParam>();
    expect_laplace<double, 7, TypeParam>();
  }
}

TYPED_TEST(FusedSteps, TakesDeeperGhostsCornersAndCoefficients) {
  for (const auto& fixed : {cut, closed, right_and_bottom}) {
    for (const std::array<index_t, 2>& size : {std::array<index_t, 2>{9, 5}, {131, 11}}) {
      if (std::is_same_v<TypeParam, HostTeams> && (!optimised || fixed[0][0])) break;
      expect_oracle<double, 3, TypeParam>(LaplaceStencil{}, size, 7, fixed);
      expect_oracle<double, 3, TypeParam>(NinePoints{}, size, 3, fixed);
      expect_oracle<float, 4, TypeParam>(DiffusionStencil<float, 2>{{0.1F, 0.2F}}, size, 4, fixed);
    }
  }
}

// Periodic along y: the first and last rows go to the ghosts beyond the other end.
template <int Steps, class Exec>
void expect_wrap() {
  for (const auto& size : sizes<Exec>())
    if (size[1] >= Steps)
      expect_oracle<double, Steps, Exec>(LaplaceStencil{}, size, Steps, closed_at_sides, true);
}

TYPED_TEST(FusedSteps, StoresIntoTheGhostsOfNeighbours) {
  expect_wrap<1, TypeParam>();
  expect_wrap<3, TypeParam>();
  expect_wrap<6, TypeParam>();
}

// In three dimensions: every side is open in some cases and fixed in others.
constexpr FixedSides<3> open_box{};
constexpr FixedSides<3> closed_box{{{true, true}, {true, true}, {true, true}}};
constexpr FixedSides<3> mixed_box{{{true, false}, {false, true}, {false, true}}};
constexpr FixedSides<3> other_box{{{false, true}, {true, false}, {true, false}}};

// (For HostTeams: few tiles and slabs, but some beside each other.)
template <class T, int Steps, class Exec>
void expect_diffusion() {
  const DiffusionStencil<T, 3> stencil{{T(0.1), T(0.15), T(0.05)}};
  if constexpr (std::is_same_v<Exec, HostTeams>) {
    expect_oracle<T, Steps, Exec>(stencil, {5, 2, Steps < 3 ? 3 : 1}, Steps, mixed_box);
    if (optimised && Steps == 2 && sizeof(T) == 4)
      expect_oracle<T, Steps, Exec>(stencil, {121, 3, 2}, Steps, other_box);
    return;
  }
  std::vector<std::array<index_t, 3>> sizes{{1, 1, 1}, {5, 3, 2}, {31, 9, 5}};
  if (optimised) {
    sizes.insert(sizes.end(), {{31, 33, 7}, {121, 9, 5}, {67, 70, 3}, {1030, 19, 4}, {20, 40, 70}});
  }
  for (const auto& size : sizes)
    for (const auto& fixed : {open_box, closed_box, mixed_box, other_box})
      expect_oracle<T, Steps, Exec>(stencil, size, Steps, fixed);
}

TYPED_TEST(FusedSteps, GivesTheBitsAndTheNormsOfSingleStepsInThreeDimensions) {
  expect_diffusion<float, 1, TypeParam>();
  expect_diffusion<float, 2, TypeParam>();
  expect_diffusion<float, 3, TypeParam>();
  expect_diffusion<double, 2, TypeParam>();
  if constexpr (!std::is_same_v<TypeParam, HostTeams>) {
    expect_diffusion<double, 1, TypeParam>();
    expect_diffusion<double, 3, TypeParam>();
  }
}

TYPED_TEST(FusedSteps, TakesDeeperGhostsCornersAndCoefficientsInThreeDimensions) {
  using Sizes3d = std::vector<std::array<index_t, 3>>;
  const bool slow = std::is_same_v<TypeParam, HostTeams>;
  for (const auto& fixed : {mixed_box, other_box, open_box}) {
    for (const auto& size : slow ? Sizes3d{{5, 4, 3}} : Sizes3d{{9, 5, 3}, {131, 11, 6}}) {
      expect_oracle<double, 2, TypeParam>(Weighted3d{}, size, 5, fixed);
      expect_oracle<double, 1, TypeParam>(TwentySevenPoints{}, size, 1, fixed);
      if (optimised || !slow) {
        expect_oracle<double, 3, TypeParam>(TwentySevenPoints{}, size, 3, fixed);
      }
    }
    if (slow) break;
  }
}

TYPED_TEST(FusedSteps, StoresIntoTheGhostsOfNeighboursInThreeDimensions) {
  const DiffusionStencil<float, 3> stencil{{0.1F, 0.15F, 0.05F}};
  for (const std::array<index_t, 3>& size : {std::array<index_t, 3>{5, 3, 3}, {131, 40, 17}}) {
    expect_oracle<float, 3, TypeParam>(stencil, size, 3, open_box, true);
    if (std::is_same_v<TypeParam, HostTeams>) break;
    expect_oracle<float, 2, TypeParam>(stencil, size, 2, mixed_box, true);
  }
}

TYPED_TEST(FusedSteps, RefusesGhostsThatAreNotDeepEnough) {
  LocalOperands<LaplaceStencil, double, TypeParam> local(field_layout<2>({9, 9}, 2, 8), 1);
  const Kokkos::View<double**, Kokkos::LayoutLeft, typename TypeParam::memory_space> sums("sums", 9,
                                                                                          3);
  EXPECT_THAT(error_of<InvalidArgument>([&] {
                fused_steps<double, 3>(TypeParam{}, LaplaceStencil{}, local.operands, cut,
                                       {local.layout.all()}, sums);
              }),
              ::testing::HasSubstr("ghosts of depth 2 for 3 steps"));
}

}  // namespace
}  // namespace kolam::testing::fused_steps_test
