// SPDX-License-Identifier: Apache-2.0
// One Jacobi step of the two-dimensional Laplace equation.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/kernels/grid.hpp>

namespace kolam {

/// The five-point average, in the one order that every backend uses, so that fields agree bitwise.
/// An average below the smallest normal number is zero: where a field decays into zeros, a front of
/// subnormal numbers goes along, and processors take a hundred times as long for each of them.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T laplace_average(T left, T right, T below, T above) {
  constexpr T least = 4 * Kokkos::Experimental::norm_min_v<T>;
  const T sum = ((left + right) + below) + above;
  return sum < least && sum > -least ? T(0) : T(0.25) * sum;
}

/// How a sweep reports and whether it runs at all.
template <class Exec>
struct SweepControl {
  using Space = typename Exec::memory_space;
  /// Sums of (new - old)^2, [laplace_partial_sums], one per tile of the sweep; empty: none are
  /// wanted.
  Kokkos::View<double*, Space> partial_sums = {};
  /// Where set and non-zero when the sweep starts, the sweep does nothing.
  Kokkos::View<const int, Space> stop = {};
};

/// Number of partial sums that laplace_sweep writes on Exec for a field of T.
template <class T, ExecutionSpace Exec>
[[nodiscard]] index_t laplace_partial_sums(const Grid2d& grid);

/// new_u = average of the four neighbours in u on columns 1 .. nx-2 of rows 1 .. ny-2; on the same
/// columns, row 0 of new_u becomes its row ny-2 and row ny-1 its row 1 (periodic in y). Columns 0
/// and nx-1 are copied from u in rows 1 .. ny-2.
///
/// u, new_u: [pitch, ny], x fastest, from padded_grid, not the same memory; nx, ny >= 3.
/// Moves nx ny sizeof(T) bytes in and as many out. Partial sums accumulate in double and do not
/// depend on the number of threads.
template <class T, ExecutionSpace Exec>
void laplace_sweep(const Exec& exec, const Grid2d& grid,
                   Kokkos::View<const T*, typename Exec::memory_space> u,
                   Kokkos::View<T*, typename Exec::memory_space> new_u,
                   const SweepControl<Exec>& control = {});

}  // namespace kolam
