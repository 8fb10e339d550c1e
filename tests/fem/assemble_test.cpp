// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/fem/assemble.hpp>
#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/testing/backends.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

// Couples the components and is not symmetric, so that confused rows and columns show.
template <class T>
struct Coupled {
  using value_type = T;
  static constexpr int components = 2;
  static constexpr Evaluation reads = Evaluation::values_and_gradients;
  static constexpr Evaluation writes = Evaluation::values_and_gradients;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    const auto a = at.value[0];
    const auto b = at.value[1];
    at.value[0] = a + T(2) * b + at.gradient[1][0];
    at.value[1] = T(3) * b - a;
    for (int k = 0; k < Point::dimensions; ++k) {
      const auto g = at.gradient[0][k];
      at.gradient[0][k] = at.gradient[1][k] * T(k + 1);
      at.gradient[1][k] = g - at.gradient[1][k];
    }
  }
};

template <class A>
void expect_same_as_assembled(const A& a, double tolerance) {
  using T = typename A::value_type;
  const auto matrix = assemble(a);
  ASSERT_EQ(matrix.rows(), a.rows());
  const auto n = static_cast<std::size_t>(a.rows());
  const std::vector<double> numbers = random_values(static_cast<int>(n));
  linear::Vector<T, DenseExec> x("x", n), y("y", n), z("z", n);
  const auto host = Kokkos::create_mirror_view(x);
  for (std::size_t i = 0; i < n; ++i) host(i) = static_cast<T>(numbers[i]);
  Kokkos::deep_copy(x, host);
  a.apply(x, y);
  matrix.apply(x, z);
  matrix.apply_add(x, z);
  a.exec().fence("test");
  const auto of_a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  const auto of_matrix = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), z);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(static_cast<double>(of_a(i))));
  ASSERT_GT(largest, 0);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(of_matrix(i), 2 * of_a(i), tolerance * largest) << "row " << i;
}

template <int Dim, class F, class T = double>
auto coupled_on(const fem::FunctionSpace<T, Dim, DenseExec>& space, F f) {
  return fem::Operator(space, fem::OnReference{f});
}

TEST(Assemble, KnowsConditionsOnSingleComponents) {
  const auto space = fem::space<double>(DenseExec{}, fem::mesh_of(uneven_box<2>()), 2,
                                        {.dirichlet = {{1, "x"}, {3, "y"}}});
  expect_same_as_assembled(fem::Operator(space, fem::Elasticity{Constant{2.0}, Constant{1.0}}),
                           1e-13);
}

TEST(Assemble, DoesWhatTheOperatorDoes) {
  for (const ElementBasis& basis : {gauss_element(1, 2), gauss_element(3, 5), lobatto_element(2)}) {
    expect_same_as_assembled(laplace_on<2>(bent_space<2>(basis, fem::all_sides(2))), 1e-13);
    expect_same_as_assembled(mass_on<3>(bent_space<3>(basis, fem::attribute_bits(3, {1, 4}))),
                             1e-13);
    expect_same_as_assembled(coupled_on<2>(bent_space<2>(basis, 0), Coupled<double>{}), 1e-13);
    expect_same_as_assembled(
        coupled_on<3>(bent_space<3>(basis, fem::all_sides(3)), Coupled<double>{}), 1e-13);
  }
}

TEST(Assemble, DoesSoInSinglePrecision) {
  const auto space = fem::box_space<Single>(DenseExec{}, uneven_box<3>(), gauss_element(2, 4),
                                            Bend{}, fem::attribute_bits(3, {1}));
  expect_same_as_assembled(coupled_on<3>(space, Coupled<Single>{}), 1e-5);
}

TEST(Assemble, IsTheSecondDifferenceInTwoSquares) {
  // Order 1 on [0, 1]^2 with 2 x 1 elements, without conditions; x fastest.
  fem::BoxMesh<2> mesh;
  mesh.elements = {2, 1};
  const auto space = fem::box_space<double>(DenseExec{}, mesh, gauss_element(1, 2), fem::Unmapped{},
                                            std::uint32_t{0});
  const auto matrix = assemble(laplace_on<2>(space));
  const auto host = [](const auto& view) {
    const auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector(copy.data(), copy.data() + copy.extent(0));
  };
  EXPECT_THAT(host(matrix.row_begin()), ::testing::ElementsAre(0, 4, 10, 14, 18, 24, 28));
  const auto columns = host(matrix.columns());
  EXPECT_THAT(std::vector(columns.begin(), columns.begin() + 10),
              ::testing::ElementsAre(0, 1, 3, 4, 0, 1, 2, 3, 4, 5));
  // An element of sides h/2 and h: (2 + 1/2) / 3 on the diagonal.
  EXPECT_NEAR(host(matrix.values())[0], 2.5 / 3, 1e-14);
  const DenseVector d("d", 6);
  matrix.diagonal(d);
  for (const int i : {0, 2, 3, 5})
    EXPECT_NEAR(numbers_of(d)[static_cast<std::size_t>(i)], 2.5 / 3, 1e-14);
  for (const int i : {1, 4})
    EXPECT_NEAR(numbers_of(d)[static_cast<std::size_t>(i)], 5.0 / 3, 1e-14);
}

TEST(Assemble, HasRobinConditions) {
  const auto space = bent_space<2>(gauss_element(2, 4), fem::attribute_bits(2, {1}));
  const auto sides = fem::sides_of(uneven_box<2>(), fem::attribute_bits(2, {2, 4}));
  expect_same_as_assembled(
      fem::Operator(space,
                    fem::robin(fem::componentwise<2>(fem::Diffusion{}), sides, Constant{3.0}),
                    fem::Geometry::stored),
      1e-13);
}

TEST(Assemble, IsSolvedAsTheOperatorIs) {
  const auto a = laplace_on<3>(bent_space<3>(gauss_element(2, 4), fem::all_sides(3)));
  const auto matrix = assemble(a);
  const auto n = static_cast<int>(a.rows());
  const std::vector<double> expected = random_values(n);
  const DenseVector x("x", expected.size());
  linear::SolveOptions options;
  options.rtol = 1e-12;
  const linear::SolveResult result = conjugate_gradient(
      matrix, linear::Identity{}, dense_vector(applied(a, expected)), x, options);
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  const std::vector<double> found = numbers_of(x);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
}

}  // namespace
}  // namespace kolam::testing
