// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/fem/boundary_flux.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/linear/conjugate_gradient.hpp>
#include <kolam/testing/matchers.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <int Dim, int Components = 1, class G>
std::vector<double> flux(const fem::FunctionSpace<double, Dim, DenseExec>& space,
                         const std::vector<fem::ElementSide>& sides, const G& g) {
  auto b = space.vector("b", Components);
  fem::add_flux<Components>(space, sides, g, b);
  return numbers_of(b);
}

double sum(const std::vector<double>& numbers) {
  double all = 0;
  for (const double number : numbers) all += number;
  return all;
}

// x . n, whose integral over the boundary is Dim times the volume.
struct Outward {
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const fem::BoundaryPoint<T, Dim>& at) const {
    double product = 0;
    for (int k = 0; k < Dim; ++k) product += at.x[k] * at.normal[k];
    return product;
  }
};

template <int Dim>
void expect_the_volume() {
  for (const ElementBasis& basis : {gauss_element(2, 5), lobatto_element(4)}) {
    const auto space = bent_space<Dim>(basis, 0);
    const auto b = flux(space, fem::sides_of(uneven_box<Dim>(), fem::all_sides(Dim)), Outward{});
    EXPECT_NEAR(sum(b), Dim * 1.2, 1e-12) << Dim << "D";
  }
}

TEST(AddFlux, IntegratesThePositionToTheVolume) {
  expect_the_volume<2>();
  expect_the_volume<3>();
}

TEST(AddFlux, HasTheAreaOfEachSide) {
  fem::BoxMesh<3> mesh;
  mesh.elements = {2, 3, 1};
  mesh.upper = {2, 3, 5};
  const auto space = fem::box_space<double>(DenseExec{}, mesh, gauss_element(2, 3), fem::Unmapped{},
                                            std::uint32_t{0});
  const double areas[] = {15, 10, 6};
  for (int attribute = 1; attribute <= 6; ++attribute) {
    const auto sides = fem::sides_of(mesh, fem::attribute_bits(3, {attribute}));
    const auto b = flux(space, sides, Constant<double>{0.5});
    EXPECT_NEAR(sum(b), 0.5 * areas[(attribute - 1) / 2], 1e-13) << attribute;
    // All entries off that side are zero.
    const fem::BoxNodes<3> box_nodes(mesh, 2);
    for (index_t node = 0; node < box_nodes.nodes(); ++node) {
      if ((box_nodes.attributes(node) & fem::attribute_bits(3, {attribute})) == 0) {
        EXPECT_EQ(b[static_cast<std::size_t>(node)], 0);
      }
    }
  }
}

// u = 1 + 2 x - 3 y (+ z): bent elements represent it, so it is the solution up to rounding.
struct Linear {
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const MappedPoint<T, Dim>& at) const {
    return (*this)(at.x);
  }
  template <int Dim>
  KOKKOS_FUNCTION double operator()(const double (&x)[Dim]) const {
    return 1 + 2 * x[0] - 3 * x[1] + (Dim == 3 ? x[Dim - 1] : 0.0);
  }
};
struct FluxOfLinear {
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const fem::BoundaryPoint<T, Dim>& at) const {
    return 2 * at.normal[0] - 3 * at.normal[1] + (Dim == 3 ? at.normal[Dim - 1] : 0.0);
  }
};

template <int Dim>
void expect_linear_solution() {
  // Dirichlet values on one side, the flux through all others.
  const std::uint32_t fixed = fem::attribute_bits(Dim, {3});
  const auto space = bent_space<Dim>(gauss_element(2, 4), fixed);
  const auto a = laplace_on<Dim>(space);
  auto values = fem::dirichlet_values(space, Linear{}, 1);
  auto b = space.vector("b");
  fem::add_flux(space, fem::sides_of(uneven_box<Dim>(), fem::all_sides(Dim) & ~fixed),
                FluxOfLinear{}, b);
  a.apply_lift(values, b);
  auto x = space.vector("x");
  linear::SolveOptions options;
  options.rtol = 1e-13;
  const linear::SolveResult result = conjugate_gradient(a, linear::Identity{}, b, x, options);
  EXPECT_EQ(result.status, linear::SolveStatus::converged);
  fem::set_dofs(space, x, values, 1);
  EXPECT_LT(fem::l2_error(space, values, Linear{}), 1e-11);
}

TEST(AddFlux, GivesALinearSolution) {
  expect_linear_solution<2>();
  expect_linear_solution<3>();
}

TEST(AddFlux, AddsToEveryComponent) {
  const auto space = bent_space<2>(gauss_element(1, 2), fem::attribute_bits(2, {1}));
  const auto sides = fem::sides_of(uneven_box<2>(), fem::all_sides(2));
  const auto one = flux(space, sides, Outward{});
  const auto two = flux<2, 2>(space, sides, Outward{});
  ASSERT_EQ(two.size(), 2 * one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(two[i], one[i]);
    EXPECT_EQ(two[i + one.size()], one[i]);
  }
  EXPECT_THAT(flux(space, {}, Outward{}), ::testing::Each(0.0));
}

TEST(AddFlux, NamesTheSideThatDoesNotExist) {
  const auto space = bent_space<2>(gauss_element(1, 2), 0);
  const auto error = [&](const fem::ElementSide& side) {
    try {
      static_cast<void>(flux(space, {side}, Outward{}));
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error({0, 4}), HasSubstr("side 4 of element 0 does not exist"));
  EXPECT_THAT(error({6, 0}), HasSubstr("side 0 of element 6 does not exist; there are 6 elements"));
  EXPECT_EQ(error({5, 3}), "");
  EXPECT_THROW(static_cast<void>(fem::sides_of(uneven_box<2>(), fem::all_sides(3))),
               InvalidArgument);
}

TEST(AddFlux, AndSourcesNameAVectorThatIsTooShort) {
  const auto space = bent_space<2>(gauss_element(2, 4), fem::attribute_bits(2, {1}));
  const auto sides = fem::sides_of(uneven_box<2>(), fem::all_sides(2));
  Array<double> b("load", 2 * space.dofs.entries - 1);  // never written, which is not the mistake
  const auto message = [](const auto& call) { return error_of<InvalidArgument>(call); };
  EXPECT_THAT(message([&] { fem::add_flux<2>(space, sides, Outward{}, b); }),
              ::testing::StartsWith("add_flux: 'load' has " + std::to_string(b.size()) +
                                    " values, and the space " + std::to_string(b.size() + 1)));
  EXPECT_THAT(message([&] { fem::add_source<2>(space, Constant{1.0}, b); }),
              HasSubstr("add_source: 'load' has"));
}

struct OfEachComponent {
  template <class T, int Dim>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(const fem::BoundaryPoint<T, Dim>& at) const {
    return {Outward{}(at), 2, at.x[1]};
  }
};

struct Height {
  template <class T, int Dim>
  KOKKOS_FUNCTION double operator()(const fem::BoundaryPoint<T, Dim>& at) const {
    return at.x[1];
  }
};

TEST(AddFlux, MayBeAnotherForEachComponent) {
  const auto space = bent_space<3>(gauss_element(2, 4), fem::attribute_bits(3, {1}));
  const auto sides = fem::sides_of(uneven_box<3>(), fem::all_sides(3));
  const auto together = flux<3, 3>(space, sides, OfEachComponent{});
  std::vector<double> expected = flux(space, sides, Outward{});
  for (const auto& more : {flux(space, sides, Constant{2.0}), flux(space, sides, Height{})})
    expected.insert(expected.end(), more.begin(), more.end());
  EXPECT_EQ(together, expected);
}

}  // namespace
}  // namespace kolam::testing
