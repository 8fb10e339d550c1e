// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/testing/matchers.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

struct Quadratic {  // u = x^2 + 3 y at positions and points, and its gradient
  template <int Dim>
  KOKKOS_FUNCTION double operator()(const double (&x)[Dim]) const {
    return x[0] * x[0] + 3 * x[1];
  }
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const MappedPoint<T, Dim>& at) const {
    return at.x[0] * at.x[0] + 3 * at.x[1];
  }
  template <class T, int Dim>
  KOKKOS_FUNCTION void operator()(const MappedPoint<T, Dim>& at, T (&gradient)[Dim]) const {
    for (int k = 0; k < Dim; ++k) gradient[k] = 0;
    gradient[0] = 2 * at.x[0];
    gradient[1] = 3;
  }
};

TEST(NodalFunction, HasKnownValuesAndUnknowns) {
  const auto space = bent_space<2>(lobatto_element(2), fem::attribute_bits(2, {2}));
  auto values = fem::dirichlet_values(space, Quadratic{}, 2);
  const auto count = static_cast<std::size_t>(space.nodes.entries);
  std::vector<double> u = random_values(static_cast<int>(2 * space.dofs.entries));
  fem::set_dofs(space, dense_vector(u), values, 2);
  const std::vector<double> found = numbers_of(values);
  const std::vector<double> x = numbers_of(*space.coordinates);
  const auto dof = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.dof_of_node);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t node = 0; node < count; ++node) {
      const double expected = dof(node) < 0 ? x[node] * x[node] + 3 * x[count + node]
                                            : u[static_cast<std::size_t>(dof(node)) +
                                                c * static_cast<std::size_t>(space.dofs.entries)];
      EXPECT_DOUBLE_EQ(found[node + c * count], expected);
    }
  }
}

TEST(NodalFunction, HasNoErrorAgainstAPolynomialOfItsSpace) {
  // On an unmapped box, spaces of order 2 and above contain a quadratic.
  const fem::BoxMesh<3> mesh{{2, 1, 3}};
  const auto space = fem::box_space<double>(DenseExec{}, mesh, gauss_element(3, 5), fem::Unmapped{},
                                            fem::all_sides(3));
  const auto all =
      fem::box_space<double>(DenseExec{}, mesh, gauss_element(3, 5), fem::Unmapped{}, 0);
  std::vector<double> x = numbers_of(*all.coordinates);
  const auto n = static_cast<std::size_t>(all.nodes.entries);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = x[i] * x[i] + 3 * x[n + i];
  const DenseVector u = dense_vector(values);
  EXPECT_NEAR(fem::l2_error(space, u, Quadratic{}), 0, 1e-14);
  EXPECT_NEAR(fem::h1_error(space, u, Quadratic{}), 0, 1e-13);
  EXPECT_NEAR(integral(space, u), 1.0 / 3 + 1.5, 1e-14);
  // An error of 0.1 everywhere, then one of 0.1 x.
  for (double& value : values) value += 0.1;
  EXPECT_NEAR(fem::l2_error(space, dense_vector(values), Quadratic{}), 0.1, 1e-14);
  EXPECT_NEAR(fem::h1_error(space, dense_vector(values), Quadratic{}), 0, 1e-13);
  for (std::size_t i = 0; i < n; ++i) values[i] += 0.1 * x[i] - 0.1;
  EXPECT_NEAR(fem::l2_error(space, dense_vector(values), Quadratic{}), 0.1 / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(fem::h1_error(space, dense_vector(values), Quadratic{}), 0.1, 1e-13);
}

TEST(NodalFunction, IntegratesOverCurvedElements) {
  const auto space = bent_space<2>(gauss_element(2, 4), 0);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  EXPECT_NEAR(integral(space, dense_vector(std::vector<double>(n, 2.0))), 2 * 1.2, 1e-13);
  EXPECT_THAT(error_of<InvalidArgument>(
                  [&] { integral(space, dense_vector(std::vector<double>(n - 1, 2.0))); }),
              ::testing::HasSubstr("set_dofs"));
}

struct Rotation {
  template <int Dim>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const double (&x)[Dim]) const {
    return {-x[1], x[0]};
  }
};

TEST(NodalFunction, MayHaveKnownValuesOfEachComponent) {
  const auto space = bent_space<2>(lobatto_element(2), fem::attribute_bits(2, {2}));
  const auto values = numbers_of(fem::dirichlet_values(space, Rotation{}, 2));
  const auto x = numbers_of(*space.coordinates);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  const auto dof = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.dof_of_node);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(values[i], dof(i) < 0 ? -x[n + i] : 0);
    EXPECT_EQ(values[n + i], dof(i) < 0 ? x[i] : 0);
  }
}

}  // namespace
}  // namespace kolam::testing
