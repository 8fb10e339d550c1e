// SPDX-License-Identifier: Apache-2.0
// One step of a stencil over a subdomain, or over parts of it.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/core/execution.hpp>
#include <kolam/kernels/stencil/detail/sweep_device.hpp>
#include <kolam/kernels/stencil/detail/sweep_host.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <vector>

namespace kolam {

/// Returns the number of partial sums that stencil_sweep writes on Exec for these parts.
template <class T, ExecutionSpace Exec, int N>
index_t stencil_partial_sums(const std::vector<Box<N>>& parts) {
  index_t sums = 0;
  for (const Box<N>& part : parts) {
    if constexpr (has_block_threads<Exec>) {
      sums += detail::StencilTile<T, Exec, N>::tiles(part, true);
    } else {
      sums += detail::host_groups<T>(part);
    }
  }
  return sums;
}

/// Sets new_u = stencil(u) at the points of `parts` and writes no other point of new_u. Parts must
/// not overlap, and must begin, along x, at multiples of 16 bytes. Reads u and its ghosts next to
/// `parts`, and the coefficients at `parts`. u and new_u must not be the same memory. Asynchronous.
///
/// On devices, throws InvalidArgument for more than 2 N parts, or for a part whose points along a
/// dimension exceed 2^31 - 1. For each point, reads the value of u and of the coefficients, and
/// writes the new value: A_eff = 2 D_u + D_k. Partial sums accumulate in double and do not depend
/// on the number of threads.
template <class T, ExecutionSpace Exec, StencilOf<T> S>
void stencil_sweep(const Exec& exec, const S& stencil, const StencilOperands<S, T, Exec>& operands,
                   const std::vector<Box<S::dimensions>>& parts,
                   const SweepControl<Exec>& control = {}) {
  if constexpr (has_block_threads<Exec>) {
    detail::sweep_on_device<T>(exec, stencil, operands, parts, control);
  } else {
    const auto arrays = std::uint64_t{2} + stencil_coefficients<S>;
    const auto bytes = arrays * static_cast<std::uint64_t>(operands.layout.points()) * sizeof(T);
    detail::sweep_on_host<T>(exec, stencil, operands, parts, control, detail::host_sweep_of(bytes));
  }
}

}  // namespace kolam
