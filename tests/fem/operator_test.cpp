// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/requests.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

struct LinearSource {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return at.x[0] - 2 * at.x[1];
  }
};

// On the reference element, without geometry.
struct Stiff {
  static constexpr int components = 1;
  static constexpr auto reads = Evaluation::gradients;
  static constexpr auto writes = Evaluation::gradients;
  using sizes = ElementSizeList<>;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point&) const {}
};

template <int Dim>
struct Elasticity {
  static constexpr int components = Dim;
  static constexpr auto reads = Evaluation::gradients;
  static constexpr auto writes = Evaluation::gradients;
  using sizes = ElementSizeList<ElementSize<3, 4, false>>;
  double lambda, mu;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    using V = typename Point::value_type;
    V stress[Dim][Dim];
    V trace = V(0);
    for (int i = 0; i < Dim; ++i) trace = trace + at.gradient[i][i];
    for (int i = 0; i < Dim; ++i)
      for (int k = 0; k < Dim; ++k)
        stress[i][k] =
            V(mu) * (at.gradient[i][k] + at.gradient[k][i]) + (i == k ? V(lambda) * trace : V(0));
    for (int i = 0; i < Dim; ++i)
      for (int k = 0; k < Dim; ++k) at.gradient[i][k] = stress[i][k];
  }
};

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

TEST(Operator, IsSymmetricAndPositive) {
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(4, 6), lobatto_element(3)}) {
    expect_symmetric_positive<2>(laplace_on<2>(bent_space<2>(basis, fem::all_sides(2))), true);
    expect_symmetric_positive<3>(laplace_on<3>(bent_space<3>(basis, fem::all_sides(3))), true);
    expect_symmetric_positive<3>(mass_on<3>(bent_space<3>(basis, 0)), true);
    expect_symmetric_positive<2>(laplace_on<2>(bent_space<2>(basis, 0)), false);
  }
}

TEST(Operator, HasConstantsInTheNullSpaceOfTheLaplacian) {
  for (const ElementBasis& basis : {gauss_element(2, 4), lobatto_element(5)}) {
    const auto a = laplace_on<3>(bent_space<3>(basis, 0));
    for (const double value :
         applied(a, std::vector<double>(static_cast<std::size_t>(a.rows()), 3.0)))
      EXPECT_NEAR(value, 0, 1e-11);
  }
}

TEST(Operator, HasTheEnergyOfALinearFunction) {
  // (grad x, grad x) is the volume, also on curved elements: their space contains x.
  const auto space = bent_space<3>(gauss_element(2, 4), 0);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  std::vector<double> x = numbers_of(*space.coordinates);
  x.resize(n);
  const std::vector<double> one(n, 1.0);
  const double volume = dot(one, applied(mass_on<3>(space), one));
  EXPECT_NEAR(dot(x, applied(laplace_on<3>(space), x)), volume, 1e-12);
  EXPECT_NEAR(volume, 1.2, 1e-13);
}

TEST(Operator, IsTheBlockOfUnknownsOfTheWholeMatrix) {
  // With Dirichlet nodes: the rows and columns of the other nodes.
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

TEST(Operator, HasItsDiagonal) {
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

TEST(Operator, AddsWhatItApplies) {
  const auto a = mass_on<2>(bent_space<2>(gauss_element(2, 4), 0));
  const std::vector<double> x = random_values(static_cast<int>(a.rows()));
  const DenseVector y = dense_vector(x);
  a.apply_add(dense_vector(x), y);
  const std::vector<double> ax = applied(a, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(numbers_of(y)[i], x[i] + ax[i], 1e-14);
}

TEST(Operator, ChoosesItsGeometryAndSaysWhich) {
  const auto box = [](const ElementBasis& basis, const auto& map) {
    return fem::box_space<double>(DenseExec{}, uneven_box<2>(), basis, map, 0U);
  };
  const auto straight = box(gauss_element(2, 4), fem::Unmapped{});
  const auto bent = box(gauss_element(2, 4), Bend{});
  EXPECT_EQ(fem::Operator(straight, fem::Diffusion{}).geometry(), fem::Geometry::affine);
  EXPECT_EQ(fem::Operator(bent, fem::Diffusion{}).geometry(), fem::Geometry::stored);
  EXPECT_EQ(fem::Operator(straight, fem::Diffusion{LinearSource{}}).geometry(),
            fem::Geometry::stored);
  EXPECT_EQ(fem::Operator(straight, fem::Mass{}, fem::stored).geometry(), fem::Geometry::stored);
  EXPECT_EQ(fem::Operator(straight, fem::Mass{}, fem::Geometry::trilinear).geometry(),
            fem::Geometry::trilinear);
  EXPECT_THAT(error_of<InvalidArgument>(
                  [&] { fem::Operator(bent, fem::Mass{}, fem::affine).components(); }),
              HasSubstr("is not affine"));
}

TEST(Operator, IsMadeOnAnotherSpace) {
  const auto small = bent_space<2>(gauss_element(1, 3), 0);
  const auto large = bent_space<2>(gauss_element(3, 5), 0);
  const fem::Operator a(small, fem::Mass{Constant<double>{3}});
  const std::vector<double> x = random_values(static_cast<int>(large.dofs.entries));
  EXPECT_EQ(applied(a.on(large), x), applied(fem::Operator(large, fem::Mass{Constant{3.0}}), x));
  const fem::Operator b(small, fem::OnReference{Stiff{}});
  EXPECT_THAT(error_of<InvalidArgument>([&] { static_cast<void>(b.on(large)); }),
              HasSubstr("for one space alone"));
}

// A rigid rotation causes no strain, on elements of any shape.
template <int Dim>
void expect_no_stress_of_a_turn(const fem::FunctionSpace<double, Dim, DenseExec>& space,
                                fem::Geometry geometry) {
  const fem::Operator a(space, Elasticity<Dim>{1.5, 0.7}, geometry);
  expect_symmetric_positive<Dim>(a, false);
  const std::vector<double> x = numbers_of(*space.coordinates);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  std::vector<double> turned(Dim * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    turned[i] = 2 - x[n + i];
    turned[n + i] = x[i];
  }
  for (const double value : applied(a, turned)) EXPECT_NEAR(value, 0, 1e-12);
  // A stretch in one direction has the energy of its strain.
  std::vector<double> stretched(Dim * n, 0.0);
  std::copy_n(x.begin(), n, stretched.begin());
  const std::vector<double> one(n, 1.0);
  const double volume = dot(one, applied(mass_on<Dim>(space), one));
  EXPECT_NEAR(dot(stretched, applied(a, stretched)), (1.5 + 2 * 0.7) * volume, 1e-11);
}

TEST(Operator, IsOfElasticityOnAnyGeometry) {
  const auto straight = fem::box_space<double>(DenseExec{}, uneven_box<3>(), gauss_element(2, 4),
                                               fem::Unmapped{}, 0U);
  for (const auto geometry :
       {fem::Geometry::stored, fem::Geometry::affine, fem::Geometry::trilinear})
    expect_no_stress_of_a_turn<3>(straight, geometry);
  expect_no_stress_of_a_turn<3>(bent_space<3>(gauss_element(2, 4), 0), fem::Geometry::stored);
  expect_no_stress_of_a_turn<2>(bent_space<2>(lobatto_element(3), 0), fem::Geometry::stored);
}

template <class A>
void expect_nothing_asked(const A& a) {
  const auto n = static_cast<std::size_t>(a.rows());
  const DenseVector x("x", n);
  const DenseVector y("y", n);
  Kokkos::deep_copy(x, 1.0);
  {
    const testing::Requests requests;
    for (int i = 0; i < (optimised ? 100 : 10); ++i) a.apply(x, y);
    a.exec().fence("test");
    EXPECT_EQ(requests.allocations(), 0);
    EXPECT_EQ(requests.copies(), 0);
  }
  EXPECT_GT(dot(numbers_of(y), numbers_of(y)), 0);
}

TEST(Operator, AllocatesAndCopiesNothingToApply) {
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(2, 7)}) {  // one is listed
    for (const Scatter scatter : {Scatter::fastest, Scatter::deterministic}) {
      // (Without optimisation one of the four pairs takes most of the time, and shows nothing
      // more.)
      if (!optimised && basis.q1d() == 7 && scatter == Scatter::fastest) continue;
      const auto space = bent_space<3>(basis, fem::all_sides(3), scatter);
      expect_nothing_asked(fem::Operator(space, fem::Helmholtz{}));
      expect_nothing_asked(fem::Operator(space, fem::componentwise<3>(fem::Mass{})));
      expect_nothing_asked(
          fem::Operator(space, fem::robin(fem::Helmholtz{}, {{0, 0}, {1, 3}}, Constant{2.0})));
    }
  }
}

struct SourceOfEach {
  template <class Point>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(const Point& at) const {
    return {1 + at.x[0], 3};
  }
};
struct FirstSource {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return 1 + at.x[0];
  }
};

TEST(AddSource, MayBeAnotherForEachComponent) {
  const auto space = bent_space<2>(gauss_element(2, 4), fem::attribute_bits(2, {3}));
  auto both = space.vector("both", 2);
  fem::add_source<2>(space, SourceOfEach{}, both);
  auto first = space.vector("first"), second = space.vector("second");
  fem::add_source(space, FirstSource{}, first);
  fem::add_source(space, Constant{3.0}, second);
  std::vector<double> expected = numbers_of(first);
  const std::vector<double> more = numbers_of(second);
  expected.insert(expected.end(), more.begin(), more.end());
  EXPECT_EQ(numbers_of(both), expected);
}

TEST(AddSource, IsTheMassOfAFunctionOfTheSpace) {
  const auto space = bent_space<2>(gauss_element(2, 4), 0);
  const auto n = static_cast<std::size_t>(space.nodes.entries);
  const std::vector<double> coordinates = numbers_of(*space.coordinates);
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
