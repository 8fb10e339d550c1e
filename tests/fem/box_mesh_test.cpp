// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <set>

namespace kolam {
namespace {

using ::testing::HasSubstr;

template <int Dim>
std::string error_of(const fem::BoxMesh<Dim>& mesh) {
  try {
    validate(mesh);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "";
}

TEST(BoxMesh, NamesWhatIsWrong) {
  EXPECT_EQ(error_of<2>({{1, 1}}), "");
  EXPECT_THAT(error_of<3>({{1, 0, 1}}), HasSubstr("a box of 0 elements in y"));
  EXPECT_THAT((error_of<2>({{1, 1}, {0, 2}, {1, 2}})), HasSubstr("from 2 to 2 in y"));
  EXPECT_EQ((fem::BoxMesh<3>{{2, 3, 4}}.element_count()), 24);
}

TEST(BoxNodes, GivesNeighboursTheSameNodes) {
  const fem::BoxNodes<3> box_nodes({{2, 3, 1}}, 2);
  EXPECT_EQ(box_nodes.across(0), 5);
  EXPECT_EQ(box_nodes.across(1), 7);
  EXPECT_EQ(box_nodes.across(2), 3);
  EXPECT_EQ(box_nodes.nodes(), 105);
  std::set<index_t> all;
  for (index_t e = 0; e < 6; ++e)
    for (int i = 0; i < 27; ++i) all.insert(box_nodes.node(e, i));
  EXPECT_EQ(all.size(), 105U);
  EXPECT_EQ(*all.rbegin(), 104);
  EXPECT_EQ(box_nodes.node(0, 2), box_nodes.node(1, 0));  // along x
  EXPECT_EQ(box_nodes.node(0, 6), box_nodes.node(2, 0));  // along y
  EXPECT_EQ(box_nodes.node(5, 26), 104);
}

TEST(BoxNodes, KnowsSidesAndPositions) {
  const fem::BoxNodes<2> box_nodes({{2, 1}, {-1, 0}, {3, 5}}, 2);  // 5 x 3 nodes
  EXPECT_EQ(box_nodes.attributes(0), 0b0101U);
  EXPECT_EQ(box_nodes.attributes(2), 0b0100U);
  EXPECT_EQ(box_nodes.attributes(4), 0b0110U);
  EXPECT_EQ(box_nodes.attributes(7), 0U);
  EXPECT_EQ(box_nodes.attributes(14), 0b1010U);
  const std::vector<double> on_reference{0, 0.25, 1};
  const auto position = [&](index_t node) {
    double x[2];
    box_nodes.position([&](index_t i) { return on_reference[static_cast<std::size_t>(i)]; }, node,
                       x);
    return std::pair(x[0], x[1]);
  };
  EXPECT_EQ(position(0), std::pair(-1.0, 0.0));
  EXPECT_EQ(position(1), std::pair(-0.5, 0.0));
  EXPECT_EQ(position(2), std::pair(1.0, 0.0));
  EXPECT_EQ(position(3), std::pair(1.5, 0.0));
  EXPECT_EQ(position(4), std::pair(3.0, 0.0));
  EXPECT_EQ(position(14), std::pair(3.0, 5.0));
}

// A box of 5 x 3 elements in 2 x 3 parts: nodes that two parts share have the same positions.
TEST(BoxMesh, HasPartsThatMeetInTheSameNodes) {
  const int order = 2;
  const std::vector<double> on_reference{0, 0.3, 1};
  const auto part_of = [](int part) {
    fem::BoxMesh<2> mesh{{5, 3}, {-1, 0.1}, {0.3, 1}};
    mesh.parts = {2, 3};
    mesh.part = part;
    return mesh;
  };
  const auto position = [&](int part, index_t node) {
    double x[2];
    fem::BoxNodes<2>(part_of(part), order)
        .position([&](index_t i) { return on_reference[static_cast<std::size_t>(i)]; }, node, x);
    return std::pair(x[0], x[1]);
  };
  index_t elements = 0;
  for (int part = 0; part < 6; ++part) {
    elements += part_of(part).element_count();
    std::set<int> others;
    for (const comm::NodesSharedWith& shared : fem::shared_nodes(part_of(part), order)) {
      others.insert(shared.rank);
      const auto theirs = fem::shared_nodes(part_of(shared.rank), order);
      const auto back =
          std::find_if(theirs.begin(), theirs.end(),
                       [&](const comm::NodesSharedWith& s) { return s.rank == part; });
      ASSERT_NE(back, theirs.end());
      ASSERT_EQ(back->nodes.size(), shared.nodes.size());
      for (std::size_t n = 0; n < shared.nodes.size(); ++n)
        EXPECT_EQ(position(part, shared.nodes[n]), position(shared.rank, back->nodes[n]));
    }
    EXPECT_EQ(others.size(), part / 2 == 1 ? 5U : 3U);
  }
  EXPECT_EQ(elements, 15);
  const fem::BoxNodes<2> box_nodes(part_of(4), order);  // the upper left part: 3 x 1 elements
  EXPECT_EQ(box_nodes.attributes(0), 0b0001U);
  EXPECT_EQ(box_nodes.attributes(6), 0U);
  EXPECT_EQ(box_nodes.attributes(14), 0b1001U);
  EXPECT_EQ(box_nodes.attributes(20), 0b1000U);
  EXPECT_TRUE(fem::shared_nodes(fem::BoxMesh<3>{{2, 2, 2}}, 3).empty());
  EXPECT_THAT(error_of(part_of(6)), HasSubstr("part 6 of a box; there are 6 parts"));
  fem::BoxMesh<2> thin{{1, 4}};
  thin.parts = {2, 1};
  EXPECT_THROW(validate(thin), InvalidArgument);
}

TEST(AttributeBits, AreThoseOfTheSides) {
  EXPECT_EQ(fem::attribute_bits(3, {}), 0U);
  EXPECT_EQ(fem::attribute_bits(3, {1, 6}), 0b100001U);
  EXPECT_EQ(fem::attribute_bits(2, {1, 2, 3, 4}), fem::all_sides(2));
  EXPECT_THROW(static_cast<void>(fem::attribute_bits(2, {5})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(fem::attribute_bits(3, {0})), InvalidArgument);
}

}  // namespace
}  // namespace kolam
