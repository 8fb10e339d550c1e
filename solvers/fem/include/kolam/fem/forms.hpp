// SPDX-License-Identifier: Apache-2.0
// Bilinear forms with coefficients, for Operator. A coefficient is a functor on a MappedPoint (with
// its position `x` and its element), or kolam::Constant.
//
//   kolam::fem::Operator a(space, kolam::fem::Diffusion{Conductivity{}});
#pragma once

#include <kolam/fem/geometry.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/kernels/element/geometry.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::fem {

/// The mass form (d u, v), for each component separately.
template <class D = Constant<double>, int Components = 1>
struct Mass {
  using Physics = kolam::Mass<Components>;  ///< pointwise physics
  D d{1};                                   ///< coefficient
};
/// The diffusion form (c grad u, grad v), for each component separately.
template <class C = Constant<double>, int Components = 1>
struct Diffusion {
  using Physics = kolam::Diffusion<Components>;  ///< pointwise physics
  C c{1};                                        ///< coefficient
};
/// The Helmholtz form (c grad u, grad v) + (d u, v), for each component separately.
template <class C = Constant<double>, class D = Constant<double>, int Components = 1>
struct Helmholtz {
  using Physics = kolam::Helmholtz<Components>;  ///< pointwise physics
  C c{1};                                        ///< coefficient of gradients
  D d{1};                                        ///< coefficient of values
};
/// The form (lambda div u, div v) + (2 mu eps(u), eps(v)) of isotropic linear elasticity. The
/// displacement u has one component per dimension, and eps(u) = (grad u + grad u^T) / 2. The Lame
/// parameters lambda and mu may vary.
template <class L = Constant<double>, class M = Constant<double>>
struct Elasticity {
  template <int Dim>
  using PhysicsIn = kolam::Elasticity<Dim>;  ///< pointwise physics
  L lambda{1};                               ///< first Lame parameter
  M mu{1};                                   ///< second Lame parameter, the shear modulus
};
/// \cond
// (For clang before 17.)
Elasticity() -> Elasticity<>;
template <class L, class M>
Elasticity(L, M) -> Elasticity<L, M>;
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
/// Returns the form for fields of `Components` components.
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

/// The boundary term (a u, v) on sides of elements.
template <class A>
struct RobinTerm {
  std::vector<ElementSide> sides;  ///< sides of the (finest) mesh; each counts once
  A a;                             ///< functor on BoundaryPoint, or kolam::Constant
};
/// A form with Robin terms, for each component separately. See robin.
template <class Form, class A>
struct Robin {
  Form form;                        ///< form in the elements
  std::vector<RobinTerm<A>> terms;  ///< terms on sides
};
///@{
/// Returns `form` with Robin conditions c du/dn = a (g - u) on sides (see sides_of), for instance
/// with a heat-transfer coefficient a. Add the part a g to the right-hand side by add_flux.
/// \code
///   const kolam::fem::Operator cooled(
///       space, kolam::fem::robin(kolam::fem::Diffusion{}, air, kolam::Constant{25.0}));
/// \endcode
template <class Form, class A>
Robin<Form, A> robin(const Form& form, std::vector<RobinTerm<A>> terms) {
  return {form, std::move(terms)};
}
template <class Form, class A>
Robin<Form, A> robin(const Form& form, std::vector<ElementSide> sides, const A& a) {
  return {form, {{std::move(sides), a}}};
}
///@}

/// An Integrand that brings its own geometry data: its gradients are on the reference element, and
/// its results include quadrature weights and determinants.
template <class F>
struct OnReference {
  F integrand;  ///< integrand that apply_elements calls
};
/// Deduces the integrand type from f.
template <class F>
OnReference(F) -> OnReference<F>;

namespace detail {

template <class T>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<Constant<T>> = true;

// The physics of a form (the form itself, unless it names another type), and its coefficients.
template <int Dim, class Form>
auto physics_of(const Form& form) {
  if constexpr (requires { typename Form::Physics; }) {
    return typename Form::Physics{};
  } else if constexpr (requires { typename Form::template PhysicsIn<Dim>; }) {
    return typename Form::template PhysicsIn<Dim>{};
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

// Returns a coefficient for a level of multigrid: see PerElement::coarsened.
template <class C>
auto coarsened(const C& c, int times) {
  if constexpr (requires { c.coarsened(times); }) {
    return c.coarsened(times);
  } else {
    return c;
  }
}

// The coefficients of kolam::Elasticity.
template <class L, class M>
struct LameParameters {
  L lambda;
  M mu;
  template <class Point, class T>
  KOKKOS_FUNCTION void operator()(const Point& at, T (&numbers)[2]) const {
    numbers[0] = static_cast<T>(lambda(at));
    numbers[1] = static_cast<T>(mu(at));
  }
  auto coarsened(int times) const {
    const auto of_lambda = detail::coarsened(lambda, times);
    const auto of_mu = detail::coarsened(mu, times);
    return LameParameters<std::remove_const_t<decltype(of_lambda)>,
                          std::remove_const_t<decltype(of_mu)>>{of_lambda, of_mu};
  }
};
template <class L, class M>
auto coefficient_of_gradients(const Elasticity<L, M>& form) {
  return LameParameters<L, M>{form.lambda, form.mu};
}

// Whether computed affine geometry suits the form's coefficients: they are constant, or (for
// elasticity) evaluated at points in any case.
template <class Form>
inline constexpr bool suits_affine =
    is_constant<decltype(coefficient_of_gradients(std::declval<const Form&>()))> &&
    is_constant<decltype(coefficient_of_values(std::declval<const Form&>()))>;
template <class L, class M>
inline constexpr bool suits_affine<Elasticity<L, M>> = true;

// The default geometry of a form: automatic for the library's forms, stored for users' physics.
template <class Form>
using DefaultGeometry = GeometryTag<requires {
  typename Form::Physics;
} || requires { typename Form::template PhysicsIn<2>; } ? Geometry::automatic : Geometry::stored>;

}  // namespace detail
}  // namespace kolam::fem
