// SPDX-License-Identifier: Apache-2.0
// The operands of a sweep.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/core/execution.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <kolam/kernels/stencil/stencil.hpp>

namespace kolam {

/// The fields of one sweep or of fused steps, all of one layout.
template <class S, class T, ExecutionSpace Exec>
struct StencilOperands {
  using Space = typename Exec::memory_space;  ///< memory space of all fields

  FieldLayout<S::dimensions> layout;  ///< layout of all fields
  Kokkos::View<const T*, Space> u;    ///< [layout.size]
  Kokkos::View<T*, Space> new_u;      ///< [layout.size]
  /// Known fields, [layout.size] each.
  std::array<Kokkos::View<const T*, Space>, stencil_coefficients<S>> coefficients = {};
  ///@{
  /// Second destination of new values in the slowest dimension: the ghosts of the neighbours before
  /// (low) and after (high). A sweep also stores its first and last layer there, t fused steps
  /// their first and last t layers; each points to the first own point of the first of these
  /// layers. The neighbour's device must be one that this device can write to, with the same
  /// strides; in a periodic dimension that is not cut, the neighbour is the subdomain itself. These
  /// stores replace the exchange. Null: none.
  T* low_ghosts = nullptr;
  T* high_ghosts = nullptr;
  ///@}
};

/// Partial sums and stop flag of a sweep.
template <class Exec>
struct SweepControl {
  using Space = typename Exec::memory_space;  ///< memory space of both
  /// Sums of (new - old)^2, one per tile of the sweep; empty if none are wanted.
  Kokkos::View<double*, Space> partial_sums = {};
  /// If set and non-zero when the sweep starts, the sweep does nothing.
  Kokkos::View<const int, Space> stop = {};
};

/// Marks the sides of a subdomain that are boundaries with fixed values: [dimension][0] at its
/// beginning, [dimension][1] at its end. At the other sides ghosts are a neighbour's points.
template <int N>
using FixedSides = PerDimension<PerDimension<bool, 2>, N>;

}  // namespace kolam
