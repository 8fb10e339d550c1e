// SPDX-License-Identifier: Apache-2.0
// How to write the integrand of an operator. An operator is a sum over the quadrature points of all
// elements, E^T B^T D B E. kolam provides E (gather and scatter) and B (values and gradients at
// points); the user provides D, the operation at a point:
//
//   template <class T, class Exec>
//   struct Reaction {  // (c u, v)
//     static constexpr int components = 1;
//     static constexpr auto reads = kolam::Evaluation::values;
//     static constexpr auto writes = kolam::Evaluation::values;
//     kolam::QuadratureData<T, 1, Exec> data;  // c times weight times |det J|
//
//     template <class Point>
//     KOKKOS_FUNCTION void operator()(Point& at) const { at.value[0] = at.data[0] * at.value[0]; }
//   };
//
// Values are replaced in place: u by the term that is tested with v, the gradient of u by the term
// that is tested with the gradient of v. Gradients are those on the reference element [0, 1]^Dim.
// Numbers are of type Point::value_type: T, or on hosts the numbers of several elements at once
// (Simd). Arithmetic, multiply_add and the functions of simd_math.hpp are written in the same way
// for both; select(a < b, x, y) replaces `if`.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/execution.hpp>
#include <kolam/core/index.hpp>
#include <type_traits>

namespace kolam {

/// Parts of a field that an integrand reads, or parts of the test function that test its result.
enum class Evaluation { none = 0, values = 1, gradients = 2, values_and_gradients = 3 };

namespace detail {
KOKKOS_FUNCTION constexpr bool has_values(Evaluation e) { return (static_cast<int>(e) & 1) != 0; }
KOKKOS_FUNCTION constexpr bool has_gradients(Evaluation e) {
  return (static_cast<int>(e) & 2) != 0;
}
}  // namespace detail

/// A quadrature point of one element, or on hosts of one element for each lane of V.
template <class V, int Dim, int Components, int Data>
struct QuadraturePoint {
  using value_type = V;                          ///< T, or Simd of T
  static constexpr int dimensions = Dim;         ///< 2 or 3
  static constexpr int components = Components;  ///< components of the field in this call

  V value[Components];          ///< in: field, if read; out: term tested with values, if written
  V gradient[Components][Dim];  ///< likewise gradients on the reference element
  V data[Data > 0 ? Data : 1];  ///< the integrand's quadrature data at this point
  V weight;                     ///< quadrature weight on the reference element
  index_t element;              ///< number of the (first) element
  int index[Dim];               ///< index of the point in each direction, x first
};

/// `count` numbers for every quadrature point of all elements, in the order in which kernels on
/// Exec read them (made by quadrature_data). Copies share the memory.
template <class T, int Count, ExecutionSpace Exec>
struct QuadratureData {
  static constexpr int count = Count;                    ///< numbers per point
  Kokkos::View<T*, typename Exec::memory_space> values;  ///< in the kernels' own order

  /// Returns the same memory for another execution space of hosts.
  template <ExecutionSpace Other>
  QuadratureData<T, Count, Other> on_space() const {
    return {values};
  }
};

namespace detail {

template <class F>
KOKKOS_FUNCTION constexpr int data_count() {
  if constexpr (requires { F::data; }) {
    return std::remove_cvref_t<decltype(std::declval<F>().data)>::count;
  } else {
    return 0;
  }
}
// Whether at.data is written back.
template <class F>
KOKKOS_FUNCTION constexpr bool stores_data() {
  if constexpr (requires { F::stores_data; }) return F::stores_data;
  return false;
}

// Whether the integrand treats each component independently.
template <class F>
KOKKOS_FUNCTION constexpr bool is_component_wise() {
  if constexpr (requires { F::component_wise; }) {
    static_assert(!F::component_wise || !stores_data<F>(), "data are stored once a point");
    return F::component_wise;
  }
  return false;
}

// Returns the function for the points of a line along x: the result of on_line, or F itself.
template <class V, class F, int Dim>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) function_on_line(const F& function, index_t element,
                                                            const int (&index)[Dim]) {
  if constexpr (requires { function.template on_line<V>(element, index); }) {
    return function.template on_line<V>(element, index);
  } else {
    return (function);  // itself, not a copy
  }
}

template <class F>
inline constexpr bool is_integrand = requires {
  { F::components } -> std::convertible_to<int>;
  { F::reads } -> std::convertible_to<Evaluation>;
  { F::writes } -> std::convertible_to<Evaluation>;
};

}  // namespace detail

/// An integrand: a struct as at the top of this file. It may also define
///   static constexpr bool stores_data = true;  // at.data is written back after the call
///   static constexpr bool component_wise = true;  // they are independent, and a call takes
///                                              // Point::components of them: kernels may
///                                              // then take one after the other
///   using sizes = kolam::ElementSizeList<>;    // sizes to compile kernels for: none, because
///                                              // it is for set-up, or its own list
/// and, if points of a line along x share much work that should be done once,
///   template <class V, int Dim>  // V: Point::value_type; index: of the line; index[0] is unused
///   KOKKOS_FUNCTION auto on_line(kolam::index_t element, const int (&index)[Dim]) const;
/// whose result is then called at these points instead. An integrand that is a template on Exec
/// may define
///   template <kolam::ExecutionSpace Other>
///   Reaction<T, Other> on_space() const { return {data.template on_space<Other>()}; }
/// Then its kernels for hosts are compiled once for all execution spaces of hosts.
template <class F>
concept Integrand = std::is_copy_constructible_v<F> && detail::is_integrand<F>;

}  // namespace kolam
