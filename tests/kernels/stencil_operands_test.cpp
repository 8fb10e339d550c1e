// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <kolam/kernels/stencil_operands.hpp>
#include <kolam/kernels/stencils.hpp>

namespace kolam {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

TEST(StencilOperands, HaveAsManyCoefficientsAsTheStencil) {
  EXPECT_EQ((StencilOperands<LaplaceStencil, float, Exec>{}.coefficients.size()), 0);
  EXPECT_EQ((StencilOperands<DiffusionStencil<float, 3>, float, Exec>{}.coefficients.size()), 1);
}

TEST(StencilOperands, StoreNothingElsewhereByThemselves) {
  const StencilOperands<LaplaceStencil, float, Exec> operands{};
  EXPECT_EQ(operands.low_ghosts, nullptr);
  EXPECT_EQ(operands.high_ghosts, nullptr);
}

TEST(SweepControl, AsksForNothingByItself) {
  const SweepControl<Exec> control;
  EXPECT_EQ(control.partial_sums.extent(0), 0);
  EXPECT_EQ(control.stop.data(), nullptr);
}

TEST(FixedSides, AreOpenUnlessSaidOtherwise) {
  const FixedSides<3> sides{};
  for (std::size_t d = 0; d < 3; ++d) EXPECT_FALSE(sides[d][0] || sides[d][1]);
}

}  // namespace
}  // namespace kolam
