// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <kolam/kernels/element/diagonal.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/element_reference.hpp>

namespace kolam::testing {
namespace {

template <class Exec>
class ElementDiagonal : public ::testing::Test {};
TYPED_TEST_SUITE(ElementDiagonal, ExecutionSpaces, ExecutionSpaceNames);

// Tests a derivative with a value and a value with a derivative, with different weights: shows
// errors that a symmetric integrand hides.
template <class T, class Exec>
struct Skew {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::values_and_gradients;
  static constexpr auto writes = Evaluation::values_and_gradients;
  using sizes = ElementSizeList<>;
  QuadratureData<T, 1, Exec> data;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    const V u = at.value[0];
    const V dx = at.gradient[0][0];
    const V dy = at.gradient[0][1];
    at.value[0] = at.data[0] * dx;
    at.gradient[0][0] = V(0);
    at.gradient[0][1] = V(3) * at.data[0] * u + dx + V(2) * dy;
    for (int k = 2; k < Point::dimensions; ++k) at.gradient[0][k] = V(0);
  }
};

// Two elements with entries of their own, a third that shares half of each, and a node without an
// entry. (If an element had an entry twice, off-diagonal terms of its matrix would count too.)
struct NodesSharedWith {
  int nodes;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    if (e == 1 && i == 4) return -1;
    return e < 2 ? e * nodes + i : 2 * i + i % 2;
  }
};

// The oracle computes y = A e_i for every entry i by apply_elements.
template <int Dim, class Exec, class F>
void expect_diagonal(const ElementBasis& basis, Scatter scatter = Scatter::fastest) {
  const Exec exec{};
  const int nodes = kolam::detail::power(basis.d1d(), Dim);
  const index_t entries = 2 * nodes;
  const auto map = element_restriction<double>(exec, Dim, basis.d1d(), 3, entries,
                                               NodesSharedWith{nodes}, scatter);
  F f{};
  f.data = quadrature_data<decltype(F::data)::count>(exec, basis, map, SomeData{});
  const auto size = static_cast<std::size_t>(entries * F::components);
  const std::vector<double> start = random_numbers(size, 3);
  const auto diagonal = on<double, Exec>(start);
  add_element_diagonal<Dim, double, Exec>(exec, basis, f, map, diagonal);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), diagonal);
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<double> unit(size, 0.0);
    unit[i] = 1;
    const auto y = on<double, Exec>(std::vector<double>(size, 0.0));
    apply_elements<Dim, double, Exec>(exec, basis, f, map, on<double, Exec>(unit), map, y);
    exec.fence("test");
    const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    ASSERT_NEAR(found(i) - start[i], there(i), 1e-12 * (1 + std::abs(there(i))))
        << Dim << "D, entry " << i;
  }
}

TYPED_TEST(ElementDiagonal, IsThatOfTheOperator) {
  expect_diagonal<2, TypeParam, OnStored<Mass<2>, double, 2, TypeParam>>(gauss_element(2, 4));
  expect_diagonal<2, TypeParam, OnStored<Helmholtz<>, double, 2, TypeParam>>(lobatto_element(3));
  expect_diagonal<3, TypeParam, OnStored<Diffusion<>, double, 3, TypeParam>>(gauss_element(2, 4));
  expect_diagonal<2, TypeParam, Skew<double, TypeParam>>(gauss_element(2, 3));
}

TYPED_TEST(ElementDiagonal, IsAlsoThatOfADeterministicScatter) {
  expect_diagonal<2, TypeParam, OnStored<Diffusion<>, double, 2, TypeParam>>(
      gauss_element(2, 4), Scatter::deterministic);
}

}  // namespace
}  // namespace kolam::testing
