// SPDX-License-Identifier: Apache-2.0
// The numbers that a geometry stores for its elements or their points, computed from the nodes'
// positions. Versions with constant coefficients are compiled in the library.
#pragma once

#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/kernels/element/detail/geometry_factors.hpp>
#include <kolam/kernels/element/detail/shape.hpp>
#include <kolam/kernels/element/physics.hpp>
#include <type_traits>

namespace kolam::detail {

// `Count` numbers of each element, in the order in which kernels on Exec read them.
template <class T, int Count, ExecutionSpace Exec>
struct ElementNumbers {
  Kokkos::View<T*, typename Exec::memory_space> values;
  template <ExecutionSpace Other>
  ElementNumbers<T, Count, Other> on_space() const {
    return {values};
  }

  // Number of elements whose numbers k are adjacent: lanes, or threads of a warp.
  static constexpr int together = has_block_threads<Exec> ? 32 : simd_width<Exec, T>;

  // Returns the offset of number k of an element.
  KOKKOS_FORCEINLINE_FUNCTION static index_t offset(index_t element, int k) {
    return element % together + together * (k + Count * (element / together));
  }
  // Returns number k of the elements from `element` on, one for each lane of V.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION V of(index_t element, int k) const {
    return load_simd<V>(values.data() + offset(element, k));
  }
};

// Returns the coefficient 1. (nvcc 13 loses the braces of {T(1)} as a default argument.)
template <class T>
constexpr Constant<T> unit() {
  return Constant<T>{T(1)};
}
// Returns the coefficient; constants are converted to one type.
template <class T, class C>
C coefficient_of(const C& c) {
  return c;
}
template <class T, class Other>
Constant<T> coefficient_of(const Constant<Other>& c) {
  return {static_cast<T>(c.value)};
}

// Sets the physics' own coefficients at a point: by set_coefficients if the physics has it, else by
// c.
template <class P, class C>
struct OwnNumbers {
  P physics;
  C c;
  template <class Point, class T, int Count>
  KOKKOS_FUNCTION void operator()(const Point& at, T (&numbers)[Count]) const {
    if constexpr (requires { physics.set_coefficients(at, numbers); }) {
      physics.set_coefficients(at, numbers);
    } else {
      c(at, numbers);
    }
  }
};
// Stands for physics without coefficients.
struct NoCoefficients {};
// Sets the numbers of a point: the physics' own, then those of `What`.
template <class P, Terms What, class C, class D>
struct StoredNumbers {
  P physics;
  C c;
  D d;
  template <class T, int Dim, int Count>
  KOKKOS_FUNCTION void operator()(const MappedPoint<T, Dim>& at, T (&numbers)[Count]) const {
    constexpr int own = coefficient_count<P>();
    if constexpr (own > 0) {
      T of_physics[own];
      OwnNumbers<P, C>{physics, c}(at, of_physics);
      for (int k = 0; k < own; ++k) numbers[k] = of_physics[k];
    }
    T of_gradients(1);
    T of_values(1);
    if constexpr (What != Terms::jacobian && has_metric(What)) of_gradients = static_cast<T>(c(at));
    if constexpr (What == Terms::mass || What == Terms::metric_and_mass)
      of_values = static_cast<T>(d(at));
    set_terms<What>(at, of_gradients, of_values, numbers + own);
  }
};
// Returns StoredNumbers without irrelevant template arguments.
template <Terms What, class T, class P, class C, class D>
auto stored_numbers(const P& physics, const C& c, const D& d) {
  const auto of_gradients = coefficient_of<T>(c);
  const auto of_values = coefficient_of<T>(d);
  using OfGradients = std::remove_const_t<decltype(of_gradients)>;
  using OfValues = std::remove_const_t<decltype(of_values)>;
  if constexpr (coefficient_count<P>() > 0) {
    return StoredNumbers<P, What, OfGradients, OfValues>{physics, of_gradients, of_values};
  } else if constexpr (What == Terms::jacobian) {
    return StoredNumbers<NoCoefficients, What, Constant<T>, Constant<T>>{{}, unit<T>(), unit<T>()};
  } else {
    return StoredNumbers<NoCoefficients, What, OfGradients, OfValues>{{}, of_gradients, of_values};
  }
}

// Numbers of an affine element: those of What, for a point of weight 1.
template <class T, int Dim, Terms What>
struct AffineNumbers {
  using value_type = T;
  static constexpr int dimensions = Dim;
  static constexpr bool linear = true;
  static constexpr int count = term_count<Dim>(What);
  KOKKOS_FUNCTION static void fill(const T (&)[power(2, Dim)][Dim],
                                   const MappedPoint<T, Dim>& centre, T c, T d,
                                   T (&of_element)[count]) {
    set_terms<What>(centre, c, d, of_element);
  }
};
// Numbers of an element given by its corners: the polynomial without its constant, [terms, Dim],
// then c and d.
template <class T, int Dim>
struct CornerNumbers {
  using value_type = T;
  static constexpr int dimensions = Dim;
  static constexpr bool linear = false;
  static constexpr int terms = power(2, Dim) - 1;
  static constexpr int count = Dim * terms + 2;
  KOKKOS_FUNCTION static void fill(const T (&g)[power(2, Dim)][Dim], const MappedPoint<T, Dim>&,
                                   T c, T d, T (&of_element)[count]) {
    for (int m = 1; m <= terms; ++m)
      for (int i = 0; i < Dim; ++i) of_element[(m - 1) * Dim + i] = g[m][i];
    of_element[count - 2] = c;
    of_element[count - 1] = d;
  }
};

template <class Kind, class Exec, class C, class D>
struct FillElements {
  using T = typename Kind::value_type;
  static constexpr int dim = Kind::dimensions;
  ElementCorners<T, dim, Exec> corners;
  index_t elements;
  C c;
  D d;
  ElementNumbers<T, Kind::count, Exec> numbers;
  KOKKOS_FUNCTION void operator()(index_t padded) const {
    const index_t e = Kokkos::min(padded, elements - 1);
    T g[power(2, dim)][dim];
    corners.polynomial(e, g);
    const MappedPoint<T, dim> at = centre(e, g);
    T of_element[Kind::count];
    Kind::fill(g, at, static_cast<T>(c(at)), static_cast<T>(d(at)), of_element);
    for (int k = 0; k < Kind::count; ++k) numbers.values(numbers.offset(padded, k)) = of_element[k];
  }
};

// Returns the numbers of all elements; Kind is AffineNumbers or CornerNumbers. Arguments and
// errors: see on_affine. The nodes must live until `exec` is done.
template <class Kind, ExecutionSpace Exec, class C, class D>
ElementNumbers<typename Kind::value_type, Kind::count, Exec> element_numbers(
    const Exec& exec, const ElementBasis& basis,
    const ElementRestriction<typename Kind::value_type, Exec>& nodes,
    const Numbers<typename Kind::value_type, Exec>& coordinates, const C& c, const D& d) {
  using T = typename Kind::value_type;
  const ElementShapes<Kind::dimensions, T, Exec> shapes(exec, basis, nodes, coordinates);
  shapes.require(Kind::linear);
  ElementNumbers<T, Kind::count, Exec> numbers;
  // Lanes take whole groups of elements: the padding repeats the last element.
  constexpr index_t together = decltype(numbers)::together;
  const index_t padded = (nodes.elements + together - 1) / together * together;
  numbers.values = allocate_view<Kokkos::View<T*, typename Exec::memory_space>>(
      exec, "kolam::geometry", padded * Kind::count);
  forall(exec, "kolam::geometry", padded,
         FillElements<Kind, Exec, C, D>{shapes.corners(), nodes.elements, c, d, numbers});
  return numbers;
}

// Compiled in the library.
#define KOLAM_ELEMENT_NUMBERS(KOLAM_EXTERN, T, EXEC, ...)                           \
  KOLAM_EXTERN template detail::ElementNumbers<T, detail::__VA_ARGS__::count, EXEC> \
  detail::element_numbers<detail::__VA_ARGS__, EXEC, Constant<T>, Constant<T>>(     \
      const EXEC&, const ElementBasis&, const ElementRestriction<T, EXEC>&,         \
      const detail::Numbers<T, EXEC>&, const Constant<T>&, const Constant<T>&);
#define KOLAM_STORED_NUMBERS(KOLAM_EXTERN, DIM, T, EXEC, WHAT)                                \
  KOLAM_EXTERN template QuadratureData<T, detail::term_count<DIM>(detail::Terms::WHAT), EXEC> \
  mapped_data<DIM, detail::term_count<DIM>(detail::Terms::WHAT), T, EXEC,                     \
              detail::StoredNumbers<detail::NoCoefficients, detail::Terms::WHAT, Constant<T>, \
                                    Constant<T>>>(                                            \
      const EXEC&, const ElementBasis&, const ElementRestriction<T, EXEC>&,                   \
      const detail::Numbers<T, EXEC>&,                                                        \
      const detail::StoredNumbers<detail::NoCoefficients, detail::Terms::WHAT, Constant<T>,   \
                                  Constant<T>>&);
#define KOLAM_GEOMETRY_NUMBERS(KOLAM_EXTERN, DIM, T, EXEC)                                     \
  KOLAM_EXTERN template class detail::ElementShapes<DIM, T, EXEC>;                             \
  KOLAM_EXTERN template void require_positive_jacobian<DIM, T, EXEC>(                          \
      const EXEC&, const ElementBasis&, const ElementRestriction<T, EXEC>&,                    \
      const detail::Numbers<T, EXEC>&);                                                        \
  KOLAM_ELEMENT_NUMBERS(KOLAM_EXTERN, T, EXEC,                                                 \
                        AffineNumbers<T, DIM, detail::Terms::metric_and_mass>)                 \
  KOLAM_ELEMENT_NUMBERS(KOLAM_EXTERN, T, EXEC, AffineNumbers<T, DIM, detail::Terms::jacobian>) \
  KOLAM_ELEMENT_NUMBERS(KOLAM_EXTERN, T, EXEC, CornerNumbers<T, DIM>)                          \
  KOLAM_STORED_NUMBERS(KOLAM_EXTERN, DIM, T, EXEC, mass)                                       \
  KOLAM_STORED_NUMBERS(KOLAM_EXTERN, DIM, T, EXEC, metric)                                     \
  KOLAM_STORED_NUMBERS(KOLAM_EXTERN, DIM, T, EXEC, metric_and_mass)                            \
  KOLAM_STORED_NUMBERS(KOLAM_EXTERN, DIM, T, EXEC, jacobian)

}  // namespace kolam::detail

namespace kolam {

#define KOLAM_EXTERN_GEOMETRY_NUMBERS(EXEC)       \
  KOLAM_GEOMETRY_NUMBERS(extern, 2, float, EXEC)  \
  KOLAM_GEOMETRY_NUMBERS(extern, 2, double, EXEC) \
  KOLAM_GEOMETRY_NUMBERS(extern, 3, float, EXEC)  \
  KOLAM_GEOMETRY_NUMBERS(extern, 3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_GEOMETRY_NUMBERS)
#undef KOLAM_EXTERN_GEOMETRY_NUMBERS

}  // namespace kolam
