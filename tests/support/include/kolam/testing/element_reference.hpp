// SPDX-License-Identifier: Apache-2.0
// Elements with random nodes, and the serial oracle of element operators: plain sums over nodes and
// points.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/kernels/element/operator.hpp>
#include <random>
#include <vector>

namespace kolam::testing {

/// Elements whose nodes have random entries, or none: a more general map than that of any mesh.
struct RandomElements {
  int dimensions;
  int nodes;
  index_t elements;
  index_t entries;
  std::vector<int> map;  // [nodes, elements]

  RandomElements(int dims, int d1d, index_t count, unsigned seed)
      : dimensions(dims),
        nodes(kolam::detail::power(d1d, dims)),
        elements(count),
        entries(count * nodes / 2 + 1) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> entry(-static_cast<int>(entries) / 9,
                                             static_cast<int>(entries) - 1);
    for (index_t n = 0; n < elements * nodes; ++n) map.push_back(entry(random));
  }
};

/// Data that differ at every point: number k at a point of an element.
struct SomeData {
  KOKKOS_FUNCTION double operator()(index_t e, int point, int k) const {
    return (k == 0 || k == 3 || k == 5 ? 2.0 : 0.0) +
           Kokkos::sin(0.7 * static_cast<double>(e) + 0.3 * point + 1.1 * k);
  }
};

/// The map of the elements on Exec.
template <class Exec>
struct EntryOf {
  Kokkos::View<const int**, Kokkos::LayoutLeft, typename Exec::memory_space> map;

  explicit EntryOf(const RandomElements& all) {
    using Host = Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const Host host(all.map.data(), static_cast<std::size_t>(all.nodes),
                    static_cast<std::size_t>(all.elements));
    map = Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), host);
  }
  KOKKOS_FUNCTION index_t operator()(index_t element, int i) const { return map(i, element); }
};

/// The values at a point of the oracle: for each component, the value and the Dim derivatives.
using ReferencePoint = std::vector<std::array<double, 4>>;

/// Adds E^T B^T D B E x to y[entry + entries c], where `at(element, point, reference point)` is D.
/// Derivatives come from the nodes' polynomials.
template <class At>
void reference_apply(const RandomElements& all, const ElementBasis& basis, int components,
                     const std::vector<double>& x, std::vector<double>& y, const At& at) {
  const int d = basis.d1d();
  const int q = basis.q1d();
  const int dims = all.dimensions;
  const int points = kolam::detail::power(q, dims);
  // The value (k = 0) or derivative k of node i at a point.
  const auto shape = [&](int point, int i, int k) {
    double product = 1;
    for (int n = 0; n < dims; ++n) {
      product *= k == n + 1 ? basis.values.gradient(point % q, i % d)
                            : basis.values.value(point % q, i % d);
      point /= q;
      i /= d;
    }
    return product;
  };
  std::vector<std::array<double, 4>> shapes(static_cast<std::size_t>(points) *
                                            static_cast<std::size_t>(all.nodes));
  const auto shapes_of = [&](int point, int i) -> std::array<double, 4>& {
    return shapes[static_cast<std::size_t>(point) * static_cast<std::size_t>(all.nodes) +
                  static_cast<std::size_t>(i)];
  };
  for (int point = 0; point < points; ++point)
    for (int i = 0; i < all.nodes; ++i)
      for (int k = 0; k <= dims; ++k)
        shapes_of(point, i)[static_cast<std::size_t>(k)] = shape(point, i, k);

  const auto count = static_cast<std::size_t>(components);
  for (index_t e = 0; e < all.elements; ++e) {
    const int* const entries = all.map.data() + e * all.nodes;
    for (int point = 0; point < points; ++point) {
      ReferencePoint here(count, {0, 0, 0, 0});
      const auto each = [&](const auto& body) {
        for (std::size_t c = 0; c < count; ++c)
          for (int i = 0; i < all.nodes; ++i)
            if (entries[i] >= 0)
              for (std::size_t k = 0; k <= static_cast<std::size_t>(dims); ++k)
                body(here[c][k], static_cast<std::size_t>(entries[i] + all.entries * index_t(c)),
                     shapes_of(point, i)[k]);
      };
      if (!x.empty())
        each([&](double& value, std::size_t entry, double s) { value += x[entry] * s; });
      at(e, point, here);
      if (!y.empty())
        each([&](double value, std::size_t entry, double s) { y[entry] += value * s; });
    }
  }
}

/// Returns `count` random numbers in [-1, 1].
inline std::vector<double> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = number(random);
  return values;
}

/// Returns the values as T on Exec.
template <class T, class Exec>
Kokkos::View<T*, typename Exec::memory_space> on(const std::vector<double>& values) {
  return kolam::detail::to_space<T>(Exec{}, "test", values);
}

}  // namespace kolam::testing
