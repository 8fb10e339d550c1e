// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/dirichlet_condition.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/testing/matchers.hpp>
#include <vector>

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

unsigned bits(const fem::DirichletCondition& condition, int dimensions = 3) {
  return condition.components(dimensions);
}

TEST(DirichletCondition, IsOnAllComponentsUnlessSaid) {
  EXPECT_EQ(bits(3), 0b111U);
  EXPECT_EQ(bits("wall", 2), 0b11U);
  EXPECT_EQ(bits(std::string("wall")), 0b111U);
  EXPECT_EQ(bits({"wall", "x"}), 0b1U);
  EXPECT_EQ(bits({2, "zy"}), 0b110U);
  EXPECT_EQ(bits({2, "xy"}, 2), 0b11U);
}

TEST(DirichletCondition, IsWrittenAsAList) {
  const std::vector<fem::DirichletCondition> all = {1, "clamp", {"symmetry", "x"}, {4, "yz"}};
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].components(2), 0b11U);
  EXPECT_EQ(all[2].components(2), 0b1U);
  const auto mesh = fem::mesh_of(fem::BoxMesh<2>{{1, 1}});
  EXPECT_EQ(all[3].where().of_boundary(mesh), std::set<int>{4});
  const std::vector<fem::DirichletCondition> one = {{"symmetry", "x"}};
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].components(3), 0b1U);
}

TEST(DirichletCondition, NamesComponentsThatDoNotExist) {
  for (const char* wrong : {"", "w", "xx", "x y", "X"})
    EXPECT_THAT(error_of<InvalidArgument>([&] { bits({1, wrong}); }),
                HasSubstr("'" + std::string(wrong) + "'; give some of 'xyz'"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { bits({1, "z"}, 2); }),
              HasSubstr("give some of 'xy'"));
}

}  // namespace
}  // namespace kolam::testing
