// SPDX-License-Identifier: Apache-2.0
// The parts of forms; their effect: operator_test.cpp.
#include <gtest/gtest.h>

#include <kolam/fem/forms.hpp>
#include <type_traits>

namespace kolam::testing {
namespace {

struct Wavy {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point&) const {
    return 2;
  }
};

TEST(Forms, HaveCoefficientsThatAreOneUnlessSaid) {
  EXPECT_EQ(fem::Mass{}.d.value, 1);
  EXPECT_EQ(fem::Diffusion{}.c.value, 1);
  EXPECT_EQ(fem::Helmholtz{}.d.value, 1);
  EXPECT_EQ((fem::Helmholtz{Constant{2.0}, Constant{3.0}}.c.value), 2);
  EXPECT_EQ((fem::detail::coefficient_of_values(fem::Helmholtz{Wavy{}, Constant{3.0}}).value), 3);
  EXPECT_EQ(fem::detail::coefficient_of_gradients(fem::Mass{Constant{5.0}}).value, 1);
}

TEST(Forms, AreOfSeveralComponents) {
  const auto form = fem::componentwise<3>(fem::Diffusion{Constant{2.0}});
  EXPECT_EQ(decltype(form)::Physics::components, 3);
  EXPECT_EQ(form.c.value, 2);
  EXPECT_EQ(decltype(fem::componentwise<2>(fem::Mass{}))::Physics::components, 2);
  EXPECT_EQ((decltype(fem::componentwise<2>(fem::Helmholtz{}))::Physics::components), 2);
}

TEST(Forms, KnowWhetherTheirCoefficientsAreConstant) {
  EXPECT_TRUE(fem::detail::suits_affine<fem::Diffusion<>>);
  EXPECT_FALSE(fem::detail::suits_affine<fem::Diffusion<Wavy>>);
  EXPECT_FALSE((fem::detail::suits_affine<fem::Helmholtz<Constant<double>, Wavy>>));
}

struct OnLevels {
  int times = 0;
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point&) const {
    return times;
  }
  OnLevels coarsened(int more) const { return {times + more}; }
};

TEST(Forms, OfElasticityFillTwoNumbersOnEveryLevel) {
  const auto numbers = fem::detail::coarsened(
      fem::detail::coefficient_of_gradients(fem::Elasticity{OnLevels{}, OnLevels{10}}), 2);
  double of_point[2];
  numbers(0, of_point);
  EXPECT_EQ(of_point[0], 2);
  EXPECT_EQ(of_point[1], 12);
  EXPECT_TRUE((fem::detail::suits_affine<fem::Elasticity<Wavy, Wavy>>));
  EXPECT_EQ(fem::detail::coarsened(Wavy{}, 3)(0), 2);
}

struct Own {};

TEST(Forms, OfOnesOwnAreTheirPhysics) {
  EXPECT_TRUE((std::is_same_v<decltype(fem::detail::physics_of<3>(Own{})), Own>));
  EXPECT_TRUE((std::is_same_v<decltype(fem::detail::physics_of<3>(fem::Mass{})), kolam::Mass<1>>));
  EXPECT_TRUE(
      (std::is_same_v<fem::detail::DefaultGeometry<Own>, fem::GeometryTag<fem::Geometry::stored>>));
  EXPECT_TRUE((std::is_same_v<fem::detail::DefaultGeometry<fem::Mass<>>,
                              fem::GeometryTag<fem::Geometry::automatic>>));
}

}  // namespace
}  // namespace kolam::testing
