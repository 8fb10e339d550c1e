// SPDX-License-Identifier: Apache-2.0
// Stencils as rows of a matrix, and stencils of several unknown fields.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/kernels/stencil/stencil.hpp>
#include <type_traits>
#include <utility>

namespace kolam {
namespace detail {

template <class S>
constexpr bool reads_coefficient_neighbours() {
  if constexpr (requires { S::coefficient_neighbours; }) return S::coefficient_neighbours;
  return false;
}
template <class S>
constexpr int fields_of() {
  if constexpr (requires { S::fields; }) return S::fields;
  return 1;
}

template <class S, class T>
using AnyNeighbourhood = Neighbourhood<T, S::dimensions, AnyNeighbour<T>>;

// Whether V is the result of a stencil: one value, or an array with one value for each field.
template <class V, class T, int Fields>
inline constexpr bool are_values = Fields == 1 && std::convertible_to<V, T>;
template <class V, class T, int Fields>
inline constexpr bool are_values<Kokkos::Array<V, static_cast<std::size_t>(Fields)>, T, Fields> =
    std::convertible_to<V, T>;

template <class S, class T, class K, std::size_t... Field, std::size_t... Number>
constexpr bool is_row_of(std::index_sequence<Field...>, std::index_sequence<Number...>) {
  if constexpr (requires(const S& s, const AnyNeighbourhood<S, T>& u, const K& k) {
                  s((static_cast<void>(Field), u)..., (static_cast<void>(Number), k)...);
                }) {
    using Result =
        std::invoke_result_t<const S&,
                             decltype((static_cast<void>(Field),
                                       std::declval<const AnyNeighbourhood<S, T>&>()))...,
                             decltype((static_cast<void>(Number), std::declval<const K&>()))...>;
    return are_values<Result, T, sizeof...(Field)>;
  }
  return false;
}

// Returns the value of one field.
template <std::size_t Field, class V>
KOKKOS_FORCEINLINE_FUNCTION auto value_of_field(const V& values) {
  if constexpr (requires { values[Field]; }) {
    return values[Field];
  } else {
    return values;
  }
}

}  // namespace detail

/// Number of unknown fields of the stencil, S::fields or 1.
template <class S>
inline constexpr int stencil_fields = detail::fields_of<S>();

/// Whether the stencil reads the neighbours of its coefficients, as it does of u.
template <class S>
inline constexpr bool stencil_coefficient_neighbours = detail::reads_coefficient_neighbours<S>();

/// A stencil (see stencil.hpp) that is linear in u, as the rows of a matrix over points of T. A
/// stencil with `static constexpr bool coefficient_neighbours = true;` takes coefficients with
/// their neighbours, like u:
/// \code
///   struct Conduction {  // kx at the face to the left of a point, ky at the one below
///     static constexpr int dimensions = 2;
///     static constexpr int coefficients = 2;
///     static constexpr bool coefficient_neighbours = true;
///     template <class U, class K>
///     KOKKOS_FUNCTION auto operator()(const U& u, const K& kx, const K& ky) const {
///       const auto c = u.center();
///       return c + kx.center() * (c - u.left()) + kx.right() * (c - u.right()) +
///              ky.center() * (c - u.below()) + ky.above() * (c - u.above());
///     }
///   };
/// \endcode
/// A stencil with `static constexpr int fields = F;` has F unknown fields. It takes the
/// neighbourhood of each field in turn, before the coefficients, and returns a Kokkos::Array of F
/// values, those of the fields' rows at the point:
/// \code
///   struct WaveRate {  // u' = v, v' = c^2 laplace(u)
///     static constexpr int dimensions = 2;
///     static constexpr int fields = 2;
///     double rate;  // (c / h)^2
///     template <class U>
///     KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const U& u, const U& v) const {
///       return {v.center(), rate * (u.left() + u.right() + u.below() + u.above() - 4 * u.center())};
///     }
///   };
/// \endcode
template <class S, class T>
concept LinearStencilOf =
    std::is_trivially_copyable_v<S> && (S::dimensions == 2 || S::dimensions == 3) &&
    detail::is_row_of<
        S, T,
        std::conditional_t<stencil_coefficient_neighbours<S>, detail::AnyNeighbourhood<S, T>, T>>(
        std::make_index_sequence<static_cast<std::size_t>(stencil_fields<S>)>{},
        std::make_index_sequence<static_cast<std::size_t>(stencil_coefficients<S>)>{});

}  // namespace kolam
