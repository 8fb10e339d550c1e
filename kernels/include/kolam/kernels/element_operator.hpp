// SPDX-License-Identifier: Apache-2.0
// Operators without a matrix: y += E^T B^T D B E x.
//
//   const auto basis = kolam::gauss_element(3, 5);
//   const auto map = kolam::element_restriction<double>(exec, 3, basis.d1d(), elements, n,
//   entry_of); Reaction<double, Exec> reaction{kolam::quadrature_data<1>(exec, basis, map,
//   c_of_point)}; kolam::apply_elements<3>(exec, basis, reaction, map, x, map, y);
#pragma once

#include <kolam/kernels/detail/apply_elements.hpp>

namespace kolam {

/// Adds to y, for each element of the maps: what D of the integrand makes of x at the quadrature
/// points, tested with the polynomials of the nodes. Asynchronous on exec.
///
/// x: [from.entries, components] and y: [to.entries, components], entries fastest. x may be empty
/// if the integrand reads nothing (a right-hand side), y if it writes nothing (data are filled).
/// Both maps are of the same elements; a map made by element_values stands for a vector with a
/// value for each node of each element, which is written, not added to.
///
/// Sizes in the build's list (CMake: KOLAM_ELEMENT_SIZES) run in kernels compiled for them, all
/// others in one that takes many times as long, which a line on stderr says once for each size
/// (KOLAM_NOTES=off: never); element_sizes() tells which.
///
/// Throws InvalidArgument for maps of other dimensions, nodes or elements, and for vectors that are
/// too short. Moves, at best, for each entry of a component 8 bytes of x, 16 of y, and for each
/// element 4 for each node and 8 for each number of quadrature data (in double precision).
/// (Sum factorisation: Orszag 1980; operators on points: Brown et al., libCEED, JOSS 2021; even and
/// odd parts: Kronbichler and Kormann, ACM TOMS 2019.)
template <int Dim, class T, ExecutionSpace Exec, Integrand F>
void apply_elements(const Exec& exec, const ElementBasis& basis, const F& integrand,
                    const ElementRestriction<T, Exec>& from,
                    const Kokkos::View<const T*, typename Exec::memory_space>& x,
                    const ElementRestriction<T, Exec>& to,
                    const Kokkos::View<T*, typename Exec::memory_space>& y) {
  detail::require_apply(Dim, basis, from.dimensions, from.d1d, from.elements, "from");
  detail::require_apply(Dim, basis, to.dimensions, to.d1d, to.elements, "to");
  detail::require_same_elements(from.elements, to.elements);
  if constexpr (F::reads != Evaluation::none)
    detail::require_length("x", x.extent(0), from.entries, F::components);
  if constexpr (F::writes != Evaluation::none)
    detail::require_length("y", y.extent(0), to.entries, F::components);
  if constexpr (detail::data_count<F>() > 0) {
    detail::require_length(
        "the integrand's data", integrand.data.values.extent(0),
        from.layout.data_size(from.elements, basis.q1d(), detail::data_count<F>()), 1);
  }
  detail::ApplyElements<Dim, T, Exec, F>{exec, basis, integrand, from, x, to, y}.run();
}

/// The map of a vector that has a value for every node of every element (an "E-vector"), in the
/// order in which kernels read it. Throws InvalidArgument for dimensions other than 2 and 3, d1d <
/// 2 and negative counts.
template <class T, ExecutionSpace Exec>
ElementRestriction<T, Exec> element_values(int dimensions, int d1d, index_t elements) {
  detail::require_restriction(dimensions, d1d, elements, 0);
  const detail::ElementLayout<T, Exec> layout(dimensions, d1d);
  return {dimensions, d1d, elements, layout.size(elements), Scatter::deterministic, layout,
          {},         {},  {}};
}

namespace detail {

template <int Count, class T, class Exec, class ValueOf>
struct FillQuadratureData {
  QuadratureData<T, Count, Exec> data;
  ElementLayout<T, Exec> layout;
  int q1d, points;
  ValueOf value_of;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const auto point = static_cast<int>(n % points);
    for (int k = 0; k < Count; ++k) {
      data.values(layout.datum(n / points, point, k, q1d, Count)) =
          static_cast<T>(value_of(n / points, point, k));
    }
  }
};

}  // namespace detail

/// Numbers for the points of all elements of `map`, zero. `values_of` is called as
/// values_of(element, point, k) on Exec, `point` counting x fastest, and gives number k.
template <int Count, class T, ExecutionSpace Exec, class ValueOf>
QuadratureData<T, Count, Exec> quadrature_data(const Exec& exec, const ElementBasis& basis,
                                               const ElementRestriction<T, Exec>& map,
                                               const ValueOf& value_of) {
  const QuadratureData<T, Count, Exec> data =
      detail::empty_quadrature_data<Count>(exec, basis, map);
  const int points = detail::power(basis.q1d(), map.dimensions);
  forall(exec, "kolam::quadrature_data", map.elements * points,
         detail::FillQuadratureData<Count, T, Exec, ValueOf>{data, map.layout, basis.q1d(), points,
                                                             value_of});
  return data;
}

}  // namespace kolam
