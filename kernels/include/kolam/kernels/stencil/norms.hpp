// SPDX-License-Identifier: Apache-2.0
// Norms from partial sums, on the device, in an order that does not depend on the number of
// threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>

namespace kolam {

/// The value of a norm slot until its norm arrives. (Norms are never negative; NaN is a norm that
/// has arrived.)
inline constexpr double norm_pending = -1;
/// The value of a norm slot for a step that was skipped because an earlier one had raised the stop
/// flag.
inline constexpr double norm_skipped = -2;

/// Sets norms(first + s) = sqrt(sum of partial_sums(:, s)) for each step s of [0, steps).
///
/// partial_sums: [sums per step, at least `steps`]. norms: pinned memory that the host may poll;
/// each norm is one store. If `stop` is given, a norm that is not finite or is <= tol raises it,
/// and norm_skipped is written while it is raised; `steps` must then be 1. Moves 8 bytes per
/// partial sum.
template <ExecutionSpace Exec>
void finish_norms(const Exec& exec,
                  const Kokkos::View<const double**, Kokkos::LayoutLeft,
                                     typename Exec::memory_space>& partial_sums,
                  int steps, const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace>& norms,
                  index_t first, const Kokkos::View<int, typename Exec::memory_space>& stop = {},
                  double tol = norm_pending);

/// Norms over the own points of a field; both are NaN if a value is NaN.
struct FieldNorms {
  double sum;  ///< sum of u^2
  double max;  ///< maximum of |u|
};

/// Returns the norms of u, [layout.size]; waits for them. Sums are in double and do not depend on
/// the number of threads. Moves sizeof(T) bytes for each point.
template <class T, int N, ExecutionSpace Exec>
FieldNorms field_norms(const Exec& exec, const FieldLayout<N>& layout,
                       Kokkos::View<const T*, typename Exec::memory_space> u);

}  // namespace kolam
