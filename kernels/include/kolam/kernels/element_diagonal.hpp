// SPDX-License-Identifier: Apache-2.0
// The diagonal of an operator of finite elements, of any integrand.
#pragma once

#include <kolam/kernels/element_operator.hpp>

namespace kolam {
namespace detail {

// What a linear integrand F makes of part `a` of a field in part `b` of its result, and the other
// way round (0: the value, k: derivative k), each component of itself.
template <class F>
struct IntegrandEntry : F {
  static constexpr auto reads = Evaluation::none;
  static constexpr auto writes = Evaluation::values;
  using sizes = ElementSizeList<>;
  int a;
  int b;

  IntegrandEntry(const F& integrand, int from, int to) : F(integrand), a(from), b(to) {}

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    for (int c = 0; c < F::components; ++c) {
      typename Point::value_type sum = probe(at, c, a, b);
      if (a != b) sum += probe(at, c, b, a);
      at.value[c] = sum;
    }
  }

  template <class Point>
  KOKKOS_FUNCTION auto probe(Point at, int c, int from, int to) const {
    using V = typename Point::value_type;
    for (int k = 0; k < F::components; ++k) {
      at.value[k] = V(0);
      for (int d = 0; d < Point::dimensions; ++d) at.gradient[k][d] = V(0);
    }
    (from == 0 ? at.value[c] : at.gradient[c][from - 1]) = V(1);
    static_cast<const F&> (*this)(at);
    return to == 0 ? at.value[c] : at.gradient[c][to - 1];
  }
};

}  // namespace detail

/// Adds to y the diagonal of the operator that apply_elements applies with the same map for both
/// vectors; the integrand is linear and stores no data. y: [map.entries, components], entries
/// fastest. Nodes without an entry are left out.
///
/// Exact for any element: with tensor products the square of a shape function, or of derivatives,
/// is a product of squares in each direction. Costs as many applications of the kernel for any size
/// as the integrand has pairs of values and derivatives (diffusion: 6 in three dimensions).
/// Waits. Throws InvalidArgument as apply_elements does.
template <int Dim, class T, ExecutionSpace Exec, Integrand F>
void add_element_diagonal(const Exec& exec, const ElementBasis& basis, const F& integrand,
                          const ElementRestriction<T, Exec>& map,
                          const Kokkos::View<T*, typename Exec::memory_space>& y) {
  static_assert(!detail::stores_data<F>(), "an integrand that stores data has no diagonal");
  const auto has = [](Evaluation e, int part) {
    return part == 0 ? detail::has_values(e) : detail::has_gradients(e);
  };
  const auto product = [&](bool first, bool second) {
    const auto& left = first ? basis.values.gradients : basis.values.values;
    const auto& right = second ? basis.values.gradients : basis.values.values;
    std::vector<double> numbers(left.size());
    std::transform(left.begin(), left.end(), right.begin(), numbers.begin(), std::multiplies<>());
    return detail::to_space<T>(exec, "kolam::products", numbers);
  };
  const auto values = product(false, false);
  const decltype(values) products[3] = {values, product(true, false), product(true, true)};
  detail::RunTimeMatrices<T, Exec> matrices(exec, basis);
  const Kokkos::View<const T*, typename Exec::memory_space> none;
  for (int a = 0; a <= Dim; ++a) {
    for (int b = a; b <= Dim; ++b) {
      if (!(has(F::reads, a) && has(F::writes, b)) && !(has(F::reads, b) && has(F::writes, a)))
        continue;
      for (int k = 0; k < Dim; ++k)
        matrices.values[static_cast<std::size_t>(k)] = products[(a == k + 1) + (b == k + 1)];
      const detail::IntegrandEntry<F> entry(integrand, a, b);
      detail::require_apply(Dim, basis, map.dimensions, map.d1d, map.elements, "of the diagonal");
      detail::require_length("y", y.extent(0), map.entries, F::components);
      detail::ApplyElements<Dim, T, Exec, detail::IntegrandEntry<F>>{exec, basis, entry, map,
                                                                     none, map,   y,     &matrices}
          .run();
    }
  }
  exec.fence("kolam::add_element_diagonal: the products end here");
}

}  // namespace kolam
