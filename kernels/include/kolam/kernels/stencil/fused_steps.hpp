// SPDX-License-Identifier: Apache-2.0
// Several steps of a stencil in one sweep over memory (temporal blocking).
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/kernels/stencil/detail/fused_device.hpp>
#include <kolam/kernels/stencil/detail/fused_device_3d.hpp>
#include <kolam/kernels/stencil/detail/fused_host.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kolam {

namespace detail {

// Returns the tiles of fused steps on a part, one for each block or thread.
template <class S, class T, int Steps, class Exec>
auto fused_tiles(const Exec& exec, const Box<S::dimensions>& part) {
  constexpr int N = S::dimensions;
  if constexpr (!has_block_threads<Exec>) {
    return HostFusedTiling<T, N>(part);
  } else if constexpr (N == 2) {
    return FusedTiling<T, Exec, Steps>(exec, part);
  } else {
    return Fused3dTiling<T, Exec, Steps, stencil_corners<S>>(exec, part);
  }
}

}  // namespace detail

/// Returns the number of partial sums that `Steps` fused steps of S over `parts` write for each
/// step.
template <class S, class T, int Steps, ExecutionSpace Exec>
index_t fused_steps_sums(const Exec& exec, const std::vector<Box<S::dimensions>>& parts) {
  index_t sums = 0;
  for (const auto& part : parts)
    if (!part.empty()) sums += detail::fused_tiles<S, T, Steps>(exec, part).tiles();
  return sums;
}

/// The number of fused steps that was fastest if memory bandwidth limits sweeps
/// (docs/decisions/0019-several-steps-a-pass.md).
template <class S, class T, ExecutionSpace Exec>
inline constexpr int best_fused_steps = S::dimensions == 3 ? (has_block_threads<Exec> ? 2 : 3)
                                        : !has_block_threads<Exec>    ? 8
                                        : stencil_coefficients<S> > 0 ? 5
                                        : sizeof(T) == 4              ? 8
                                                                      : 6;

/// Applies `Steps` steps of the stencil, new_u = stencil(... stencil(u)), at the points of `parts`,
/// which have the preconditions of stencil_sweep. The result is bitwise that of `Steps` sweeps. The
/// layout's ghosts must be at least `Steps` deep. Ghosts of u hold the neighbours' points (with
/// those across corners) at sides that are not `fixed`; at fixed sides the first layer holds the
/// boundary's values. Ghosts of new_u are written only through operands.low_ghosts and high_ghosts.
///
/// partial_sums: [fused_steps_sums, Steps], sums of (new - old)^2 of each single step. Moves about
/// as many bytes as one sweep if the parts are much larger than `Steps` points in every dimension.
/// Throws InvalidArgument for ghosts less than `Steps` deep.
///
/// (In 2D a warp or a thread sweeps down a band of rows and holds two or three rows of each step;
/// in 3D a block of warps or a thread sweeps through a band of planes. Values at the rim are
/// recomputed by the neighbour. See K. Matsumura et al., AN5D: automated stencil framework for
/// high-degree temporal blocking on GPUs, 2020.)
template <class T, int Steps, ExecutionSpace Exec, StencilOf<T> S>
  requires(Steps >= 1 && Steps <= most_steps_per_pass(S::dimensions))
void fused_steps(
    const Exec& exec, const S& stencil, const StencilOperands<S, T, Exec>& operands,
    const FixedSides<S::dimensions>& fixed, const std::vector<Box<S::dimensions>>& parts,
    const Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>& partial_sums) {
  if (operands.layout.depth < Steps) {
    throw InvalidArgument("fused_steps: ghosts of depth " + std::to_string(operands.layout.depth) +
                          " for " + std::to_string(Steps) + " steps; they must be as deep");
  }
  index_t first = 0;
  for (const Box<S::dimensions>& part : parts) {
    if (part.empty()) continue;
    const auto tiles = detail::fused_tiles<S, T, Steps>(exec, part);
    const auto sums =
        Kokkos::subview(partial_sums, std::pair(first, first + tiles.tiles()), Kokkos::ALL);
    if constexpr (!has_block_threads<Exec>) {
      detail::fused_on_host<T, Steps>(exec, stencil, operands, fixed, tiles, sums);
    } else if constexpr (S::dimensions == 2) {
      detail::fused_on_device<T, Steps>(exec, stencil, operands, fixed, tiles, sums);
    } else {
      detail::fused_3d_on_device<T, Steps>(exec, stencil, operands, fixed, tiles, sums);
    }
    first += tiles.tiles();
  }
}

}  // namespace kolam
