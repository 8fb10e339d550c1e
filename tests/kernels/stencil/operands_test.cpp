// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <new>

namespace kolam {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

TEST(StencilOperands, HaveAsManyCoefficientsAsTheStencil) {
  EXPECT_EQ((StencilOperands<LaplaceStencil, float, Exec>{}.coefficients.size()), 0);
  EXPECT_EQ((StencilOperands<DiffusionStencil<float, 3>, float, Exec>{}.coefficients.size()), 1);
}

// Even without braces, in memory with other contents.
TEST(StencilOperands, StoreNothingElsewhereByThemselves) {
  using Operands = StencilOperands<LaplaceStencil, float, Exec>;
  alignas(Operands) std::array<unsigned char, sizeof(Operands)> memory;
  memory.fill(0xff);
  auto* const operands = new (memory.data()) Operands;
  EXPECT_EQ(operands->low_ghosts, nullptr);
  EXPECT_EQ(operands->high_ghosts, nullptr);
  operands->~Operands();
}

}  // namespace
}  // namespace kolam
