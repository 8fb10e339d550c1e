// SPDX-License-Identifier: Apache-2.0
// Bilinear forms with their coefficients, for Operator. A coefficient is a functor on a MappedPoint
// (its position `x`, its element), or kolam::Constant.
//
//   kolam::fem::Operator a(space, kolam::fem::Diffusion{Conductivity{}});
#pragma once

#include <kolam/fem/geometry.hpp>
#include <kolam/kernels/element/geometry.hpp>
#include <utility>

namespace kolam::fem {

/// (d u, v), of each component for itself.
template <class D = Constant<double>, int Components = 1>
struct Mass {
  using Physics = kolam::Mass<Components>;  ///< what happens at a point
  D d{1};                                   ///< the coefficient
};
/// (c grad u, grad v), of each component for itself.
template <class C = Constant<double>, int Components = 1>
struct Diffusion {
  using Physics = kolam::Diffusion<Components>;  ///< what happens at a point
  C c{1};                                        ///< the coefficient
};
/// (c grad u, grad v) + (d u, v), of each component for itself.
template <class C = Constant<double>, class D = Constant<double>, int Components = 1>
struct Helmholtz {
  using Physics = kolam::Helmholtz<Components>;  ///< what happens at a point
  C c{1};                                        ///< the coefficient of gradients
  D d{1};                                        ///< that of values
};
/// \cond
// (For clang before 17.)
Mass() -> Mass<>;
template <class D>
Mass(D) -> Mass<D>;
Diffusion() -> Diffusion<>;
template <class C>
Diffusion(C) -> Diffusion<C>;
Helmholtz() -> Helmholtz<>;
template <class C, class D>
Helmholtz(C, D) -> Helmholtz<C, D>;
/// \endcond

///@{
/// The form for fields of so many components.
template <int Components, class D>
auto componentwise(const Mass<D>& form) {
  return Mass<D, Components>{form.d};
}
template <int Components, class C>
auto componentwise(const Diffusion<C>& form) {
  return Diffusion<C, Components>{form.c};
}
template <int Components, class C, class D>
auto componentwise(const Helmholtz<C, D>& form) {
  return Helmholtz<C, D, Components>{form.c, form.d};
}
///@}

/// An Integrand that brings its geometry in data of its own: its gradients are those on the
/// reference element, and its results have weights and determinants in them.
template <class F>
struct OnReference {
  F integrand;  ///< what apply_elements calls
};
/// That of f.
template <class F>
OnReference(F) -> OnReference<F>;

namespace detail {

template <class T>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<Constant<T>> = true;

// Of a form: its physics (itself, unless it names another), and coefficients.
template <class Form>
auto physics_of(const Form& form) {
  if constexpr (requires { typename Form::Physics; }) {
    return typename Form::Physics{};
  } else {
    return form;
  }
}
template <class Form>
auto coefficient_of_gradients(const Form& form) {
  if constexpr (requires {
                  typename Form::Physics;
                  form.c;
                }) {
    return form.c;
  } else {
    return Constant<double>{1};
  }
}
template <class Form>
auto coefficient_of_values(const Form& form) {
  if constexpr (requires {
                  typename Form::Physics;
                  form.d;
                }) {
    return form.d;
  } else {
    return Constant<double>{1};
  }
}
template <class Form>
inline constexpr bool has_constant_coefficients =
    is_constant<decltype(coefficient_of_gradients(std::declval<const Form&>()))> &&
    is_constant<decltype(coefficient_of_values(std::declval<const Form&>()))>;

// What a form's kernels are compiled for, unless another geometry is asked for: those of the
// library for all.
template <class Form>
using DefaultGeometry =
    GeometryTag<requires { typename Form::Physics; } ? Geometry::automatic : Geometry::stored>;

}  // namespace detail
}  // namespace kolam::fem
