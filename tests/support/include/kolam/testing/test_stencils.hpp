// SPDX-License-Identifier: Apache-2.0
// Stencils for tests, and their updates for the oracle.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>

namespace kolam::testing {

/// Reads diagonal neighbours; all weights differ, so that swapped neighbours change the result.
struct NinePoints {
  static constexpr int dimensions = 2;
  static constexpr bool corners = true;
  template <class U>
  KOKKOS_FUNCTION typename U::value_type operator()(const U& u) const {
    using T = typename U::value_type;
    T sum = T(0.5) * u.center();
    sum += T(0.0625) * u(-1, -1);
    sum += T(0.125) * u(0, -1);
    sum += T(0.03125) * u(1, -1);
    sum += T(0.25) * u(-1, 0);
    sum -= T(0.5) * u(1, 0);
    sum -= T(0.125) * u(-1, 1);
    sum -= T(0.0625) * u(0, 1);
    sum -= T(0.25) * u(1, 1);
    return sum;
  }
};

/// Two coefficients in three dimensions.
struct Weighted3d {
  static constexpr int dimensions = 3;
  static constexpr int coefficients = 2;
  template <class U>
  KOKKOS_FUNCTION typename U::value_type operator()(const U& u, typename U::value_type a,
                                                    typename U::value_type b) const {
    using T = typename U::value_type;
    const T sum = T(0.5) * u.left() - T(0.25) * u.right() + T(0.125) * u.below() -
                  T(0.0625) * u.above() + T(0.03125) * u.back() - T(0.015625) * u.front();
    return a * sum + b * u.center();
  }
};

/// Reads diagonal neighbours in three dimensions, with 27 weights.
struct TwentySevenPoints {
  static constexpr int dimensions = 3;
  static constexpr bool corners = true;
  template <class U>
  KOKKOS_FUNCTION typename U::value_type operator()(const U& u) const {
    using T = typename U::value_type;
    T sum = 0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += T(9 * dz + 3 * dy + dx + 2) / 64 * u(dx, dy, dz);
    return sum;
  }
};

/// Returns the update of a stencil for testing::reference_step: the same expression, evaluated with
/// the oracle's own neighbours.
template <class T, class S>
auto oracle_of(const S& stencil) {
  return [stencil](const auto& at, auto... coefficients) {
    const Neighbourhood<T, S::dimensions, std::decay_t<decltype(at)>> around(at);
    if constexpr (stencil_coefficients<S> == 0) {
      return stencil(around);
    } else if constexpr (stencil_coefficients<S> == 1) {
      return stencil(around, coefficients...);
    } else {
      return stencil(around, coefficients..., coefficients...);
    }
  };
}

}  // namespace kolam::testing
