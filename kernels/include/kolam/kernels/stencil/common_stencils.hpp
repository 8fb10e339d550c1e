// SPDX-License-Identifier: Apache-2.0
// The stencils that come with kolam.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/simd.hpp>
#include <kolam/kernels/stencil/stencil.hpp>

namespace kolam {

/// A Jacobi step of the two-dimensional Laplace equation.
struct LaplaceStencil {
  static constexpr int dimensions = 2;  ///< of the field
  /// Returns the new value, the average of the four neighbours: (left + below) + (right + above).
  /// Every backend adds in this order, so that fields agree bitwise. A value below the smallest
  /// normal number becomes zero, see without_subnormals.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION typename U::value_type operator()(const U& u) const {
    using T = typename U::value_type;
    return u.product_without_subnormals(T(0.25), (u.left() + u.below()) + (u.right() + u.above()));
  }
};

/// An explicit Euler step of heat diffusion, Cp dT/dt = lambda laplace(T), in N dimensions. `rates`
/// are lambda dt / dx^2 for each dimension; the coefficient at each point is 1 / Cp. Stable while
/// 2 (sum of rates) / Cp <= 1 everywhere. A_eff = 2 D_u + D_k: T is read and written, 1 / Cp is
/// read. (S. Omlin and L. Raess, High-performance xPU stencil computations in Julia, 2022.)
template <class T, int N>
struct DiffusionStencil {
  static constexpr int dimensions = N;    ///< of the field, 2 or 3
  static constexpr int coefficients = 1;  ///< known fields: 1 / Cp

  T rates[N];  ///< lambda dt / dx^2 along x, y (and z)

  /// Returns the new value; below the smallest normal number it becomes zero, see
  /// without_subnormals. Multiply-adds are fused if the host's processor can fuse them.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const U& u, T inverse_cp) const {
    const T center = u.center();
    T sum = rates[0] * ((u.left() - center) + (u.right() - center));
    sum = add_product(sum, rates[1], (u.below() - center) + (u.above() - center));
    if constexpr (N == 3)
      sum = add_product(sum, rates[2], (u.back() - center) + (u.front() - center));
    return u.without_subnormals(add_product(center, inverse_cp, sum));
  }

 private:
  // Returns sum + a * b with the same bits on hosts and devices: devices fuse it if hosts do. (nvcc
  // defines the host compiler's macros for both.)
  KOKKOS_FORCEINLINE_FUNCTION static T add_product(T sum, T a, T b) {
#if defined(__FP_FAST_FMA) || defined(__FMA__)
    return multiply_add(a, b, sum);
#else
    return sum + a * b;
#endif
  }
};

/// Conduction, -div(k grad u), on a grid of cells in N dimensions, as the rows of a matrix. The
/// flow through each face is proportional to the difference of u across the face and to the mean of
/// k on both sides; k is the coefficient. `rates` are 1 / (2 dx^2) for each dimension. Symmetric
/// and positive semidefinite. A_eff = 2 D_u + D_k.
template <class T, int N>
struct ConductionStencil {
  static constexpr int dimensions = N;                  ///< of the grid, 2 or 3
  static constexpr int coefficients = 1;                ///< k
  static constexpr bool coefficient_neighbours = true;  ///< k is read with its neighbours

  T rates[N];  ///< 1 / (2 dx^2) along x, y (and z)

  /// Returns the net flow out of the point's cell.
  template <class U, class K>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const U& u, const K& k) const {
    const T c = u.center();
    const T kc = k.center();
    T sum = rates[0] * ((kc + k.left()) * (c - u.left()) + (kc + k.right()) * (c - u.right()));
    sum += rates[1] * ((kc + k.below()) * (c - u.below()) + (kc + k.above()) * (c - u.above()));
    if constexpr (N == 3)
      sum += rates[2] * ((kc + k.back()) * (c - u.back()) + (kc + k.front()) * (c - u.front()));
    return sum;
  }
};

}  // namespace kolam
