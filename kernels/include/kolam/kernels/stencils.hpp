// SPDX-License-Identifier: Apache-2.0
// The stencils that come with kolam.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/kernels/stencil.hpp>

namespace kolam {

/// The five-point average, (left + below) + (right + above), in the one order that every backend
/// uses, so that fields agree bitwise. An average below the smallest normal number is zero, see
/// without_subnormals.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T laplace_average(T left, T right, T below, T above) {
  return product_without_subnormals(T(0.25), (left + below) + (right + above));
}

/// A Jacobi step of the two-dimensional Laplace equation.
struct LaplaceStencil {
  static constexpr int dimensions = 2;  ///< of the field
  /// The new value: laplace_average of the four neighbours.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION typename U::value_type operator()(const U& u) const {
    return laplace_average(u.left(), u.right(), u.below(), u.above());
  }
};

/// An explicit Euler step of heat diffusion, Cp dT/dt = lambda laplace(T), in N dimensions: `rates`
/// are lambda dt / dx^2 for each dimension, and the coefficient at each point is 1 / Cp. Stable
/// while 2 (sum of rates) / Cp <= 1 everywhere. A_eff = 2 D_u + D_k: T is read and written, 1 / Cp
/// read. (S. Omlin and L. Raess, High-performance xPU stencil computations in Julia, 2022.)
template <class T, int N>
struct DiffusionStencil {
  static constexpr int dimensions = N;    ///< of the field, 2 or 3
  static constexpr int coefficients = 1;  ///< known fields: 1 / Cp

  T rates[N];  ///< lambda dt / dx^2 along x, y (and z)

  /// The new value; below the smallest normal number it is zero, see without_subnormals.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const U& u, T inverse_cp) const {
    const T center = u.center();
    T sum = rates[0] * ((u.left() - center) + (u.right() - center));
    sum += rates[1] * ((u.below() - center) + (u.above() - center));
    if constexpr (N == 3) sum += rates[2] * ((u.back() - center) + (u.front() - center));
    return without_subnormals(center + inverse_cp * sum);
  }
};

}  // namespace kolam
