// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_attributes.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/testing/matchers.hpp>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

fem::Mesh<2> two_elements() { return fem::mesh_of(fem::BoxMesh<2>{{2, 1}}); }

TEST(Attributes, OfBoundariesAreKnownByNumberAndByName) {
  auto mesh = two_elements();
  mesh.boundary_names = {{"inflow", {1}}, {"walls", {3}}};
  EXPECT_THAT(fem::sides_of(mesh, {2}), ElementsAre(fem::ElementSide{1, 1}));
  EXPECT_THAT(fem::sides_of(mesh, {"inflow", 2}),
              ElementsAre(fem::ElementSide{0, 0}, fem::ElementSide{1, 1}));
  mesh.boundary_names["ends"] = {1, 2};
  EXPECT_EQ(fem::sides_of(mesh, {"ends"}), fem::sides_of(mesh, {1, 2}));
  mesh.boundary_names.erase("ends");
  const auto error = [&](const fem::Attribute& attribute) {
    return error_of<InvalidArgument>([&] { fem::sides_of(mesh, {attribute}); });
  };
  EXPECT_THAT(error(7), HasSubstr("there is no boundary attribute 7; there are 1, 2, 3, 4"));
  EXPECT_THAT(error("wall"),
              HasSubstr("no boundary attribute is named 'wall'; there are 'inflow', 'walls'"));
  mesh.boundary_names.clear();
  EXPECT_THAT(error("wall"), HasSubstr("none has a name: give its number"));
  mesh.sides.clear();
  EXPECT_THAT(error(1), HasSubstr("nothing has one"));
}

TEST(PerAttribute, IsACoefficientOfEachElement) {
  auto mesh = two_elements();
  mesh.attributes = {1, 3};
  mesh.element_names["foam"] = {3};
  const auto space = fem::space<double>(DenseExec{}, mesh, 2);
  const fem::Operator mass(
      space, fem::Mass{fem::per_attribute<double>(DenseExec{}, mesh, {{1, 5.0}, {"foam", 2.0}})});
  const std::vector<double> one(static_cast<std::size_t>(space.dofs.entries), 1.0);
  EXPECT_NEAR(dot(one, applied(mass, one)), 0.5 * 5 + 0.5 * 2, 1e-14);
}

TEST(PerAttribute, RefusesAttributesWithoutAndWithTwoValues) {
  auto mesh = two_elements();
  mesh.attributes = {1, 3};
  const auto error = [&](const std::vector<std::pair<fem::Attribute, double>>& values) {
    return error_of<InvalidArgument>(
        [&] { fem::per_attribute<double>(DenseExec{}, mesh, values); });
  };
  EXPECT_THAT(error({{1, 5.0}}),
              HasSubstr("no value for the element attribute 3, which element 1"));
  EXPECT_THAT(error({{1, 5.0}, {3, 1.0}, {1, 2.0}}),
              HasSubstr("two values for the element attribute 1"));
  EXPECT_THAT(error({{1, 5.0}, {2, 1.0}}),
              HasSubstr("there is no element attribute 2; there are 1, 3"));
  EXPECT_THAT(error({{"steel", 5.0}}), HasSubstr("no element attribute is named 'steel'"));
}

}  // namespace
}  // namespace kolam::testing
