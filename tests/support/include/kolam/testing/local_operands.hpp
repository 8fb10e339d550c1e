// SPDX-License-Identifier: Apache-2.0
// The fields of a sweep or of fused steps on an execution space, with their values on the host.
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/stencil_reference.hpp>
#include <limits>
#include <numeric>
#include <vector>

namespace kolam::testing {

/// Random fields for a sweep or fused steps of S; all coefficients have the same values.
template <class S, class T, class Exec>
struct LocalOperands {
  static constexpr int N = S::dimensions;
  using Space = typename Exec::memory_space;

  FieldLayout<N> layout;
  LocalField<T, N> host_u;
  LocalField<T, N> host_new_u;
  LocalField<T, N> host_coefficient;
  StencilOperands<S, T, Exec> operands;

  LocalOperands(const FieldLayout<N>& the_layout, unsigned seed)
      : layout(the_layout),
        host_u(random_local_field<T, N>(layout, seed)),
        host_new_u(random_local_field<T, N>(layout, seed + 1)),
        host_coefficient(random_local_field<T, N>(layout, seed + 2)) {
    operands.layout = layout;
    operands.u = upload(host_u);
    operands.new_u = upload(host_new_u);
    for (auto& coefficient : operands.coefficients) coefficient = upload(host_coefficient);
  }

  void reset_u() { operands.u = upload(host_u); }
  void reset_new_u() { operands.new_u = upload(host_new_u); }

  /// Checks that new_u has the expected bits at the own points (and in `wrapped` layers beyond the
  /// ends of the slowest dimension) and is unchanged everywhere else.
  ::testing::AssertionResult new_u_is(const LocalField<T, N>& expected, index_t wrapped = 0) const {
    LocalField<T, N> all = host_new_u;
    for_each_point(layout, wrapped, [&](index_t x, index_t y, index_t z) {
      const bool in_layer = N == 2 || (y >= 0 && y < layout.own[1]);
      if (in_layer && x >= 0 && x < layout.own[0]) all(x, y, z) = expected(x, y, z);
    });
    const auto values = to_host(operands.new_u);
    const auto bits = [](const T& value) {
      return std::isnan(value) ? std::numeric_limits<T>::infinity() : value;
    };
    std::vector<T> actual(values.begin(), values.end());
    for (T& value : actual) value = bits(value);
    return all_equal(actual, [&](std::size_t i) { return bits(all.values[i]); });
  }

  /// Returns memory for partial sums, filled with NaN.
  static Kokkos::View<double*, Space> sums(index_t count) {
    Kokkos::View<double*, Space> view("sums", static_cast<std::size_t>(count));
    Kokkos::deep_copy(view, std::numeric_limits<double>::quiet_NaN());
    return view;
  }

 private:
  static Kokkos::View<T*, Space> upload(const LocalField<T, N>& field) {
    Kokkos::View<T*, Space> view("field", field.values.size());
    Kokkos::deep_copy(
        view, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                  field.values.data(), field.values.size()));
    return view;
  }
};

/// Returns the sum of a View's values.
template <class View>
double total(const View& view) {
  const auto values = to_host(view);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace kolam::testing
