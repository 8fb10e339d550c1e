// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/memory/wrap.hpp>
#include <limits>
#include <set>

#include "box_spaces.hpp"

namespace kolam::testing {
namespace {

using ::testing::HasSubstr;

template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

TEST(BoxSpace, NumbersTheNodesWithoutADirichletCondition) {
  const fem::BoxMesh<2> mesh{{2, 3}};
  const auto space = fem::box_space<double>(DenseExec{}, mesh, lobatto_element(2), fem::Unmapped{},
                                            fem::attribute_bits(2, {1, 4}));
  const fem::BoxNodes<2> box_nodes(mesh, 2);
  EXPECT_EQ(space.elements(), 6);
  EXPECT_EQ(space.nodes.entries, 35);
  EXPECT_EQ(space.dofs.entries, 4 * 6);
  const auto dof = on_host(space.dof_of_node);
  int next = 0;
  for (index_t node = 0; node < 35; ++node) {
    const bool fixed = (box_nodes.attributes(node) & 0b1001U) != 0;
    EXPECT_EQ(dof(node), fixed ? -1 : next++) << node;
  }
  const auto map = on_host(space.dofs.map);
  for (index_t e = 0; e < 6; ++e)
    for (int i = 0; i < 9; ++i)
      EXPECT_EQ(map(space.dofs.layout.node(e, i)), dof(box_nodes.node(e, i)));
}

TEST(BoxSpace, VectorsThatDoNotFitAreRefusedByName) {
  const auto space = fem::box_space<double>(DenseExec{}, fem::BoxMesh<3>{{8, 8, 8}},
                                            lobatto_element(4), fem::Unmapped{}, 0);
  const int components = std::numeric_limits<int>::max();
  try {
    static_cast<void>(space.vector("velocities", components));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const OutOfMemory& error) {
    EXPECT_GE(error.requested(), 8.0 * 33 * 33 * 33 * components);
    EXPECT_THAT(error.what(), HasSubstr("array 'velocities' needs"));
  }
  EXPECT_EQ(space.vector("velocity", 3).size(), 3U * 33 * 33 * 33);
}

TEST(BoxSpace, PutsNodesWhereTheMapSays) {
  const auto space = bent_space<3>(gauss_element(3, 5), 0);
  const fem::BoxNodes<3> box_nodes(uneven_box<3>(), 3);
  const auto coordinates = space.coordinates->read(host);
  const Kokkos::View<const double*, Kokkos::HostSpace> nodes(space.basis.nodes.data(),
                                                             space.basis.nodes.size());
  for (index_t node = 0; node < box_nodes.nodes(); ++node) {
    double x[3];
    box_nodes.position(nodes, node, x);
    Bend{}(x);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(coordinates(node + k * box_nodes.nodes()), x[k], 1e-14);
  }
}

struct Fold {
  template <int Dim>
  KOKKOS_FUNCTION void operator()(double (&x)[Dim]) const {
    x[0] = (x[0] - 0.6) * (x[0] - 0.6);  // falls up to 0.6 and then rises, in element 2 of 4
  }
};

TEST(BoxSpace, RefusesAMapThatFolds) {
  const auto error = [](const auto& map) {
    try {
      static_cast<void>(fem::box_space<double>(DenseExec{}, fem::BoxMesh<2>{{4, 1}},
                                               gauss_element(2, 4), map, 0));
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error(Fold{}), HasSubstr("element 0 is inverted"));
  EXPECT_EQ(error(fem::Unmapped{}), "");
}

TEST(BoxSpace, RefusesABoxWithoutElements) {
  EXPECT_THROW(static_cast<void>(fem::box_space<double>(DenseExec{}, fem::BoxMesh<2>{{0, 1}},
                                                        gauss_element(1, 2), fem::Unmapped{}, 0)),
               InvalidArgument);
}

// Two quadrilaterals with arbitrary node numbers.
struct ScrambledNodes {
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const {
    constexpr int of_element[2][4] = {{5, 1, 0, 3}, {1, 4, 3, 2}};
    return of_element[e][i];
  }
};
struct FixedNode {
  KOKKOS_FUNCTION bool operator()(index_t node) const { return node == 3; }
};

TEST(FunctionSpace, IsForAnyMesh) {
  // Nodes 5 (0,0), 1 (1,0), 0 (0,1), 3 (1,1), 4 (2,0), 2 (3,2).
  const std::vector<double> coordinates{0, 1, 3, 1, 2, 0, 1, 0, 2, 1, 0, 0};
  const auto space =
      fem::function_space<double, 2>(DenseExec{}, gauss_element(1, 3), 2, 6, ScrambledNodes{},
                                     FixedNode{}, share(dense_vector(coordinates)));
  EXPECT_EQ(space.dofs.entries, 5);
  const auto dof = on_host(space.dof_of_node);
  const int expected[6] = {0, 1, 2, -1, 3, 4};
  for (int node = 0; node < 6; ++node) EXPECT_EQ(dof(node), expected[node]);
  // The mass of ones is the area of both elements, on a space without Dirichlet nodes.
  const auto all =
      fem::function_space<double, 2>(DenseExec{}, gauss_element(1, 3), 2, 6, ScrambledNodes{},
                                     fem::detail::FixedOnBox<2>{fem::BoxNodes<2>({{5, 1}}, 1), 0},
                                     share(dense_vector(coordinates)));
  const std::vector<double> one(6, 1.0);
  EXPECT_NEAR(dot(one, applied(mass_on<2>(all), one)), 1 + 2.0, 1e-13);
}

TEST(FunctionSpace, GivesVectorsOfZeros) {
  const auto space = bent_space<2>(lobatto_element(2), 0);
  const auto v = space.vector("v", 2);
  EXPECT_EQ(numbers_of(v), std::vector<double>(static_cast<std::size_t>(2 * 35), 0.0));
}

}  // namespace
}  // namespace kolam::testing
