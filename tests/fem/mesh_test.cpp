// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <set>

namespace kolam::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <int Dim>
fem::Mesh<Dim> box(std::array<index_t, Dim> elements) {
  return fem::mesh_of(fem::BoxMesh<Dim>{elements});
}

template <int Dim, class Change>
std::string refusal(std::array<index_t, Dim> elements, const Change& change) {
  fem::Mesh<Dim> mesh = box<Dim>(elements);
  fem::validate(mesh);
  change(mesh);
  return error_of<InvalidArgument>([&] { fem::validate(mesh); });
}

TEST(Mesh, RefusesListsThatDoNotFitTogether) {
  const auto error = [](const auto& change) { return refusal<2>({2, 1}, change); };
  EXPECT_THAT(error([](auto& m) { m = {}; }), HasSubstr("no elements"));
  EXPECT_THAT(error([](auto& m) { m.order = 0; }), HasSubstr("geometry of order 0"));
  EXPECT_THAT(error([](auto& m) { m.order = 1 << 30; }), HasSubstr("it must be 1 to 63"));
  EXPECT_THAT(error([](auto& m) { m.attributes.pop_back(); }),
              HasSubstr("1 attributes for 2 elements"));
  EXPECT_THAT(error([](auto& m) { m.nodes.pop_back(); }),
              HasSubstr("15 coordinates of nodes; 2 elements of order 1 in 2 dimensions have 16"));
  EXPECT_THAT(error([](auto& m) { m.attributes[1] = 0; }),
              HasSubstr("element 1 has the attribute 0"));
  EXPECT_THAT(error([](auto& m) { m.sides[0].attribute = -3; }), HasSubstr("attribute -3"));
  EXPECT_THAT(error([](auto& m) { m.sides[0].at = {2, 0}; }),
              HasSubstr("side 0 of element 2; there are sides 0 to 3 of elements 0 to 1"));
  EXPECT_THAT(error([](auto& m) { m.sides[0].at.side = 4; }), HasSubstr("side 4 of element 0"));
}

TEST(Mesh, RefusesVerticesThatAreNone) {
  const auto error = [](const auto& change) { return refusal<2>({2, 1}, change); };
  EXPECT_THAT(error([](auto& m) { m.corners[1][2] = -1; }),
              HasSubstr("element 1 has the vertex -1"));
  EXPECT_THAT(error([](auto& m) { m.corners[1][1] = 7; }), HasSubstr("no element has vertex 4"));
  EXPECT_THAT(error([](auto& m) { m.corners[1][1] = index_t{1} << 62; }),
              HasSubstr("element 1 has the vertex 4611686018427387904; they count from 0 without "
                        "gaps, and 2 elements have 8 at most"));
  EXPECT_THAT(error([](auto& m) { m.corners[0][3] = m.corners[0][0]; }),
              HasSubstr("element 0 has vertex 0 twice; its 4 corners must differ"));
}

TEST(Mesh, RefusesInvertedElementsAndSaysWhy) {
  const auto around = [](auto& mesh) {
    for (std::size_t layer = 0; layer < mesh.corners[0].size(); layer += 4) {
      const std::size_t dim = mesh.corners[0].size() == 4 ? 2 : 3;
      std::swap(mesh.corners[0][layer + 2], mesh.corners[0][layer + 3]);
      for (std::size_t k = 0; k < dim; ++k)
        std::swap(mesh.nodes[dim * (layer + 2) + k], mesh.nodes[dim * (layer + 3) + k]);
    }
  };
  EXPECT_THAT(refusal<2>({2, 1}, around),
              HasSubstr("element 0 (vertices 0, 1, 3, 2) is inverted at its corner 2; its corners "
                        "seem to be counted around"));
  EXPECT_THAT(refusal<3>({1, 2, 1}, around), HasSubstr("(theirs 0, 1, 3, 2, 4, 5, 7, 6)"));
  EXPECT_THAT(refusal<3>({1, 1, 2}, [](auto& m) { turn_element(m, 1, Turn<3>{{1, 0, 2}, 0}); }),
              HasSubstr("is inverted at its corner 0; it is a mirror image"));
  EXPECT_THAT(refusal<2>({1, 1}, [](auto& m) { m.nodes[0] = 2; }), HasSubstr("is inverted"));
}

// Two sides of a curved element meet at 180 degrees: the determinant there is rounding error.
TEST(Mesh, MayHaveAnglesOf180Degrees) {
  fem::Mesh<2> mesh = fem::with_order(box<2>({1, 1}), 2);
  const auto move = [&](std::size_t node, double x, double y) {
    mesh.nodes[2 * node] = x;
    mesh.nodes[2 * node + 1] = y;
  };
  move(3, -0.25, 0.5);
  for (const double y : {-0.25, std::nextafter(-0.25, -1.0), std::nextafter(-0.25, 0.0)}) {
    move(1, 0.5, y);
    EXPECT_NO_THROW(fem::validate(mesh)) << y;
  }
}

TEST(Mesh, RefusesASideOfThreeElements) {
  EXPECT_THAT(refusal<2>({2, 1},
                         [](auto& m) {
                           m.corners.push_back({m.corners[0][1], 6, m.corners[0][3], 7});
                           m.attributes.push_back(1);
                           m.nodes.insert(m.nodes.end(), {0, 0, 1, 0, 0, 1, 1, 1});
                         }),
              HasSubstr("side 0 of element 2 is one of three elements or more"));
}

TEST(Mesh, HasABoundary) {
  EXPECT_THAT(fem::boundary_of(box<2>({2, 1})),
              ElementsAre(fem::ElementSide{0, 0}, fem::ElementSide{0, 2}, fem::ElementSide{0, 3},
                          fem::ElementSide{1, 1}, fem::ElementSide{1, 2}, fem::ElementSide{1, 3}));
  EXPECT_EQ(fem::boundary_of(box<3>({3, 4, 5})).size(), 2U * (12 + 15 + 20));
}

// Nodes have the same number exactly if they have the same position.
template <int Dim>
void expect_nodes_by_place(const fem::Mesh<Dim>& mesh, int order) {
  SCOPED_TRACE(order);
  const fem::detail::MeshNodes nodes = fem::detail::mesh_nodes(mesh, order);
  const fem::Mesh<Dim> curved = fem::with_order(mesh, order);
  std::vector<std::array<double, Dim>> places(static_cast<std::size_t>(nodes.count));
  std::vector<bool> seen(places.size(), false);
  for (std::size_t i = 0; i < nodes.of_element.size(); ++i) {
    const auto node = static_cast<std::size_t>(nodes.of_element[i]);
    ASSERT_LT(node, places.size());
    for (std::size_t k = 0; k < Dim; ++k) {
      if (!seen[node]) places[node][k] = curved.nodes[Dim * i + k];
      ASSERT_NEAR(places[node][k], curved.nodes[Dim * i + k], 1e-12) << i << " node " << node;
    }
    seen[node] = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
  std::set<std::array<long, Dim>> distinct;
  for (const auto& place : places) {
    std::array<long, Dim> rounded;
    for (std::size_t k = 0; k < Dim; ++k) rounded[k] = std::lround(place[k] * 1e8);
    distinct.insert(rounded);
  }
  EXPECT_EQ(distinct.size(), places.size());
}

TEST(MeshNodes, AreSharedHoweverAQuadrilateralIsTurned) {
  for (const Turn<2>& turn : all_turns<2>()) {
    fem::Mesh<2> mesh = fem::moved(box<2>({3, 2}), Twist{});
    turn_element(mesh, 1, turn);
    for (const int order : {1, 2, 3, 4}) expect_nodes_by_place(mesh, order);
  }
}

TEST(MeshNodes, AreSharedHoweverAHexahedronIsTurned) {
  for (const Turn<3>& turn : all_turns<3>()) {
    fem::Mesh<3> mesh = fem::moved(box<3>({2, 2, 3}), Twist{});
    turn_element(mesh, 5, turn);
    for (const int order : {1, 3, 4}) expect_nodes_by_place(mesh, order);
  }
}

TEST(MeshNodes, AreSharedInAMeshInNoOrder) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    expect_nodes_by_place(shuffled(fem::moved(box<3>({3, 3, 3}), Twist{}), seed), 4);
    expect_nodes_by_place(shuffled(fem::disc(3, 3), seed), 5);
    expect_nodes_by_place(shuffled(fem::spherical_shell(2, 2, 2, 1, 2), seed), 3);
  }
}

TEST(MeshNodes, AreAsManyAsOthersCount) {
  const auto mesh = fem::reentrant_corner<3>(1);
  EXPECT_EQ(fem::detail::mesh_nodes(mesh, 2).count, 117);
  EXPECT_EQ(fem::detail::mesh_nodes(mesh, 3).count, 316);
  EXPECT_EQ(fem::detail::mesh_nodes(mesh, 4).count, 665);
}

TEST(MeshNodes, AreNumberedByTheFirstElementThatHasThem) {
  const auto nodes = fem::detail::mesh_nodes(box<2>({2, 2}), 3);
  int next = 0;
  for (const int node : nodes.of_element) {
    ASSERT_LE(node, next + 15);  // at most, the element's other nodes are new too
    next = std::max(next, node + 1);
  }
  std::vector<int> first(nodes.of_element.begin(), nodes.of_element.begin() + 16);
  std::sort(first.begin(), first.end());
  for (int i = 0; i < 16; ++i) EXPECT_EQ(first[static_cast<std::size_t>(i)], i);
}

// Quadrilaterals around one vertex.
TEST(MeshNodes, AreFoundWhereManyElementsMeet) {
  for (const index_t n : {3, 40, 3000}) {
    fem::Mesh<2> fan;
    for (index_t e = 0; e < n; ++e) fan.corners.push_back({0, 1 + e, 1 + (e + 1) % n, 1 + n + e});
    const auto nodes = fem::detail::mesh_nodes(fan, 2);
    EXPECT_EQ(nodes.count, (1 + 2 * n) + 3 * n + n) << "vertices, edges, elements";
    for (index_t e = 0; e < n; ++e) {
      const auto node = [&](index_t element, index_t i) {
        return nodes.of_element[static_cast<std::size_t>(9 * element + i)];
      };
      EXPECT_EQ(node(e, 3), node((e + 1) % n, 1)) << "on the edge after element " << e;
    }
  }
}

TEST(MeshNodes, RefuseAnOrderThatIsNone) {
  EXPECT_THAT(error_of<InvalidArgument>([] { fem::detail::mesh_nodes(box<2>({1, 1}), 0); }),
              HasSubstr("polynomials of order 0"));
}

TEST(WithOrder, LeavesElementsAsTheyAre) {
  const auto mesh = fem::disc(2, 3);
  const auto higher = fem::with_order(mesh, 6);
  EXPECT_EQ(higher.order, 6);
  const auto back = fem::with_order(higher, 3);
  EXPECT_TRUE(all_near(back.nodes, [&](std::size_t i) { return mesh.nodes[i]; }, 1e-14));
  EXPECT_THAT(error_of<InvalidArgument>([&] { fem::with_order(mesh, 0); }), HasSubstr("order 0"));
  auto short_of_one = mesh;
  short_of_one.nodes.pop_back();
  EXPECT_THAT(error_of<InvalidArgument>([&] { fem::with_order(short_of_one, 4); }),
              HasSubstr("20 elements of order 3 with 639 coordinates of nodes; see validate"));
}

TEST(Refined, HasTheChildrenWhereTheParentWas) {
  const auto mesh = fem::moved(fem::with_order(box<2>({2, 1}), 2), Twist{});
  const auto fine = fem::refined(mesh);
  fem::validate(fine);
  EXPECT_EQ(fine.element_count(), 8);
  EXPECT_EQ(fine.vertex_count(), 15);
  // Corner c of child c is corner c of the parent; the opposite corner is the parent's middle node.
  const auto corner = [](const fem::Mesh<2>& m, std::size_t e, std::size_t c) {
    const double* x = m.nodes.data() + 18 * e + 2 * (2 * (c % 2) + 6 * (c / 2));
    return std::array{x[0], x[1]};
  };
  for (std::size_t e = 0; e < 2; ++e) {
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(corner(fine, 4 * e + c, c)[k], corner(mesh, e, c)[k], 1e-15);
        EXPECT_NEAR(corner(fine, 4 * e + c, 3 - c)[k], mesh.nodes[18 * e + 8 + k], 1e-15);
      }
    }
  }
}

template <int Dim>
void expect_refined(fem::Mesh<Dim> mesh) {
  mesh.element_names["all"] = {1};
  mesh.boundary_names["edge"] = {1};
  mesh.attributes.front() = 7;
  const auto fine = fem::refined(mesh);
  fem::validate(fine);
  expect_nodes_by_place(fine, mesh.order);
  EXPECT_EQ(fine.element_names, mesh.element_names);
  EXPECT_EQ(fine.boundary_names, mesh.boundary_names);
  for (std::size_t c = 0; c < 1 << Dim; ++c) EXPECT_EQ(fine.attributes[c], 7);
  // Exactly the boundary sides have attributes, and these are the parents'.
  std::map<std::pair<index_t, int>, int> attributes;
  for (const fem::BoundarySide& side : mesh.sides)
    attributes[{side.at.element, side.at.side}] = side.attribute;
  std::set<std::pair<index_t, int>> with;
  for (const fem::BoundarySide& side : fine.sides) {
    EXPECT_EQ(side.attribute, (attributes[{side.at.element >> Dim, side.at.side}]));
    with.insert({side.at.element, side.at.side});
  }
  const auto boundary = fem::boundary_of(fine);
  EXPECT_EQ(fine.sides.size(), with.size());
  EXPECT_EQ(with.size(), boundary.size());
  for (const fem::ElementSide& side : boundary)
    EXPECT_EQ(with.count({side.element, side.side}), 1U);
}

TEST(Refined, KnowsWhereItComesFrom) {
  const fem::Mesh<2> coarse = fem::with_order(box<2>({2, 1}), 2);
  const fem::Mesh<2> fine = fem::refined(coarse);
  ASSERT_NE(fine.coarser, nullptr);
  EXPECT_EQ(fine.coarser->nodes, coarse.nodes);
  EXPECT_EQ(fem::with_order(fine, 3).coarser, fine.coarser);
  // Moving the mesh moves the coarser one too.
  const fem::Mesh<2> moved = fem::moved(fine, Twist{});
  EXPECT_EQ(moved.coarser->nodes, fem::moved(coarse, Twist{}).nodes);
  EXPECT_EQ(fine.coarser->nodes, coarse.nodes);
  EXPECT_EQ(fem::in_hilbert_order(fine).coarser, nullptr);
  auto wrong = coarse;
  wrong.coarser = fine.coarser;
  EXPECT_THAT(error_of<InvalidArgument>([&] { fem::validate(wrong); }),
              HasSubstr("2 elements, refined from 2; there must be 4 for each"));
}

TEST(Refined, KeepsAttributesBoundariesAndCurves) {
  expect_refined(shuffled(fem::disc(2, 3), 1));
  expect_refined(shuffled(fem::spherical_shell(1, 2, 2, 1, 2), 2));
  expect_refined(shuffled(fem::reentrant_corner<3>(1), 3));
}

// On a structured grid of 2^k elements a Hilbert curve always steps to a neighbouring element.
template <int Dim>
void expect_steps_to_neighbours(std::array<index_t, Dim> elements) {
  const auto mesh = fem::in_hilbert_order(shuffled(box<Dim>(elements), 4));
  fem::validate(mesh);
  const auto count = static_cast<std::size_t>(mesh.element_count());
  for (std::size_t e = 1; e < count; ++e) {
    std::set<index_t> before(mesh.corners[e - 1].begin(), mesh.corners[e - 1].end());
    int shared = 0;
    for (const index_t vertex : mesh.corners[e]) shared += before.count(vertex) > 0 ? 1 : 0;
    ASSERT_EQ(shared, 1 << (Dim - 1)) << e;
  }
}

TEST(InHilbertOrder, GoesFromNeighbourToNeighbour) {
  expect_steps_to_neighbours<2>({16, 16});
  expect_steps_to_neighbours<3>({8, 8, 8});
}

TEST(InHilbertOrder, IsTheSameMesh) {
  auto mesh = shuffled(fem::spherical_shell(2, 1, 2, 1, 2), 3);
  mesh.boundary_names["outside"] = {2};
  for (std::size_t e = 0; e < mesh.attributes.size(); ++e)
    mesh.attributes[e] = static_cast<int>(e) + 1;
  std::vector<index_t> old;
  const auto sorted = fem::in_hilbert_order(mesh, &old);
  fem::validate(sorted);
  expect_nodes_by_place(sorted, 3);
  EXPECT_EQ(sorted.boundary_names, mesh.boundary_names);
  ASSERT_EQ(old.size(), mesh.corners.size());
  for (std::size_t e = 0; e < old.size(); ++e) {
    EXPECT_EQ(sorted.corners[e], mesh.corners[static_cast<std::size_t>(old[e])]);
    EXPECT_EQ(sorted.attributes[e], old[e] + 1);
  }
  ASSERT_EQ(sorted.sides.size(), mesh.sides.size());
  for (std::size_t i = 0; i < mesh.sides.size(); ++i) {
    EXPECT_EQ(old[static_cast<std::size_t>(sorted.sides[i].at.element)], mesh.sides[i].at.element);
    EXPECT_EQ(sorted.sides[i].at.side, mesh.sides[i].at.side);
    EXPECT_EQ(sorted.sides[i].attribute, mesh.sides[i].attribute);
  }
}

TEST(InHilbertOrder, RefusesListsThatDoNotFitTogether) {
  auto mesh = box<2>({2, 1});
  mesh.sides[0].at.element = 9;
  EXPECT_THAT(error_of<InvalidArgument>([&] { fem::in_hilbert_order(mesh); }),
              HasSubstr("a boundary of element 9"));
  mesh.attributes.pop_back();
  EXPECT_THAT(error_of<InvalidArgument>([&] { fem::in_hilbert_order(mesh); }),
              HasSubstr("do not fit together"));
}

}  // namespace
}  // namespace kolam::testing
