// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

template <int Dim, class A>
void expect_symmetric_positive(const A& a, bool definite) {
  const auto n = static_cast<int>(a.rows());
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<double> u = random_values(n, seed);
    const std::vector<double> v = random_values(n, seed + 100);
    const double uav = dot(u, applied(a, v));
    EXPECT_NEAR(uav, dot(v, applied(a, u)), 1e-12 * (1 + std::abs(uav))) << "seed " << seed;
    EXPECT_GT(dot(u, applied(a, u)), definite ? 0.0 : -1e-12) << "seed " << seed;
  }
}

TEST(MatrixFree, IsSymmetricAndPositive) {
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(4, 6), lobatto_element(3)}) {
    expect_symmetric_positive<2>(laplace_on<2>(bent_space<2>(basis, fem::all_sides(2))), true);
    expect_symmetric_positive<3>(laplace_on<3>(bent_space<3>(basis, fem::all_sides(3))), true);
    expect_symmetric_positive<3>(mass_on<3>(bent_space<3>(basis, 0)), true);
    expect_symmetric_positive<2>(laplace_on<2>(bent_space<2>(basis, 0)), false);
  }
}

TEST(MatrixFree, HasConstantsInTheNullSpaceOfTheLaplacian) {
  for (const ElementBasis& basis : {gauss_element(2, 4), lobatto_element(5)}) {
    const auto a = laplace_on<3>(bent_space<3>(basis, 0));
    for (const double value :
         applied(a, std::vector<double>(static_cast<std::size_t>(a.rows()), 3.0)))
      EXPECT_NEAR(value, 0, 1e-11);
  }
}

TEST(MatrixFree, HasTheEnergyOfALinearFunction) {
  // (grad x, grad x) is the volume, on curved elements too: their map holds x exactly.
  const auto space = bent_space<3>(gauss_element(2, 4), 0);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  std::vector<double> x = numbers_of(space.coordinates);
  x.resize(n);
  const std::vector<double> one(n, 1.0);
  const double volume = dot(one, applied(mass_on<3>(space), one));
  EXPECT_NEAR(dot(x, applied(laplace_on<3>(space), x)), volume, 1e-12);
  EXPECT_NEAR(volume, 1.2, 1e-13);
}

TEST(MatrixFree, IsTheBlockOfUnknownsOfTheWholeMatrix) {
  // With Dirichlet nodes: the rows and columns of the others.
  const auto all = bent_space<2>(gauss_element(3, 5), 0);
  const auto some = bent_space<2>(gauss_element(3, 5), fem::attribute_bits(2, {1, 3}));
  const auto whole = laplace_on<2>(all);
  const auto block = laplace_on<2>(some);
  const auto dof = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), some.dof_of_node);
  const std::vector<double> x = random_values(static_cast<int>(block.rows()));
  std::vector<double> x_all(static_cast<std::size_t>(whole.rows()), 0.0);
  std::vector<double> known(x_all.size(), 0.0);
  for (std::size_t node = 0; node < x_all.size(); ++node) {
    if (dof(node) >= 0) {
      x_all[node] = x[static_cast<std::size_t>(dof(node))];
    } else {
      known[node] = std::sin(static_cast<double>(node));
    }
  }
  const std::vector<double> y = applied(block, x);
  const std::vector<double> y_all = applied(whole, x_all);
  const std::vector<double> of_known = applied(whole, known);
  const DenseVector b = dense_vector(std::vector<double>(y.size(), 1.0));
  block.apply_lift(dense_vector(known), b);
  const std::vector<double> left = numbers_of(b);
  for (std::size_t node = 0; node < x_all.size(); ++node) {
    if (dof(node) < 0) continue;
    const auto i = static_cast<std::size_t>(dof(node));
    EXPECT_NEAR(y[i], y_all[node], 1e-12);
    EXPECT_NEAR(left[i], 1 - of_known[node], 1e-12);
  }
}

TEST(MatrixFree, HasItsDiagonal) {
  const auto a = laplace_on<2>(bent_space<2>(lobatto_element(3), fem::all_sides(2)));
  const auto n = static_cast<std::size_t>(a.rows());
  const DenseVector d("d", n);
  a.diagonal(d);
  const std::vector<double> found = numbers_of(d);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> unit(n, 0.0);
    unit[i] = 1;
    EXPECT_NEAR(found[i], applied(a, unit)[i], 1e-12 * found[i]);
  }
}

TEST(MatrixFree, AddsWhatItApplies) {
  const auto a = mass_on<2>(bent_space<2>(gauss_element(2, 4), 0));
  const std::vector<double> x = random_values(static_cast<int>(a.rows()));
  const DenseVector y = dense_vector(x);
  a.apply_add(dense_vector(x), y);
  const std::vector<double> ax = applied(a, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(numbers_of(y)[i], x[i] + ax[i], 1e-14);
}

struct LinearSource {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return at.x[0] - 2 * at.x[1];
  }
};

TEST(AddSource, IsTheMassOfAFunctionOfTheSpace) {
  const auto space = bent_space<2>(gauss_element(2, 4), 0);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  const std::vector<double> coordinates = numbers_of(space.coordinates);
  std::vector<double> f(n);
  for (std::size_t i = 0; i < n; ++i) f[i] = coordinates[i] - 2 * coordinates[n + i];
  const std::vector<double> expected = applied(mass_on<2>(space), f);
  auto b = space.vector("b", 2);
  fem::add_source<2>(space, LinearSource{}, b);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(numbers_of(b)[i], expected[i], 1e-14);
    EXPECT_NEAR(numbers_of(b)[n + i], expected[i], 1e-14);
  }
}

}  // namespace
}  // namespace kolam::testing
