// SPDX-License-Identifier: Apache-2.0
// Stencils as rows of a matrix: the weights of a point's neighbours.
#pragma once

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

template <class S, class T>
using AnyNeighbourhood = Neighbourhood<T, S::dimensions, AnyNeighbour<T>>;

template <class S, class T, class K, std::size_t... Number>
constexpr bool is_row_of(std::index_sequence<Number...>) {
  return requires(const S& s, const AnyNeighbourhood<S, T>& u, const K& k) {
    { s(u, (static_cast<void>(Number), k)...) } -> std::convertible_to<T>;
  };
}

}  // namespace detail

/// Whether the stencil takes its coefficients as it takes u, with their neighbours.
template <class S>
inline constexpr bool stencil_coefficient_neighbours = detail::reads_coefficient_neighbours<S>();

/// A stencil (see stencil.hpp) that is linear in u, as the rows of a matrix over points of T. One
/// with `static constexpr bool coefficient_neighbours = true;` takes coefficients as it takes u:
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
template <class S, class T>
concept LinearStencilOf =
    std::is_trivially_copyable_v<S> && (S::dimensions == 2 || S::dimensions == 3) &&
    detail::is_row_of<
        S, T,
        std::conditional_t<stencil_coefficient_neighbours<S>, detail::AnyNeighbourhood<S, T>, T>>(
        std::make_index_sequence<static_cast<std::size_t>(stencil_coefficients<S>)>{});

}  // namespace kolam
