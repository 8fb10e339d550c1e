// SPDX-License-Identifier: Apache-2.0
// From partial sums to norms, on the device, in an order that does not depend on the number of
// threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/execution.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>

namespace kolam {

/// What a norm slot holds until its norm arrives. (Norms are not negative; NaN is a norm that
/// arrived.)
inline constexpr double norm_pending = -1;
/// What it holds for a step that was skipped because an earlier one had raised the stop flag.
inline constexpr double norm_skipped = -2;

/// norms(first + s) = sqrt(sum of partial_sums(:, s)) for each step s of [0, steps).
///
/// partial_sums: [sums per step, at least `steps`]. norms: pinned memory that the host may poll:
/// each norm is one store. Where `stop` is set: it is raised after a norm that is not finite or is
/// <= tol, and while it is up, norm_skipped is written; `steps` must be 1 then. Moves 8 bytes per
/// partial sum.
template <ExecutionSpace Exec>
void finish_norms(const Exec& exec,
                  const Kokkos::View<const double**, Kokkos::LayoutLeft,
                                     typename Exec::memory_space>& partial_sums,
                  int steps, const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace>& norms,
                  index_t first, const Kokkos::View<int, typename Exec::memory_space>& stop = {},
                  double tol = norm_pending);

/// Of the own points of a field: sum = sum u^2 and max = max |u|; both NaN if a value is.
struct FieldNorms {
  double sum;  ///< of u^2
  double max;  ///< of |u|
};

/// The norms of u, [layout.size]; waits for them. Sums are in double and do not depend on the
/// number of threads. Moves sizeof(T) bytes for each point.
template <class T, int N, ExecutionSpace Exec>
FieldNorms field_norms(const Exec& exec, const FieldLayout<N>& layout,
                       Kokkos::View<const T*, typename Exec::memory_space> u);

}  // namespace kolam
