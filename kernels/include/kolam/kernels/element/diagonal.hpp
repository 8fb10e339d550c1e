// SPDX-License-Identifier: Apache-2.0
// The diagonal of a finite element operator with any integrand.
#pragma once

#include <algorithm>
#include <functional>
#include <kolam/kernels/element/geometry.hpp>

namespace kolam {
namespace detail {

// At each quadrature point, for component c of a linear integrand F: part `b` of the result for a
// unit part `a` of the field, plus, if they differ, part `a` of the result for a unit part `b`
// (part 0: the value, part k: derivative k).
template <class T, int Dim, ExecutionSpace Exec, class F>
struct EntriesAtPoints {
  static constexpr int lanes = simd_width<Exec, T>;
  static constexpr int components = is_component_wise<F>() ? 1 : F::components;
  static constexpr int data_per_point = data_count<F>();
  using V = SimdValue<Exec, T>;
  using Point = QuadraturePoint<V, Dim, components, data_per_point>;

  F function;
  ElementLayout<T, Exec> layout;
  int q1d;
  const T* weights;
  int a, b, c;
  QuadratureData<T, 1, Exec> entries;

  // n counts points within a batch of elements first, then batches.
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const int points = power(q1d, Dim);
    const auto number = static_cast<int>(n % points);
    Point at;
    at.element = n / points * lanes;
    at.weight = V(1);
    for (int k = 0, rest = number; k < Dim; ++k, rest /= q1d) {
      at.index[k] = rest % q1d;
      at.weight = at.weight * V(weights[at.index[k]]);
    }
    if constexpr (data_per_point > 0) {
      for (int k = 0; k < data_per_point; ++k) {
        at.data[k] = load_simd<V>(function.data.values.data() +
                                  layout.datum(at.element, number, k, q1d, data_per_point));
      }
    }
    V sum = probe(at, a, b);
    if (a != b) sum += probe(at, b, a);
    store_simd(entries.values.data() + layout.datum(at.element, number, 0, q1d, 1), sum);
  }

  KOKKOS_FUNCTION V probe(Point at, int from, int to) const {
    for (int k = 0; k < components; ++k) {
      at.value[k] = V(0);
      for (int d = 0; d < Dim; ++d) at.gradient[k][d] = V(0);
    }
    (from == 0 ? at.value[c] : at.gradient[c][from - 1]) = V(1);
    function(at);
    return to == 0 ? at.value[c] : at.gradient[c][to - 1];
  }
};

// Fills `entries` for all elements of the layout.
template <int Dim, class T, class F>
void fill_entries_on_host(const EntriesAtPoints<T, Dim, AnyHost, F>& at, index_t elements,
                          const LoopOnHost& loop) {
  const auto points = power(at.q1d, Dim);
  const auto run = [](const void* entries, index_t first, index_t end) {
    const auto& fill = *static_cast<const EntriesAtPoints<T, Dim, AnyHost, F>*>(entries);
    for (index_t n = first; n < end; ++n) fill(n);
  };
  loop({run, &at, at.layout.groups(elements) * points});
}

template <int Dim, class T, ExecutionSpace Exec, class F>
void fill_entries(const Exec& exec, const EntriesAtPoints<T, Dim, Exec, F>& at, index_t elements) {
  if constexpr (has_block_threads<Exec>) {
    forall(exec, "kolam::add_element_diagonal", elements * power(at.q1d, Dim), at);
  } else {
    fill_entries_on_host<Dim, T, OnAnyHost<F>>({on_any_host(at.function),
                                                {Dim, at.layout.d1d},
                                                at.q1d,
                                                at.weights,
                                                at.a,
                                                at.b,
                                                at.c,
                                                at.entries.template on_space<AnyHost>()},
                                               elements, LoopOn<Exec>(exec));
  }
}

// Adds the diagonal of an integrand with these `reads` and `writes`.
// `fill(a, b, c, weights, numbers)` sets the numbers of all points for parts a and b of component
// c; components from `filled` on use the numbers of the last one filled. Compiled in the library.
template <int Dim, class T, ExecutionSpace Exec>
using FillEntries = std::function<void(int a, int b, int c, const T* weights,
                                       const QuadratureData<T, 1, Exec>& numbers)>;
template <int Dim, class T, ExecutionSpace Exec>
void add_diagonal(const Exec& exec, const ElementBasis& basis,
                  const ElementRestriction<T, Exec>& map, Evaluation reads, Evaluation writes,
                  int components, int filled, const FillEntries<Dim, T, Exec>& fill,
                  const Kokkos::View<T*, typename Exec::memory_space>& y) {
  const auto has = [](Evaluation e, int part) {
    return part == 0 ? has_values(e) : has_gradients(e);
  };
  const auto product = [&](bool first, bool second) {
    const auto& left = first ? basis.values.gradients : basis.values.values;
    const auto& right = second ? basis.values.gradients : basis.values.values;
    std::vector<double> numbers(left.size());
    std::transform(left.begin(), left.end(), right.begin(), numbers.begin(), std::multiplies<>());
    return to_space<T>(exec, "kolam::products", numbers);
  };
  const auto values = product(false, false);
  const decltype(values) products[3] = {values, product(true, false), product(true, true)};
  RunTimeMatrices<T, Exec> matrices(exec, basis);
  const OnStored<Source<>, T, Dim, Exec> source{{empty_quadrature_data<1>(exec, basis, map)}, {}};
  const auto add = [&](int a, int b) {
    for (int k = 0; k < Dim; ++k)
      matrices.values[static_cast<std::size_t>(k)] = products[(a == k + 1) + (b == k + 1)];
    const auto sum = make_operator<Dim, T, Exec>(exec, basis, source, map, map, &matrices);
    for (int c = 0; c < components; ++c) {
      if (c < filled) fill(a, b, c, matrices.weights.data(), source.data);
      sum.apply_add({}, Kokkos::subview(y, std::pair(c * map.entries, (c + 1) * map.entries)));
    }
    sum.finish();
  };
  for (int a = 0; a <= Dim; ++a) {
    for (int b = a; b <= Dim; ++b) {
      if ((has(reads, a) && has(writes, b)) || (has(reads, b) && has(writes, a))) add(a, b);
    }
  }
  exec.fence("kolam::add_element_diagonal: the products end here");
}

}  // namespace detail

/// Adds to y the diagonal of the operator that apply_elements applies with `map` for both vectors.
/// The integrand must be linear and store no data. y: [map.entries, components], entries fastest.
/// Skips nodes without an entry.
///
/// Exact for any element: with tensor products, the square of a shape function, or of derivatives,
/// is a product of squares in each direction. Each component takes one application of the generic
/// kernel (for any size) for each pair of values and derivatives in the integrand (diffusion: 6 in
/// three dimensions). The workspace is one number per quadrature point. Waits. Throws
/// InvalidArgument as apply_elements does.
template <int Dim, class T, ExecutionSpace Exec, Integrand F>
void add_element_diagonal(const Exec& exec, const ElementBasis& basis, const F& integrand,
                          const ElementRestriction<T, Exec>& map,
                          const Kokkos::View<T*, typename Exec::memory_space>& y) {
  static_assert(!detail::stores_data<F>(), "an integrand that stores data has no diagonal");
  using Entries = detail::EntriesAtPoints<T, Dim, Exec, F>;
  detail::require_apply(Dim, basis, map.dimensions, map.d1d, map.elements, "of the diagonal");
  detail::require_length("y", y.extent(0), map.entries, F::components);
  if constexpr (detail::data_count<F>() > 0) {
    detail::require_length("the integrand's data", integrand.data.values.extent(0),
                           map.layout.data_size(map.elements, basis.q1d(), detail::data_count<F>()),
                           1);
  }
  detail::add_diagonal<Dim, T, Exec>(
      exec, basis, map, F::reads, F::writes, F::components, Entries::components,
      [&](int a, int b, int c, const T* weights, const QuadratureData<T, 1, Exec>& numbers) {
        detail::fill_entries<Dim, T, Exec, F>(
            exec, {integrand, map.layout, basis.q1d(), weights, a, b, c, numbers}, map.elements);
      },
      y);
}

#define KOLAM_ADD_DIAGONAL(DIM, T, EXEC)                                                \
  template void detail::add_diagonal<DIM, T, EXEC>(                                     \
      const EXEC&, const ElementBasis&, const ElementRestriction<T, EXEC>&, Evaluation, \
      Evaluation, int, int, const detail::FillEntries<DIM, T, EXEC>&,                   \
      const Kokkos::View<T*, EXEC::memory_space>&);
#define KOLAM_EXTERN_ADD_DIAGONAL_OF(...) extern KOLAM_ADD_DIAGONAL(__VA_ARGS__)
#define KOLAM_EXTERN_ADD_DIAGONAL(EXEC)         \
  KOLAM_EXTERN_ADD_DIAGONAL_OF(2, float, EXEC)  \
  KOLAM_EXTERN_ADD_DIAGONAL_OF(2, double, EXEC) \
  KOLAM_EXTERN_ADD_DIAGONAL_OF(3, float, EXEC)  \
  KOLAM_EXTERN_ADD_DIAGONAL_OF(3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_ADD_DIAGONAL)
#undef KOLAM_EXTERN_ADD_DIAGONAL
#undef KOLAM_EXTERN_ADD_DIAGONAL_OF

}  // namespace kolam
