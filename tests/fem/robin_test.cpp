// SPDX-License-Identifier: Apache-2.0
// Robin conditions: robin (forms.hpp) in Operator, multigrid and assemble.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/multigrid.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/meshes.hpp>

#include "box_spaces.hpp"

namespace kolam::testing::robin_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t none = 0;

// u = 1 + x - 2 y + 3 z, and a coefficient that varies.
struct Linear {
  template <int Dim>
  KOKKOS_FUNCTION double operator()(const double (&x)[Dim]) const {
    return 1 + x[0] - 2 * x[1] + (Dim == 3 ? 3 * x[Dim - 1] : 0);
  }
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const MappedPoint<T, Dim>& at) const {
    return (*this)(at.x);
  }
};
struct Exchange {
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const fem::BoundaryPoint<T, Dim>& at) const {
    return 2 + at.x[0];
  }
};
// grad u . n + a u: the data of the Robin condition that u meets.
struct Condition {
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const fem::BoundaryPoint<T, Dim>& at) const {
    return at.normal[0] - 2 * at.normal[1] + (Dim == 3 ? 3 * at.normal[Dim - 1] : 0) +
           Exchange{}(at)*Linear{}(at.x);
  }
};

template <int Dim>
index_t expect_linear(const fem::FunctionSpace<double, Dim, DenseExec>& space,
                      const std::vector<fem::ElementSide>& sides, double tolerance = 1e-9) {
  const fem::Operator a(space, fem::robin(fem::Diffusion{}, sides, Exchange{}));
  Array<double> b = space.vector("b");
  fem::add_flux(space, sides, Condition{}, b);
  Array<double> values = fem::dirichlet_values(space, Linear{}, 1);
  a.apply_lift(values, b);
  Array<double> x = space.vector("x");
  const auto result = conjugate_gradient(a, fem::multigrid(a), b, x, {.rtol = 1e-12});
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  fem::set_dofs(space, x, values, 1);
  EXPECT_LT(fem::l2_error(space, values, Linear{}), tolerance);
  return result.iterations;
}

TEST(Robin, HoldsALinearFunctionOnCurvedElements) {
  for (const ElementBasis& basis : {gauss_element(2, 4), gauss_element(3, 5)}) {
    if (!optimised && basis.d1d() > 3) break;
    const auto all2 = fem::sides_of(uneven_box<2>(), fem::all_sides(2));
    expect_linear(bent_space<2>(basis, none), all2);
    if (optimised)
      expect_linear(bent_space<3>(basis, none), fem::sides_of(uneven_box<3>(), fem::all_sides(3)));
    // Dirichlet values on one side, the condition on the others.
    const std::uint32_t fixed = fem::attribute_bits(2, {3});
    expect_linear(bent_space<2>(basis, fixed),
                  fem::sides_of(uneven_box<2>(), fem::all_sides(2) & ~fixed));
  }
}

TEST(Robin, IsSeenByMultigridOnEveryLevel) {
  const auto box_of = [](index_t n) { return fem::BoxMesh<2>{{n, 2 * n}}; };
  for (const index_t n : {4, optimised ? 16 : 4}) {
    const int order = optimised ? 3 : 2;
    const auto space = fem::box_space<double>(
        DenseExec{}, box_of(n), gauss_element(order, order + 2), fem::Unmapped{}, none);
    EXPECT_LE(expect_linear(space, fem::sides_of(box_of(n), fem::all_sides(2)), 1e-8), 20) << n;
  }
  fem::Mesh<3> mesh = shuffled(fem::mesh_of(fem::BoxMesh<3>{{2, 2, 2}}), 3);
  for (int i = 0; i < (optimised ? 3 : 1); ++i, mesh = fem::refined(mesh)) {
    const auto space = fem::space<double>(DenseExec{}, mesh, 2, {});
    EXPECT_LE(expect_linear(space, fem::sides_of(mesh, {1, 2, 3, 4, 5, 6}), 1e-8), 20) << i;
  }
}

TEST(Robin, OfAConstantIsItsIntegral) {
  const auto space = bent_space<2>(gauss_element(3, 5), none);
  const auto sides = fem::sides_of(uneven_box<2>(), fem::all_sides(2));
  std::vector<fem::ElementSide> twice = sides;
  twice.insert(twice.end(), sides.begin(), sides.end());  // each counts once
  const fem::Operator a(space, fem::robin(fem::Diffusion{}, twice, Constant{3.0}));
  Array<double> lengths = space.vector("lengths");
  fem::add_flux(space, sides, Constant{3.0}, lengths);
  const std::vector<double> ones(static_cast<std::size_t>(a.rows()), 1.0);
  const std::vector<double> row_sums = applied(a, ones);
  const std::vector<double> expected = numbers_of(lengths);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(row_sums[i], expected[i], 1e-12);
}

// The diagonal of `a` is that of `without` plus, in each component, `boundary`.
template <class A>
void expect_in_diagonal(const A& a, const A& without, const std::vector<double>& boundary) {
  const auto n = static_cast<std::size_t>(a.rows());
  const std::size_t of_one = boundary.size();
  const DenseVector d("d", n), d0("d", n);
  a.diagonal(d);
  without.diagonal(d0);
  const auto with_boundary = numbers_of(d);
  const auto alone = numbers_of(d0);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(with_boundary[i] - alone[i], boundary[i % of_one], 1e-12);
}

TEST(Robin, IsInTheDiagonalOfEveryComponent) {
  for (const Scatter scatter : {Scatter::fastest, Scatter::deterministic}) {
    const auto space = bent_space<3>(gauss_element(2, 4), fem::attribute_bits(3, {1}), scatter);
    const auto sides = fem::sides_of(uneven_box<3>(), fem::attribute_bits(3, {2, 5}));
    const fem::Operator mass(space, fem::Mass{});
    const auto left = fem::sides_of(uneven_box<3>(), fem::attribute_bits(3, {3}));
    const auto robin = [&](const auto& form) {  // several terms, of two types
      return fem::robin(fem::robin(form, sides, Exchange{}),
                        std::vector<fem::RobinTerm<Constant<double>>>{{left, Constant{1.0}},
                                                                      {left, Constant{4.0}}});
    };
    const fem::Operator with(space, robin(fem::Mass{}));
    std::vector<double> boundary;  // by unit vectors
    for (std::size_t i = 0; i < static_cast<std::size_t>(mass.rows()); ++i) {
      std::vector<double> unit(static_cast<std::size_t>(mass.rows()), 0.0);
      unit[i] = 1;
      boundary.push_back(applied(with, unit)[i] - applied(mass, unit)[i]);
    }
    EXPECT_GT(*std::max_element(boundary.begin(), boundary.end()), 1e-3);
    expect_in_diagonal(with, mass, boundary);
    const auto form = fem::componentwise<3>(fem::Mass{});
    expect_in_diagonal(fem::Operator(space, robin(form), fem::Geometry::stored),
                       fem::Operator(space, form, fem::Geometry::stored), boundary);
  }
}

TEST(Robin, IsOfEveryComponentForItself) {
  const auto space = bent_space<2>(gauss_element(2, 4), none);
  const auto sides = fem::sides_of(uneven_box<2>(), fem::all_sides(2));
  const fem::Operator one(space, fem::robin(fem::Mass{}, sides, Exchange{}));
  const fem::Operator two(space, fem::robin(fem::componentwise<2>(fem::Mass{}), sides, Exchange{}));
  const auto n = static_cast<std::size_t>(one.rows());
  std::vector<double> first(n), both(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    first[i] = static_cast<double>(i % 7);
    both[i] = -first[i];
    both[n + i] = 2 * first[i];
  }
  const auto expected = applied(one, first);
  const auto found = applied(two, both);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(found[i], -expected[i], 1e-12);
    EXPECT_NEAR(found[n + i], 2 * expected[i], 1e-12);
  }
}

// Each level knows which of its elements contains an element of the finest box.
TEST(Robin, KnowsTheElementsOfLevelsOnABox) {
  const fem::BoxMesh<2> box{{24, 40}};
  auto space = fem::box_space<double>(DenseExec{}, box, gauss_element(2, 4), fem::Unmapped{}, none);
  index_t size = 1;  // of an element of the level
  for (int level = 0;; ++level) {
    const index_t width = 24 / size;
    for (index_t e = 0; e < 24 * 40; ++e)
      ASSERT_EQ(space.element_of_finest(e), e % 24 / size + width * (e / 24 / size)) << level;
    const auto next = space.coarser->next(space);
    if (!next) break;
    if (space.basis.d1d() == 2) size *= 2;
    space = next->space;
  }
  EXPECT_EQ(size, 4);
}

TEST(Robin, RefusesSidesThatDoNotExist) {
  const auto space = bent_space<2>(gauss_element(2, 4), none);
  EXPECT_THAT([&] { fem::Operator(space, fem::robin(fem::Diffusion{}, {{99, 0}}, Constant{1.0})); },
              ::testing::ThrowsMessage<InvalidArgument>(
                  HasSubstr("robin: side 0 of element 99 does not exist; there are 6 elements")));
}

}  // namespace
}  // namespace kolam::testing::robin_test
