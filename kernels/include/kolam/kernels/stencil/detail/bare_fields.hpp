// SPDX-License-Identifier: Apache-2.0
// Pointers to the fields, and the update of one point, for all kernels of stencils.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/kernels/stencil/operands.hpp>
#include <utility>

namespace kolam::detail {

// The fields of StencilOperands as pointers; u, new_u and coefficients point at the first own
// point.
template <class S, class T>
struct BareFields {
  static constexpr int known_count = stencil_coefficients<S>;

  const T* u;
  T* new_u;
  T* low_ghosts;
  T* high_ghosts;
  const T* coefficients[known_count > 0 ? known_count : 1] = {};

  template <class Exec>
  explicit BareFields(const StencilOperands<S, T, Exec>& operands)
      : u(operands.u.data() + operands.layout.origin),
        new_u(operands.new_u.data() + operands.layout.origin),
        low_ghosts(operands.low_ghosts),
        high_ghosts(operands.high_ghosts) {
    std::transform(operands.coefficients.begin(), operands.coefficients.end(), coefficients,
                   [&](const auto& view) { return view.data() + operands.layout.origin; });
  }

  // Moves the pointers by `place` values, and those of ghosts by `in_layer` values within their
  // layer.
  void shift(index_t place, index_t in_layer) {
    u += place;
    new_u += place;
    for (int k = 0; k < known_count; ++k) coefficients[k] += place;
    if (low_ghosts != nullptr) low_ghosts += in_layer;
    if (high_ghosts != nullptr) high_ghosts += in_layer;
  }
};

// Sums of (new - old)^2 of each fused step, [tiles, steps].
template <class Exec>
using FusedSums = Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>;

template <class T, class S, class At, class Known, std::size_t... k>
KOKKOS_FORCEINLINE_FUNCTION T update_with(const S& stencil, const At& at,
                                          [[maybe_unused]] const Known& known,
                                          std::index_sequence<k...>) {
  return stencil(Neighbourhood<T, S::dimensions, At, stencil_corners<S>>(at),
                 known(static_cast<int>(k))...);
}
// Returns the new value of one point: its neighbours are at(dx, dy, dz), coefficient k is known(k).
template <class T, class S, class At, class Known>
KOKKOS_FORCEINLINE_FUNCTION T update_point(const S& stencil, const At& at, const Known& known) {
  constexpr auto count = static_cast<std::size_t>(stencil_coefficients<S>);
  return update_with<T>(stencil, at, known, std::make_index_sequence<count>{});
}

}  // namespace kolam::detail
