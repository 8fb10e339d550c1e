// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <kolam/kernels/element/geometry.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/element_reference.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/requests.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class Exec>
class ElementOperator : public ::testing::Test {};
TYPED_TEST_SUITE(ElementOperator, ExecutionSpaces, ExecutionSpaceNames);

// F with coupled components: each component's result is tested with the next component.
template <class F>
struct Turned {
  static constexpr int components = 3;
  static constexpr auto reads = F::reads;
  static constexpr auto writes = F::writes;
  static constexpr bool turned = true;
  using sizes = ElementSizeList<ElementSize<3, 4, false>, ElementSize<8, 9, false>>;
  decltype(F::data) data;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    F f{};
    f.data = data;
    f(at);
    for (int d = 0; d < 3; ++d) turn(at.gradient[0][d], at.gradient[1][d], at.gradient[2][d]);
    turn(at.value[0], at.value[1], at.value[2]);
  }
  template <class V>
  KOKKOS_FUNCTION static void turn(V& first, V& second, V& third) {
    const V last = third;
    third = second;
    second = first;
    first = last;
  }
};

// The integrands, written independently: gradients times rows of a matrix.
template <int Dim, class F>
void reference_integrand(index_t e, int point, ReferencePoint& at) {
  const SomeData data;
  constexpr int rows[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  constexpr int rows_2d[2][2] = {{0, 1}, {1, 2}};
  for (auto& of_component : at) {
    const auto in = of_component;
    of_component = {0, 0, 0, 0};
    if (kolam::detail::has_gradients(F::writes)) {
      for (std::size_t r = 0; r < Dim; ++r)
        for (std::size_t c = 0; c < Dim; ++c)
          of_component[r + 1] +=
              data(e, point, Dim == 3 ? rows[r][c] : rows_2d[r % 2][c % 2]) * in[c + 1];
    }
    if (kolam::detail::has_values(F::writes)) {
      const int number = kolam::detail::has_gradients(F::writes) ? symmetric_size<Dim> : 0;
      of_component[0] = data(e, point, number) * in[0];
    }
  }
  if constexpr (requires { F::turned; }) std::rotate(at.rbegin(), at.rbegin() + 1, at.rend());
}

std::string name(int dims, const ElementBasis& basis, index_t elements) {
  return std::to_string(dims) + "D, " + std::to_string(elements) + " elements of " +
         std::to_string(basis.d1d()) + " nodes and " + std::to_string(basis.q1d()) + " points" +
         (basis.collocated ? " at the nodes" : "");
}

// Returns the tolerance for y in type T.
template <class T>
double rounding(const std::vector<double>& y) {
  double most = 1;
  for (const double value : y) most = std::max(most, std::abs(value));
  return 60 * most * static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <int Dim, class T, class Exec, class F>
void expect_reference(const ElementBasis& basis, index_t elements, Scatter scatter) {
  SCOPED_TRACE(name(Dim, basis, elements));
  const Exec exec{};
  const RandomElements all(Dim, basis.d1d(), elements, 5);
  const auto map = element_restriction<T>(exec, Dim, basis.d1d(), elements, all.entries,
                                          EntryOf<Exec>(all), scatter);
  constexpr int count = decltype(F::data)::count;
  F f{};
  f.data = quadrature_data<count>(exec, basis, map, SomeData{});
  const auto size = static_cast<std::size_t>(all.entries * F::components);
  const std::vector<double> x = random_numbers(size, 1);
  std::vector<double> expected = random_numbers(size, 2);
  const auto y = on<T, Exec>(expected);
  apply_elements<Dim, T, Exec>(exec, basis, f, map, on<T, Exec>(x), map, y);
  reference_apply(all, basis, F::components, x, expected, reference_integrand<Dim, F>);
  ASSERT_TRUE(all_near(y, [&](std::size_t i) { return expected[i]; }, rounding<T>(expected)));
}

template <int Dim, class Exec>
void expect_all_integrands(const ElementBasis& basis, index_t elements,
                           Scatter scatter = Scatter::fastest) {
  expect_reference<Dim, double, Exec, OnStored<Mass<1>, double, Dim, Exec>>(basis, elements,
                                                                            scatter);
  expect_reference<Dim, double, Exec, OnStored<Diffusion<1>, double, Dim, Exec>>(basis, elements,
                                                                                 scatter);
  expect_reference<Dim, double, Exec, OnStored<Helmholtz<1>, double, Dim, Exec>>(basis, elements,
                                                                                 scatter);
  // (Instantiations that are not in the library take long to compile.)
  if constexpr (!std::is_same_v<Exec, HostTeams>) {
    expect_reference<Dim, Single, Exec, OnStored<Mass<1>, Single, Dim, Exec>>(basis, elements,
                                                                              scatter);
    expect_reference<Dim, Single, Exec, OnStored<Diffusion<1>, Single, Dim, Exec>>(basis, elements,
                                                                                   scatter);
    expect_reference<Dim, Single, Exec, OnStored<Helmholtz<1>, Single, Dim, Exec>>(basis, elements,
                                                                                   scatter);
  }
}

// HostTeams run one thread at a time, so they get fewer elements.
template <class Exec>
constexpr index_t some = std::is_same_v<Exec, HostTeams> ? 19 : 133;

TYPED_TEST(ElementOperator, GivesWhatTheOracleGives) {
  for (const index_t elements : {index_t{0}, index_t{1}, index_t{9}, some<TypeParam>}) {
    expect_all_integrands<2, TypeParam>(gauss_element(2, 4), elements);
    expect_all_integrands<3, TypeParam>(gauss_element(2, 4), elements);
    expect_all_integrands<2, TypeParam>(lobatto_element(3), elements);
    expect_all_integrands<3, TypeParam>(lobatto_element(3), elements);
  }
}

TYPED_TEST(ElementOperator, DoesSoForVectors) {
  for (const ElementBasis& basis : {gauss_element(2, 4), lobatto_element(3), gauss_element(2, 3)}) {
    expect_reference<2, double, TypeParam, OnStored<Mass<2>, double, 2, TypeParam>>(
        basis, some<TypeParam>, Scatter::fastest);
    expect_reference<3, double, TypeParam, OnStored<Mass<3>, double, 3, TypeParam>>(
        basis, some<TypeParam>, Scatter::fastest);
    expect_reference<3, double, TypeParam, OnStored<Diffusion<3>, double, 3, TypeParam>>(
        basis, some<TypeParam>, Scatter::deterministic);
  }
}

// (At order 7 a block of a GPU has room for one slab only; HostTeams use slabs at every order.)
TYPED_TEST(ElementOperator, DoesSoForComponentsThatMeet) {
  const auto expect_both = [](const ElementBasis& basis, index_t elements, Scatter scatter) {
    expect_reference<3, double, TypeParam, Turned<OnStored<Diffusion<3>, double, 3, TypeParam>>>(
        basis, elements, scatter);
    expect_reference<3, double, TypeParam, Turned<OnStored<Helmholtz<3>, double, 3, TypeParam>>>(
        basis, elements, scatter);
  };
  expect_both(gauss_element(2, 4), some<TypeParam>, Scatter::fastest);
  expect_both(gauss_element(7, 9), 3, Scatter::deterministic);
}

TYPED_TEST(ElementOperator, DoesSoForAllSizesOfTheList) {
  if (!optimised || std::is_same_v<TypeParam, HostTeams>)
    GTEST_SKIP() << "takes too long without optimisation, and on host teams";
  for (const std::string& size : element_sizes()) {
    const int d1d = std::stoi(size);
    const int q1d = std::stoi(size.substr(size.find('x') + 1));
    const ElementBasis basis =
        size.back() == 'c' ? lobatto_element(d1d - 1) : gauss_element(d1d - 1, q1d);
    expect_all_integrands<2, TypeParam>(basis, 17);
    expect_all_integrands<3, TypeParam>(basis, d1d > 6 ? 3 : 17);
    const index_t few = d1d > 6 ? 3 : 37;
    expect_reference<3, double, TypeParam, OnStored<Mass<3>, double, 3, TypeParam>>(
        basis, few, Scatter::fastest);
    expect_reference<3, double, TypeParam, OnStored<Diffusion<3>, double, 3, TypeParam>>(
        basis, few, Scatter::fastest);
  }
}

TYPED_TEST(ElementOperator, DoesSoForSizesThatNothingIsCompiledFor) {
  expect_all_integrands<2, TypeParam>(gauss_element(2, 3), 11);
  expect_all_integrands<3, TypeParam>(gauss_element(2, 3), 11);
  expect_all_integrands<2, TypeParam>(gauss_element(1, 7), 5);
  expect_all_integrands<2, TypeParam>(lobatto_element(9), 5);
}

TYPED_TEST(ElementOperator, DoesSoForLargeSizesThatNothingIsCompiledFor) {
  if (!optimised) GTEST_SKIP() << "takes too long without optimisation";
  expect_all_integrands<3, TypeParam>(gauss_element(4, 8), 3);
  expect_reference<2, double, TypeParam, OnStored<Helmholtz<1>, double, 2, TypeParam>>(
      gauss_element(40, 42), 2, Scatter::fastest);
}

// Nodes and points without mirror symmetry, in a size that is compiled for symmetric ones.
ElementBasis crooked_element() {
  const std::vector<double> nodes{0, 0.3, 1};
  const Quadrature quadrature{{0.1, 0.2, 0.6, 0.7}, {0.1, 0.4, 0.3, 0.2}};
  return {lagrange_basis(nodes, quadrature.points),
          lagrange_basis(quadrature.points, quadrature.points), nodes, quadrature, false};
}

TYPED_TEST(ElementOperator, DoesSoForNodesInAnyPlace) {
  expect_all_integrands<2, TypeParam>(crooked_element(), 11);
  expect_all_integrands<3, TypeParam>(crooked_element(), 11);
}

TYPED_TEST(ElementOperator, DoesSoByWayOfElements) {
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(2, 3), lobatto_element(3)}) {
    expect_all_integrands<2, TypeParam>(basis, some<TypeParam>, Scatter::deterministic);
    expect_all_integrands<3, TypeParam>(basis, some<TypeParam>, Scatter::deterministic);
  }
}

template <class Exec>
std::vector<double> deterministic_result() {
  const Exec exec{};
  const ElementBasis basis = gauss_element(2, 4);
  const RandomElements all(3, basis.d1d(), some<Exec>, 5);
  const auto map = element_restriction<double>(exec, 3, basis.d1d(), all.elements, all.entries,
                                               EntryOf<Exec>(all), Scatter::deterministic);
  const OnStored<Diffusion<1>, double, 3, Exec> f{
      {quadrature_data<symmetric_size<3>>(exec, basis, map, SomeData{})}, {}};
  const auto size = static_cast<std::size_t>(all.entries);
  const auto y = on<double, Exec>(std::vector<double>(size, 0.0));
  apply_elements<3, double, Exec>(exec, basis, f, map, on<double, Exec>(random_numbers(size, 1)),
                                  map, y);
  return to_host(y);
}

TYPED_TEST(ElementOperator, GivesTheSameBitsAgain) {
  const std::vector<double> first = deterministic_result<TypeParam>();
  for (int run = 0; run < 5; ++run) ASSERT_EQ(deterministic_result<TypeParam>(), first);
  if constexpr (!has_block_threads<TypeParam>) {
    EXPECT_EQ(deterministic_result<Kokkos::DefaultHostExecutionSpace>(), first);
  }
}

// A right-hand side: reads nothing, and is tested with values and gradients.
template <class T, class Exec>
struct Load {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::none;
  static constexpr auto writes = Evaluation::values_and_gradients;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.value[0] = at.weight;
    at.gradient[0][0] = at.weight * typename Point::value_type(T(2));
    at.gradient[0][1] = at.weight * typename Point::value_type(T(at.index[1]));
  }
};

// Evaluates the field at the points: writes only its data.
template <class T, class Exec>
struct Probe {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::values_and_gradients;
  static constexpr auto writes = Evaluation::none;
  static constexpr bool stores_data = true;
  QuadratureData<T, 3, Exec> data;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    at.data[0] = at.value[0];
    at.data[1] = at.gradient[0][0];
    at.data[2] = at.gradient[0][1];
  }
};

template <class Exec>
void expect_load_and_probe(const ElementBasis& basis) {
  SCOPED_TRACE(name(2, basis, 9));
  const Exec exec{};
  const int q1d = basis.q1d();
  const RandomElements all(2, basis.d1d(), 9, 3);
  const auto map = element_restriction<double>(exec, 2, basis.d1d(), all.elements, all.entries,
                                               EntryOf<Exec>(all));
  const auto size = static_cast<std::size_t>(all.entries);
  const auto weight = [&](int point) {
    const auto& weights = basis.quadrature.weights;
    return weights[static_cast<std::size_t>(point % q1d)] *
           weights[static_cast<std::size_t>(point / q1d)];
  };
  std::vector<double> expected(size, 0.0);
  reference_apply(all, basis, 1, {}, expected, [&](index_t, int point, ReferencePoint& at) {
    at[0] = {weight(point), 2 * weight(point), point / q1d * weight(point), 0};
  });
  const auto y = on<double, Exec>(std::vector<double>(size, 0.0));
  apply_elements<2, double, Exec>(exec, basis, Load<double, Exec>{}, map, {}, map, y);
  EXPECT_TRUE(all_near(y, [&](std::size_t i) { return expected[i]; }, rounding<double>(expected)));

  const std::vector<double> x = random_numbers(size, 1);
  const Probe<double, Exec> probe{quadrature_data<3>(exec, basis, map, SomeData{})};
  apply_elements<2, double, Exec>(exec, basis, probe, map, on<double, Exec>(x), map, {});
  const std::vector<double> found = to_host(probe.data.values);
  std::vector<double> none;
  reference_apply(all, basis, 1, x, none, [&](index_t e, int point, ReferencePoint& at) {
    for (int k = 0; k < 3; ++k) {
      const auto place = static_cast<std::size_t>(map.layout.datum(e, point, k, q1d, 3));
      ASSERT_NEAR(found[place], at[0][static_cast<std::size_t>(k)], 1e-11)
          << "number " << k << " at point " << point << " of element " << e;
    }
  });
}

TYPED_TEST(ElementOperator, TestsWithWhatIsKnownAndTellsWhatIsThere) {
  expect_load_and_probe<TypeParam>(gauss_element(2, 4));
  expect_load_and_probe<TypeParam>(gauss_element(3, 4));
  expect_load_and_probe<TypeParam>(lobatto_element(3));
}

// Applies the operator from entries to element values and from these back to entries.
template <class Exec>
void expect_elements_between(const ElementBasis& basis) {
  const Exec exec{};
  const RandomElements all(3, basis.d1d(), 13, 5);
  const auto map = element_restriction<double>(exec, 3, basis.d1d(), all.elements, all.entries,
                                               EntryOf<Exec>(all));
  const auto each = element_values<double, Exec>(3, basis.d1d(), all.elements);
  const OnStored<Mass<1>, double, 3, Exec> f{{quadrature_data<1>(exec, basis, map, SomeData{})},
                                             {}};
  const auto size = static_cast<std::size_t>(all.entries);
  const auto x = on<double, Exec>(random_numbers(size, 1));
  const auto of_elements =
      on<double, Exec>(std::vector<double>(static_cast<std::size_t>(each.entries), 7.0));
  const auto y = on<double, Exec>(std::vector<double>(size, 0.0));
  apply_elements<3, double, Exec>(exec, basis, f, map, x, each, of_elements);
  apply_elements<3, double, Exec>(exec, basis, f, each, of_elements, map, y);

  std::vector<double> once(size * 0 + static_cast<std::size_t>(all.elements * all.nodes), 0.0);
  std::vector<double> expected(size, 0.0);
  RandomElements apart = all;  // every node its own entry
  apart.entries = all.elements * all.nodes;
  std::vector<double> values(once.size(), 0.0);
  const std::vector<double> host_x = to_host(x);
  for (std::size_t n = 0; n < apart.map.size(); ++n) {
    values[n] = all.map[n] >= 0 ? host_x[static_cast<std::size_t>(all.map[n])] : 0;
    apart.map[n] = static_cast<int>(n);
  }
  const auto mass = reference_integrand<3, OnStored<Mass<1>, double, 3, Exec>>;
  reference_apply(apart, basis, 1, values, once, mass);
  std::vector<double> twice(once.size(), 0.0);
  reference_apply(apart, basis, 1, once, twice, mass);
  for (std::size_t n = 0; n < twice.size(); ++n)
    if (all.map[n] >= 0) expected[static_cast<std::size_t>(all.map[n])] += twice[n];
  EXPECT_TRUE(all_near(y, [&](std::size_t i) { return expected[i]; }, rounding<double>(expected)));
}

TYPED_TEST(ElementOperator, TakesAndGivesValuesOfElements) {
  expect_elements_between<TypeParam>(gauss_element(2, 4));
  expect_elements_between<TypeParam>(gauss_element(2, 3));
}

template <class Exec>
void expect_plan(const ElementBasis& basis, Scatter scatter) {
  SCOPED_TRACE(name(3, basis, 9));
  const Exec exec{};
  const RandomElements all(3, basis.d1d(), 9, 5);
  const auto map = element_restriction<double>(exec, 3, basis.d1d(), all.elements, all.entries,
                                               EntryOf<Exec>(all), scatter);
  const OnStored<Diffusion<>, double, 3, Exec> f{
      {quadrature_data<symmetric_size<3>>(exec, basis, map, SomeData{})}, {}};
  const auto size = static_cast<std::size_t>(all.entries);
  const auto x = on<double, Exec>(random_numbers(size, 1));
  const auto once = on<double, Exec>(std::vector<double>(size, 0.0));
  apply_elements<3, double, Exec>(exec, basis, f, map, x, map, once);
  const auto y = on<double, Exec>(std::vector<double>(size, 0.0));
  const auto a = element_operator<3, double, Exec>(exec, basis, f, map, map);
  constexpr int times = optimised ? 100 : 10;
  {
    const testing::Requests requests;
    for (int i = 0; i < times; ++i) a.apply_add(x, y);
    exec.fence("test");
    EXPECT_EQ(requests.allocations(), 0);
    EXPECT_EQ(requests.copies(), 0);
  }
  const std::vector<double> expected = to_host(once);
  EXPECT_TRUE(all_near(
      y, [&](std::size_t i) { return times * expected[i]; }, times * rounding<double>(expected)));
}

TYPED_TEST(ElementOperator, IsAPlanThatAllocatesAndCopiesNothing) {
  for (const Scatter scatter : {Scatter::fastest, Scatter::deterministic}) {
    expect_plan<TypeParam>(gauss_element(2, 4), scatter);
    if (optimised || scatter == Scatter::deterministic)
      expect_plan<TypeParam>(gauss_element(2, 7), scatter);  // a size that no list has
  }
}

TYPED_TEST(ElementOperator, RefusesWhatDoesNotFit) {
  using Exec = TypeParam;
  const Exec exec{};
  const ElementBasis basis = gauss_element(2, 4);
  const RandomElements all(2, 3, 4, 1);
  const auto map = element_restriction<double>(exec, 2, 3, 4, all.entries, EntryOf<Exec>(all));
  const RandomElements more(2, 3, 5, 1);
  const auto other = element_restriction<double>(exec, 2, 3, 5, more.entries, EntryOf<Exec>(more));
  const OnStored<Mass<1>, double, 2, Exec> f{{quadrature_data<1>(exec, basis, map, SomeData{})},
                                             {}};
  const auto size = static_cast<std::size_t>(all.entries);
  const auto x = on<double, Exec>(random_numbers(size, 1));
  const auto error = [&](const ElementBasis& b, const auto& from, const auto& in, const auto& to,
                         const auto& out) {
    return error_of<InvalidArgument>(
        [&] { apply_elements<2, double, Exec>(exec, b, f, from, in, to, out); });
  };
  EXPECT_THAT(
      error(lobatto_element(3), map, x, map, x),
      HasSubstr("with 4 nodes in a direction: the map `from` is of 4 elements in 2D with 3"));
  EXPECT_THAT(error(basis, map, x, other, x), HasSubstr("`from` is of 4 elements, `to` of 5"));
  const auto small = on<double, Exec>(random_numbers(size - 1, 1));
  EXPECT_THAT(error(basis, map, small, map, x),
              HasSubstr("x has " + std::to_string(size - 1) + " values; the maps need " +
                        std::to_string(size)));
  EXPECT_THAT(error(basis, map, x, map, small), HasSubstr("y has "));
  EXPECT_THAT(error(gauss_element(2, 9), map, x, map, x), HasSubstr("the integrand's data has "));
}

// Returns what an operator of size 3 x 7, which no list has, prints to stderr.
std::string said_of_an_unlisted_size() {
  const Kokkos::DefaultExecutionSpace exec{};
  using Exec = Kokkos::DefaultExecutionSpace;
  const RandomElements all(2, 3, 2, 1);
  const ElementBasis basis = gauss_element(2, 7);
  const auto map = element_restriction<double>(exec, 2, 3, 2, all.entries, EntryOf<Exec>(all));
  const OnStored<Mass<1>, double, 2, Exec> mass{{quadrature_data<1>(exec, basis, map, SomeData{})},
                                                {}};
  const auto x = on<double, Exec>(random_numbers(static_cast<std::size_t>(all.entries), 1));
  ::testing::internal::CaptureStderr();
  apply_elements<2, double, Exec>(exec, basis, mass, map, x, map, x);
  exec.fence("test");
  return ::testing::internal::GetCapturedStderr();
}

TEST(ElementOperatorNotes, SayOnceThatASizeHasNoKernelOfItsOwn) {
  const char* const before = std::getenv("KOLAM_NOTES");
  const std::string restored = before == nullptr ? "" : before;
  ASSERT_EQ(::setenv("KOLAM_NOTES", "off", 1), 0);
  EXPECT_EQ(said_of_an_unlisted_size(), "");
  ASSERT_EQ(::unsetenv("KOLAM_NOTES"), 0);
  EXPECT_THAT(said_of_an_unlisted_size(), HasSubstr("with 3x7 in KOLAM_ELEMENT_SIZES"));
  EXPECT_EQ(said_of_an_unlisted_size(), "");
  ::setenv("KOLAM_NOTES", restored.c_str(), 1);
}

}  // namespace
}  // namespace kolam::testing
