// SPDX-License-Identifier: Apache-2.0
// What a sweep works on.
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
  using Space = typename Exec::memory_space;  ///< of all fields

  FieldLayout<S::dimensions> layout;  ///< of all fields
  Kokkos::View<const T*, Space> u;    ///< [layout.size]
  Kokkos::View<T*, Space> new_u;      ///< [layout.size]
  /// The known fields, [layout.size] each.
  std::array<Kokkos::View<const T*, Space>, stencil_coefficients<S>> coefficients = {};
  ///@{
  /// Where a sweep stores the new values of the first and of the last layer of the slowest
  /// dimension once more, from the first own point of the layer on, and t fused steps those of
  /// the first and last t layers: the ghosts of the neighbour before and after, on a device that
  /// this one can write to, with the same strides; of itself, where the dimension is periodic and
  /// not cut. So no exchange is needed. Null: nowhere.
  T* low_ghosts = nullptr;
  T* high_ghosts = nullptr;
  ///@}
};

/// How a sweep reports and whether it runs at all.
template <class Exec>
struct SweepControl {
  using Space = typename Exec::memory_space;  ///< of both
  /// Sums of (new - old)^2, one per tile of the sweep; empty: none are wanted.
  Kokkos::View<double*, Space> partial_sums = {};
  /// Where set and non-zero when the sweep starts, the sweep does nothing.
  Kokkos::View<const int, Space> stop = {};
};

/// Which sides of a subdomain are boundaries whose values stay as they are: [dimension][0] at its
/// beginning, [dimension][1] at its end. At the others ghosts are a neighbour's points.
template <int N>
using FixedSides = PerDimension<PerDimension<bool, 2>, N>;

}  // namespace kolam
