// SPDX-License-Identifier: Apache-2.0
// Implicit time steps of du/dt = -L u, L the matrix of a stencil.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <kolam/linear/operator.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace kolam::grid {

/// The scheme of a time step of dt from u to u'.
enum class TimeScheme {
  backward_euler,  ///< (I + dt L) u' = u: first order, damps oscillations
  crank_nicolson   ///< (I + dt/2 L) u' = (I - dt/2 L) u: second order
};

/// Returns "backward-euler" or "crank-nicolson".
std::string_view name(TimeScheme scheme);
/// Returns the scheme of that name. Throws InvalidArgument, with the known names.
TimeScheme parse_time_scheme(std::string_view text);

/// Returns the fraction of dt L that is taken at the new time: 1 or 1/2.
constexpr double implicit_share(TimeScheme scheme) {
  return scheme == TimeScheme::backward_euler ? 1.0 : 0.5;
}

namespace detail {

// Returns argument `Number`, from 0.
template <std::size_t Number, class First, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION const auto& argument(const First& first, const Rest&... rest) {
  if constexpr (Number == 0) {
    return first;
  } else {
    return argument<Number - 1>(rest...);
  }
}

}  // namespace detail

/// The stencil of I + factor L, for operators of time steps. Fields, coefficients and corners are
/// those of L.
/// \code
///   const double factor = kolam::grid::implicit_share(scheme) * dt;
///   auto a = kolam::grid::stencil_operator<double>(exec, kolam::grid::ImplicitStep{l, factor}, grid);
///   ...
///   kolam::grid::set_right_side(scheme, a, u, b);
///   const auto result = kolam::conjugate_gradient(a, m, b, u);
/// \endcode
template <class L>
struct ImplicitStep {
  static constexpr int dimensions = L::dimensions;                                   ///< as L
  static constexpr int fields = stencil_fields<L>;                                   ///< as L
  static constexpr int coefficients = stencil_coefficients<L>;                       ///< as L
  static constexpr bool coefficient_neighbours = stencil_coefficient_neighbours<L>;  ///< as L
  static constexpr bool corners = stencil_corners<L>;                                ///< as L

  L stencil;      ///< L
  double factor;  ///< implicit_share(scheme) dt

  /// Returns u + factor L u at the point, for each field. u: the fields, then the coefficients.
  template <class... U>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const U&... u) const {
    return add(stencil(u...), std::make_index_sequence<static_cast<std::size_t>(fields)>{}, u...);
  }

 private:
  template <class V, std::size_t... Field, class... U>
  KOKKOS_FORCEINLINE_FUNCTION auto add(const V& flow, std::index_sequence<Field...>,
                                       const U&... u) const {
    if constexpr (fields == 1) {
      return detail::argument<0>(u...).center() + static_cast<V>(factor) * flow;
    } else {
      using T = typename V::value_type;
      return V{{detail::argument<Field>(u...).center() + static_cast<T>(factor) * flow[Field]...}};
    }
  }
};
/// Takes L from the stencil.
template <class L>
ImplicitStep(L, double) -> ImplicitStep<L>;

namespace detail {

// b = 2 u - b.
template <class T, class Exec>
struct ReflectInto {
  linear::ConstVector<T, Exec> u;
  linear::Vector<T, Exec> b;
  KOKKOS_FUNCTION void operator()(index_t i) const { b(i) = 2 * u(i) - b(i); }
};

}  // namespace detail

/// Sets b to the right-hand side of a step from u, with a the operator of an ImplicitStep: u
/// itself, or (I - dt/2 L) u = 2 u - a u. u and b: Arrays or Views, [a.rows()], not the same
/// memory. For nonzero values beyond Dirichlet sides, call apply_lift(g, b): with backward Euler
/// for the new time, with Crank-Nicolson once for each time. Asynchronous if a is; all processes of
/// a call it. Moves 2 values for each unknown, or 3 besides those of a.
template <linear::LinearOperator A>
void set_right_side(TimeScheme scheme, const A& a, const linear::ReadVectorOf<A>& u,
                    const linear::WriteVectorOf<A>& b) {
  using T = typename A::value_type;
  using Exec = typename A::execution_space;
  const Exec& exec = a.exec();
  const linear::ConstVector<T, Exec> from = u.read(exec);
  const linear::Vector<T, Exec> to = b.write(exec);
  if (from.extent(0) != to.extent(0)) {
    throw InvalidArgument("set_right_side: u has " + std::to_string(from.extent(0)) +
                          " values and b " + std::to_string(to.extent(0)) +
                          "; they are of the same operator");
  }
  if (scheme == TimeScheme::backward_euler) {
    Kokkos::deep_copy(kokkos_instance(exec), to, from);
  } else {
    a.apply(from, to);
    forall(exec, "kolam::set_right_side", a.rows(), detail::ReflectInto<T, Exec>{from, to});
  }
}

}  // namespace kolam::grid
