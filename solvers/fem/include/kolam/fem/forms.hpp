// SPDX-License-Identifier: Apache-2.0
// Bilinear forms with their coefficients, for Operator. A coefficient is a functor on a MappedPoint
// (its position `x`, its element), or kolam::Constant.
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
/// (lambda div u, div v) + (2 mu eps(u), eps(v)): linear elasticity of an isotropic material, u the
/// displacement, with a component for each dimension; eps(u) = (grad u + grad u^T) / 2. lambda and mu,
/// the Lame parameters, may vary.
template <class L = Constant<double>, class M = Constant<double>>
struct Elasticity {
  template <int Dim>
  using PhysicsIn = kolam::Elasticity<Dim>;  ///< what happens at a point
  L lambda{1};                               ///< the first parameter
  M mu{1};                                   ///< the second, the shear modulus
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

/// (a u, v) on sides of elements.
template <class A>
struct RobinTerm {
  std::vector<ElementSide> sides;  ///< of the mesh of the (finest) space; each counts once
  A a;                             ///< a functor on BoundaryPoint, or kolam::Constant
};
/// A form and such terms, of each component for itself. See robin.
template <class Form, class A>
struct Robin {
  Form form;                        ///< in the elements
  std::vector<RobinTerm<A>> terms;  ///< on sides
};
///@{
/// `form` with Robin conditions c du/dn = a (g - u) on sides (see sides_of), for instance of a
/// heat-transfer coefficient; a g goes to the right-hand side by add_flux.
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

// What a level of multigrid has of a coefficient: see PerElement::coarsened.
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

// Whether geometry that is computed takes all its coefficients: those that are constant, or at points
// in any case.
template <class Form>
inline constexpr bool suits_affine =
    is_constant<decltype(coefficient_of_gradients(std::declval<const Form&>()))> &&
    is_constant<decltype(coefficient_of_values(std::declval<const Form&>()))>;
template <class L, class M>
inline constexpr bool suits_affine<Elasticity<L, M>> = true;

// What a form's kernels are compiled for, unless another geometry is asked for: those of the
// library for all.
template <class Form>
using DefaultGeometry = GeometryTag<requires {
  typename Form::Physics;
} || requires { typename Form::template PhysicsIn<2>; } ? Geometry::automatic : Geometry::stored>;

}  // namespace detail
}  // namespace kolam::fem
