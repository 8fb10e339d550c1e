// SPDX-License-Identifier: Apache-2.0
// Properties of random operators on random small meshes. A failure prints its seed; --gtest_filter
// and KOLAM_SEED=N run it alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <kolam/kernels/element/geometry.hpp>
#include <random>

#include "../fem/box_spaces.hpp"

namespace kolam::testing {
namespace {

// A polynomial of degree 1 in each direction, plus one of degree 2 with `square`. It is close to
// the identity, so that no element is inverted.
struct RandomMap {
  double of[3][8];
  double square;

  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&x)[Dim]) const {
    double moved[Dim];
    for (int k = 0; k < Dim; ++k) {
      moved[k] = x[k] + square * x[(k + 1) % Dim] * x[(k + 1) % Dim];
      for (int m = 0; m < kolam::detail::power(2, Dim); ++m) {
        double term = of[k][m];
        for (int d = 0; d < Dim; ++d)
          if (((m >> d) & 1) != 0) term *= x[d];
        moved[k] += term;
      }
    }
    for (int k = 0; k < Dim; ++k) x[k] = moved[k];
  }
};

enum class Shape { affine, trilinear, curved };

template <int Dim>
struct Random {
  std::mt19937 engine;
  Shape shape;
  fem::BoxMesh<Dim> mesh{};
  ElementBasis basis;
  RandomMap map{};
  std::uint32_t dirichlet;

  int number(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(engine);
  }
  double real(double most) { return std::uniform_real_distribution<double>(-most, most)(engine); }

  Random(unsigned seed, Shape wanted) : engine(seed), shape(wanted) {
    for (index_t& n : mesh.elements) n = number(1, Dim == 2 ? 4 : 3);
    const int order = number(1, 3);
    basis = number(0, 2) == 0 ? lobatto_element(order) : gauss_element(order, order + number(1, 2));
    for (auto& of_direction : map.of) {
      for (int m = 0; m < 8; ++m) {
        const bool linear = (m & (m - 1)) == 0;
        of_direction[m] = linear || shape != Shape::affine ? real(0.05) : 0.0;
      }
    }
    map.square = shape == Shape::curved ? real(0.05) : 0.0;
    dirichlet = number(0, 2) == 0 ? 0U
                                  : static_cast<std::uint32_t>(number(0, 1 << (2 * Dim)) - 1) &
                                        fem::all_sides(Dim);
  }
  auto space() const { return fem::box_space<double>(DenseExec{}, mesh, basis, map, dirichlet); }
};

double norm(const std::vector<double>& x) { return std::sqrt(dot(x, x)); }

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double scale, const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-12 * (scale + norm(expected))) << what << ", entry " << i;
}

// Symmetric, not negative, linear, and with the diagonal that unit vectors give.
template <class A>
void expect_properties(const A& a, unsigned seed) {
  const auto n = static_cast<int>(a.rows());
  if (n == 0) return;
  const std::vector<double> u = random_values(n, seed);
  const std::vector<double> v = random_values(n, seed + 1);
  const std::vector<double> au = applied(a, u);
  const std::vector<double> av = applied(a, v);
  const double scale = norm(u) * norm(av) + norm(au) * norm(v);
  ASSERT_NEAR(dot(au, v), dot(u, av), 1e-13 * scale) << "symmetric";
  ASSERT_GE(dot(u, au), -1e-13 * scale) << "not negative";
  std::vector<double> both(u.size()), sum(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    both[i] = 2 * u[i] - v[i];
    sum[i] = 2 * au[i] - av[i];
  }
  expect_near(applied(a, both), sum, norm(au) + norm(av), "linear");
  const auto row = static_cast<std::size_t>(seed) % u.size();
  std::vector<double> unit(u.size(), 0.0);
  unit[row] = 1;
  const DenseVector d("d", u.size());
  a.diagonal(d);
  const std::vector<double> diagonal = numbers_of(d);
  ASSERT_NEAR(diagonal[row], applied(a, unit)[row], 1e-12 * diagonal[row]) << "diagonal";
  ASSERT_GT(*std::min_element(diagonal.begin(), diagonal.end()), 0);
}

struct Positive {
  double a;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return 1 + a * a + a * Kokkos::sin(3 * static_cast<double>(at.x[0]) + at.x[1]);
  }
};
struct OfElement {
  double a;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& at) const {
    return 1 + a * a + static_cast<double>(at.element % 3);
  }
};

template <int Dim, int Components, class C>
auto diffusion(const fem::FunctionSpace<double, Dim, DenseExec>& space, const C& c) {
  return fem::Operator(space, fem::componentwise<Components>(fem::Diffusion{c}), fem::stored);
}

template <int Dim>
void expect_of_scalars(unsigned seed) {
  const Random<Dim> random(seed, Shape::curved);
  const auto space = random.space();
  const Positive c{0.1 * (seed % 7)};
  const auto laplace = diffusion<Dim, 1>(space, c);
  const auto mass = mass_on<Dim>(space);
  const auto both = fem::Operator(space, fem::Helmholtz{c, c});
  expect_properties(laplace, seed);
  expect_properties(mass, seed);
  expect_properties(both, seed);
  if (random.dirichlet == 0) {
    const std::vector<double> one(static_cast<std::size_t>(laplace.rows()), 1.0);
    const double size = norm(applied(laplace, random_values(static_cast<int>(one.size()), seed)));
    expect_near(applied(laplace, one), std::vector<double>(one.size(), 0.0), size,
                "constants in the null space");
    // x . A x is the volume, if the space contains the map.
    if (space.basis.d1d() > 2) {
      std::vector<double> x = numbers_of(*space.coordinates);
      x.resize(one.size());
      const auto unweighted = diffusion<Dim, 1>(space, Constant<double>{1});
      ASSERT_NEAR(dot(x, applied(unweighted, x)), dot(one, applied(mass, one)), 1e-11);
    }
  }
}

template <int Dim>
void expect_of_vectors(unsigned seed) {
  const Random<Dim> random(seed, Shape::curved);
  const auto space = random.space();
  const Positive c{0.1 * (seed % 5)};
  const auto one = diffusion<Dim, 1>(space, c);
  const auto all = diffusion<Dim, Dim>(space, c);
  expect_properties(all, seed);
  if (one.rows() == 0) return;
  // Each component gives the same as the scalar operator.
  const auto n = static_cast<std::size_t>(one.rows());
  const std::vector<double> x = random_values(static_cast<int>(n * Dim), seed);
  const std::vector<double> y = applied(all, x);
  for (std::size_t k = 0; k < Dim; ++k) {
    const auto part = [&](const std::vector<double>& of) {
      const auto first = of.begin() + static_cast<std::ptrdiff_t>(k * n);
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(n));
    };
    expect_near(applied(one, part(x)), part(y), norm(y), "components");
  }
}

template <int Dim>
void expect_of_geometry(unsigned seed) {
  const bool affine = seed % 2 == 0;
  const Random<Dim> random(seed, affine ? Shape::affine : Shape::trilinear);
  const auto space = random.space();
  const OfElement c{0.1 * (seed % 7)};
  const OfElement d{0.1 * (seed % 3)};
  const auto expected = fem::Operator(space, fem::Helmholtz{c, d}, fem::stored);
  const auto compare = [&](fem::Geometry geometry) {
    const fem::Operator a(space, fem::Helmholtz{c, d}, geometry);
    EXPECT_EQ(a.geometry(), geometry);
    expect_properties(a, seed);
    const std::vector<double> x = random_values(static_cast<int>(a.rows()), seed);
    expect_near(applied(a, x), applied(expected, x), 0, "as stored");
  };
  if (affine) {
    compare(fem::Geometry::affine);
  } else {
    compare(fem::Geometry::trilinear);
  }
}

template <class Body>
void for_seeds(const Body& body) {
#ifdef NDEBUG
  constexpr unsigned count = 1000;
#else
  constexpr unsigned count = 50;
#endif
  const char* const only = std::getenv("KOLAM_SEED");
  const unsigned first = only != nullptr ? static_cast<unsigned>(std::atoi(only)) : 1;
  for (unsigned seed = first; seed < first + (only != nullptr ? 1 : count); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    body(seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomOperators, OfScalarsIn2D) { for_seeds(expect_of_scalars<2>); }
TEST(RandomOperators, OfScalarsIn3D) { for_seeds(expect_of_scalars<3>); }
TEST(RandomOperators, OfVectorsIn2D) { for_seeds(expect_of_vectors<2>); }
TEST(RandomOperators, OfVectorsIn3D) { for_seeds(expect_of_vectors<3>); }
TEST(RandomOperators, OfComputedGeometryIn2D) { for_seeds(expect_of_geometry<2>); }
TEST(RandomOperators, OfComputedGeometryIn3D) { for_seeds(expect_of_geometry<3>); }

}  // namespace
}  // namespace kolam::testing
