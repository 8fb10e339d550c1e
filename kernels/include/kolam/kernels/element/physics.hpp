// SPDX-License-Identifier: Apache-2.0
// Physics: the operation of a bilinear form at a point in space. Geometry is separate: OnElements
// in geometry.hpp makes an integrand of both.
//
//   struct PowerLaw {  // (|grad u|^(p - 2) grad u, grad v), with |grad u|^2 + eps for |grad u|^2
//     static constexpr int components = 1;
//     static constexpr auto reads = kolam::Evaluation::gradients;
//     static constexpr auto writes = kolam::Evaluation::gradients;
//     double p, eps;
//     template <class Point>
//     KOKKOS_FUNCTION void operator()(Point& at) const {
//       const auto x = at.gradient[0][0], y = at.gradient[0][1];  // along the axes of space
//       const auto factor = kolam::pow(x * x + y * y + eps, p / 2 - 1);
//       at.gradient[0][0] = factor * x;
//       at.gradient[0][1] = factor * y;
//     }
//   };
#pragma once

#include <kolam/core/simd.hpp>
#include <kolam/kernels/element/quadrature_point.hpp>
#include <kolam/kernels/element/sizes.hpp>

namespace kolam {

/// A struct as at the top of this file: an Integrand with gradients in space and with results that
/// do not contain weights and determinants. Its members are the same for all points. It may
/// also define
///   static constexpr int coefficients = 2;  // numbers at each point: at.data[0], ...
///   template <class Point, class T>         // computes them, once, at a MappedPoint
///   KOKKOS_FUNCTION void set_coefficients(const Point& at, T (&numbers)[2]) const;
///                                           // (without it: see on_stored)
///   static constexpr bool isotropic = true; // it scales values and gradients by numbers, each
///                                           // component by itself: less geometry is stored
/// and, like an Integrand, component_wise and sizes.
template <class P>
concept Physics = Integrand<P> && !requires { P::data; };

namespace detail {

template <class P>
KOKKOS_FUNCTION constexpr bool is_isotropic() {
  if constexpr (requires { P::isotropic; }) return P::isotropic;
  return false;
}
template <class P>
KOKKOS_FUNCTION constexpr int coefficient_count() {
  if constexpr (requires { P::coefficients; }) return P::coefficients;
  return 0;
}

}  // namespace detail

namespace detail {

// Physics that leaves values or gradients unchanged.
template <Evaluation Parts, int Components>
struct Unchanged {
  static constexpr int components = Components;  ///< of the field
  static constexpr bool component_wise = true;   ///< components are independent
  static constexpr bool isotropic = true;        ///< see Physics
  static constexpr auto reads = Parts;           ///< parts of the field that are read
  static constexpr auto writes = Parts;          ///< parts of the test function

  /// Changes nothing.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point&) const {}
};

}  // namespace detail

///@{
/// Mass: (d u, v), CEED's BP1, or BP2 with several independent components. Diffusion: (c grad u,
/// grad v), BP3 to BP6. Helmholtz: the sum of both. The coefficients come with the geometry.
template <int Components = 1>
struct Mass : detail::Unchanged<Evaluation::values, Components> {};
template <int Components = 1>
struct Diffusion : detail::Unchanged<Evaluation::gradients, Components> {};
template <int Components = 1>
struct Helmholtz : detail::Unchanged<Evaluation::values_and_gradients, Components> {};
///@}

/// Linear elasticity of isotropic materials: (lambda div u, div v) + (2 mu eps(u), eps(v)), with
/// the symmetric gradient eps(u) of a displacement u. Its coefficients at each point are the Lame
/// parameters lambda and mu: on_stored takes a functor that fills both.
template <int Components>
struct Elasticity {
  static constexpr int components = Components;          ///< of the displacement, one a dimension
  static constexpr auto reads = Evaluation::gradients;   ///< parts of the field that are read
  static constexpr auto writes = Evaluation::gradients;  ///< parts of the test function
  static constexpr int coefficients = 2;                 ///< lambda, mu

  /// Replaces the gradient by the stress.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    static_assert(Point::dimensions == Components, "elasticity: a component for each dimension");
    const V mu = at.data[1];
    V trace = at.gradient[0][0];
    KOLAM_UNROLL
    for (int k = 1; k < Components; ++k) trace = trace + at.gradient[k][k];
    trace = at.data[0] * trace;
    KOLAM_UNROLL
    for (int i = 0; i < Components; ++i) {
      at.gradient[i][i] = trace + V(2) * mu * at.gradient[i][i];
      KOLAM_UNROLL
      for (int k = i + 1; k < Components; ++k)
        at.gradient[i][k] = at.gradient[k][i] = mu * (at.gradient[i][k] + at.gradient[k][i]);
    }
  }
};

/// A right-hand side (d, v), the same for every component.
template <int Components = 1>
struct Source {
  static constexpr int components = Components;       ///< of the field
  static constexpr bool component_wise = true;        ///< components are independent
  static constexpr bool isotropic = true;             ///< see Physics
  static constexpr auto reads = Evaluation::none;     ///< parts of the field that are read
  static constexpr auto writes = Evaluation::values;  ///< parts of the test function
  using sizes = ElementSizeList<>;                    ///< none compiled, because it is for set-up

  /// Sets all values to 1.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    for (int c = 0; c < Point::components; ++c) at.value[c] = V(1);
  }
};

/// Isotropic physics times a coefficient that varies inside elements, given as a functor on
/// MappedPoint. It stores one number per point, whereas computed geometry takes coefficients once
/// for each element.
template <Physics P, class Coefficient>
struct WithCoefficient : P {
  static_assert(detail::is_isotropic<P>() && detail::coefficient_count<P>() == 0,
                "WithCoefficient is for physics that is isotropic and has no coefficients of its "
                "own; write set_coefficients instead");
  static constexpr int coefficients = 1;  ///< see Physics
  Coefficient coefficient;                ///< factor at each point

  /// See Physics.
  template <class Point, class T>
  KOKKOS_FUNCTION void set_coefficients(const Point& at, T (&numbers)[1]) const {
    numbers[0] = static_cast<T>(coefficient(at));
  }
  /// Applies P and multiplies the result by the coefficient.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    P::operator()(at);
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) {
      if constexpr (detail::has_values(P::writes)) at.value[c] = at.data[0] * at.value[c];
      if constexpr (detail::has_gradients(P::writes)) {
        KOLAM_UNROLL
        for (int d = 0; d < Point::dimensions; ++d)
          at.gradient[c][d] = at.data[0] * at.gradient[c][d];
      }
    }
  }
};
/// Deduction guide for physics p and its factor c.
template <class P, class C>
WithCoefficient(P p, C c) -> WithCoefficient<P, C>;

}  // namespace kolam
