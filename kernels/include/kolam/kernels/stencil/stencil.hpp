// SPDX-License-Identifier: Apache-2.0
// How to write a stencil: the update of one point from its neighbours. kolam provides the loops,
// the halos and the blocking.
//
//   struct Smooth {
//     static constexpr int dimensions = 2;
//     template <class U>
//     KOKKOS_FUNCTION auto operator()(const U& u) const {
//       return (u.left() + u.right() + u.below() + u.above()) / 4;
//     }
//   };
//
// A stencil reads its point and the neighbours next to it. To read neighbours across corners,
// `u(-1, 1)`, it defines `static constexpr bool corners = true;`; otherwise the program stops with a
// message, as it does at offsets beyond -1, 0 and 1. To read known fields
// (coefficients) it defines their number, `static constexpr int coefficients = 1;`, and takes their
// values at the point as further arguments: `operator()(const U& u, typename U::value_type c)`.
// Data members, such as a time step, are copied to the device with the stencil.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/index.hpp>
#include <type_traits>
#include <utility>

namespace kolam {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T without_subnormals(T value);

/// Returns without_subnormals(a * b), which in CUDA is one instruction for floats.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T product_without_subnormals(T a, T b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    float product;
    asm("mul.ftz.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
    return product;
  }
#endif
  return without_subnormals(a * b);
}

/// Returns the value, or zero of its sign if it is below the smallest normal number. When a field
/// decays to zero, a front of subnormal numbers moves through it, and processors take a hundred
/// times as long for each. Stencils call u.without_subnormals(value).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T without_subnormals(T value) {
  constexpr T least = Kokkos::Experimental::norm_min_v<T>;
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) return product_without_subnormals(value, 1.0F);
#endif
  return Kokkos::fabs(value) < least ? Kokkos::copysign(T(0), value) : value;
}

namespace detail {
// Whether the loop that reads neighbours through At runs under FlushToZero.
template <class At>
inline constexpr bool flushed_for = false;
}  // namespace detail

/// The neighbourhood of a point in a field: the value at the point, u.center(), and the neighbours
/// by name or by offsets of -1, 0 or 1: u(dx, dy) or u(dx, dy, dz). `At` is called as
/// `at(dx, dy, dz)`; `Corners` is whether the neighbours across corners may be read.
template <class T, int N, class At, bool Corners = true>
class Neighbourhood {
 public:
  using value_type = T;  ///< type of the field's values

  /// Wraps `at`, which must outlive this object; for kernels.
  KOKKOS_FORCEINLINE_FUNCTION explicit Neighbourhood(const At& at) : at_(at) {}

  ///@{
  /// Returns the value at offsets of -1, 0 or 1; across corners only if the stencil defines
  /// `corners`. Stops the program at other offsets: nobody exchanges these neighbours. (Compilers
  /// remove the check of offsets that they know.)
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy) const
    requires(N == 2)
  {
    require(dx, dy, 0);
    return at_(dx, dy, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const
    requires(N == 3)
  {
    require(dx, dy, dz);
    return at_(dx, dy, dz);
  }
  ///@}
  /// Returns the value at the point itself.
  KOKKOS_FORCEINLINE_FUNCTION T center() const { return at_(0, 0, 0); }
  ///@{
  /// Returns the neighbour along x: left at -1, right at 1.
  KOKKOS_FORCEINLINE_FUNCTION T left() const { return at_(-1, 0, 0); }
  KOKKOS_FORCEINLINE_FUNCTION T right() const { return at_(1, 0, 0); }
  ///@}
  ///@{
  /// Returns the neighbour along y: below at -1, above at 1.
  KOKKOS_FORCEINLINE_FUNCTION T below() const { return at_(0, -1, 0); }
  KOKKOS_FORCEINLINE_FUNCTION T above() const { return at_(0, 1, 0); }
  ///@}
  ///@{
  /// Returns the neighbour along z: back at -1, front at 1.
  KOKKOS_FORCEINLINE_FUNCTION T back() const
    requires(N == 3)
  {
    return at_(0, 0, -1);
  }
  KOKKOS_FORCEINLINE_FUNCTION T front() const
    requires(N == 3)
  {
    return at_(0, 0, 1);
  }
  ///@}

  ///@{
  /// Returns kolam::without_subnormals or kolam::product_without_subnormals, for the result of an
  /// update. Costs nothing in loops in which the processor flushes subnormal numbers (x86-64);
  /// these loops also flush subnormal numbers within the update.
  KOKKOS_FORCEINLINE_FUNCTION T without_subnormals(T value) const {
    if constexpr (detail::flushed_for<At>) return value;
    return kolam::without_subnormals(value);
  }
  KOKKOS_FORCEINLINE_FUNCTION T product_without_subnormals(T a, T b) const {
    if constexpr (detail::flushed_for<At>) return a * b;
    return kolam::product_without_subnormals(a, b);
  }
  ///@}

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void require(int dx, int dy, int dz) {
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || dz < -1 || dz > 1)
      Kokkos::abort("kolam: a stencil reads u at an offset other than -1, 0 and 1\n");
    if (!Corners && dx * dx + dy * dy + dz * dz > 1)
      Kokkos::abort(
          "kolam: a stencil reads u across a corner, as in u(1, 1); give it 'static constexpr "
          "bool corners = true;'\n");
  }

  const At& at_;
};

namespace detail {

template <class T>
struct AnyNeighbour {
  T operator()(int, int, int) const;
};

template <class S>
constexpr int coefficients_of() {
  if constexpr (requires { S::coefficients; }) return S::coefficients;
  return 0;
}
template <class S>
constexpr bool corners_of() {
  if constexpr (requires { S::corners; }) return S::corners;
  return false;
}

template <class S, class U, class T, std::size_t... K>
constexpr bool calls(std::index_sequence<K...>) {
  return requires(const S& s, const U& u, const T& value) {
    { s(u, (static_cast<void>(K), value)...) } -> std::convertible_to<T>;
  };
}

}  // namespace detail

/// Number of known fields that the update reads at its point.
template <class S>
inline constexpr int stencil_coefficients = detail::coefficients_of<S>();
/// Whether the stencil reads neighbours across corners.
template <class S>
inline constexpr bool stencil_corners = detail::corners_of<S>();

/// A stencil, as at the top of this file, that updates points of T.
template <class S, class T>
concept StencilOf =
    std::is_trivially_copyable_v<S> && (S::dimensions == 2 || S::dimensions == 3) &&
    detail::calls<S, Neighbourhood<T, S::dimensions, detail::AnyNeighbour<T>>, T>(
        std::make_index_sequence<static_cast<std::size_t>(stencil_coefficients<S>)>{});

/// Returns the largest number of steps that fused_steps takes together in this many dimensions.
constexpr int most_steps_per_pass(int dimensions) { return dimensions == 2 ? 8 : 3; }

}  // namespace kolam
