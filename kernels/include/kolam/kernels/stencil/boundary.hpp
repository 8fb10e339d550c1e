// SPDX-License-Identifier: Apache-2.0
// Boundary conditions: the values beyond each side of a grid.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/index.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <type_traits>

namespace kolam {

/// How a side of a grid determines the value u(-1) beyond its first point u(0), and likewise at its
/// end.
enum class Boundary {
  dirichlet,  ///< a known value; 0 in A u
  no_flux,    ///< u(0): no flux through the face between the two points
  mirror,     ///< u(1): the points at the side lie in a plane of symmetry
  periodic,   ///< the last point of the dimension; both of its sides must be periodic
  functor,    ///< the result of a functor of u(0) and u(1), see NoBoundaryFunctor
  neighbour,  ///< a ghost that another subdomain owns; for kernels, not for users
};

/// The boundaries of a grid: [dimension][0] at its beginning, [dimension][1] at its end.
template <int N>
using Boundaries = PerDimension<PerDimension<Boundary, 2>, N>;

/// A point beyond a side, at which a functor gives the value.
template <int N>
struct BoundaryPoint {
  int dimension;  ///< dimension of the side
  int direction;  ///< -1 at the beginning of the dimension, 1 at its end
  int field;      ///< number of the unknown field, from 0, for a stencil with several
  /// Index of the point in the whole grid; across the side it is -1 or the extent. In periodic
  /// dimensions it is wrapped to a point of the grid.
  PerDimension<index_t, N> index;
};

/// The default functor, for operators without Boundary::functor.
///
/// A functor for Boundary::functor is a trivially copyable struct. It is called on the device with
/// a BoundaryPoint and the values inside, along the normal: inside(0) next to the side, inside(1)
/// one further. It returns the value beyond the side, which must be linear in these two:
/// \code
///   struct Robin {  // du/dn = -h u, points at distance dx
///     double h, dx;
///     template <class P, class Inside>
///     KOKKOS_FUNCTION double operator()(const P&, const Inside& inside) const {
///       return inside(1) - 2 * dx * h * inside(0);
///     }
///   };
/// \endcode
struct NoBoundaryFunctor {
  /// Returns 0.
  template <class Point, class Inside>
  KOKKOS_FUNCTION auto operator()(const Point&, const Inside& inside) const {
    return 0 * inside(0);
  }
};

namespace detail {

// The sides of a subdomain, for kernels.
template <int N, class F>
struct GridSides {
  PerDimension<index_t, N> own;     // points of the subdomain
  PerDimension<index_t, N> first;   // index of its first point in the whole grid
  PerDimension<index_t, N> period;  // points of the whole grid if periodic, else 0
  Boundaries<N> boundaries;
  F functor;

  KOKKOS_FORCEINLINE_FUNCTION bool is_own(const PerDimension<index_t, N>& at) const {
    bool result = true;
    for (std::size_t d = 0; d < N; ++d) result = result && at[d] >= 0 && at[d] < own[d];
    return result;
  }

  // Returns the point that lies `points` points inside the side. (In a subdomain one point wide it
  // may be a ghost, or the point itself.)
  KOKKOS_FUNCTION PerDimension<index_t, N> inside(PerDimension<index_t, N> at, std::size_t d,
                                                  std::size_t end, index_t points) const {
    at[d] = end == 0 ? points : own[d] - 1 - points;
    const bool crosses = at[d] < 0 || at[d] >= own[d];
    if (crosses && boundaries[d][1 - end] != Boundary::neighbour) at[d] = 0;
    return at;
  }

  // Returns the boundary that a point beyond a side of dimension d lies across. Moves the point to
  // the own point that has its value, if there is one.
  KOKKOS_FUNCTION Boundary fold(PerDimension<index_t, N>& at, std::size_t d) const {
    const std::size_t end = at[d] < 0 ? 0 : 1;
    const Boundary boundary = boundaries[d][end];
    if (boundary == Boundary::no_flux) at = inside(at, d, end, 0);
    if (boundary == Boundary::mirror) at = inside(at, d, end, 1);
    if (boundary == Boundary::periodic) at = inside(at, d, end, own[d] - 1);
    return boundary;
  }

  // Returns the value at a point that may lie beyond a side, by one point, in each of the first D
  // dimensions. `values` provides own(at), ghost(at) for the neighbours' points,
  // dirichlet(index in the whole grid), and the number `field` of its field.
  template <std::size_t D, class Values>
  KOKKOS_FUNCTION auto value(PerDimension<index_t, N> at, const Values& values) const
      -> decltype(values.own(at)) {
    if constexpr (D == 0) {
      return is_own(at) ? values.own(at) : values.ghost(at);
    } else {
      constexpr std::size_t d = D - 1;
      if (at[d] < 0 || at[d] >= own[d]) {
        const std::size_t end = at[d] < 0 ? 0 : 1;
        const Boundary boundary = fold(at, d);
        if (boundary == Boundary::dirichlet) return values.dirichlet(in_grid(at));
        if constexpr (!std::is_same_v<F, NoBoundaryFunctor>) {
          if (boundary == Boundary::functor) {
            const BoundaryPoint<N> point{static_cast<int>(d), end == 0 ? -1 : 1, values.field,
                                         in_grid(at)};
            return static_cast<decltype(values.own(at))>(functor(point, [&](index_t points) {
              return value<d>(inside(at, d, end, points), values);
            }));
          }
        }
      }
      return value<d>(at, values);
    }
  }

  // Returns the index of a point in the whole grid.
  KOKKOS_FUNCTION PerDimension<index_t, N> in_grid(PerDimension<index_t, N> at) const {
    for (std::size_t d = 0; d < N; ++d) {
      at[d] += first[d];
      if (period[d] > 0) at[d] = (at[d] + period[d]) % period[d];
    }
    return at;
  }
};

}  // namespace detail
}  // namespace kolam
