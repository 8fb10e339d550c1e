// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <kolam/core/error.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/nodal_function.hpp>
#include <kolam/fem/operator.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/fem/space.hpp>
#include <kolam/io/file.hpp>
#include <kolam/io/mesh_file.hpp>
#include <kolam/linear/preconditioners.hpp>
#include <kolam/testing/backends.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>
#include <map>
#include <set>

#include "mesh_texts.hpp"

namespace kolam {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::content;
using ::testing::HasSubstr;
using testing::reading_error;
using testing::recorded;
using testing::replaced;
using testing::TemporaryFolder;

// The same elements with the same nodes and attributes, in the same order, and the same sides.
template <int Dim>
void expect_same(const fem::Mesh<Dim>& mesh, const fem::Mesh<Dim>& expected) {
  EXPECT_EQ(mesh.order, expected.order);
  EXPECT_EQ(mesh.attributes, expected.attributes);
  EXPECT_EQ(mesh.element_names, expected.element_names);
  EXPECT_EQ(mesh.boundary_names, expected.boundary_names);
  ASSERT_EQ(mesh.nodes.size(), expected.nodes.size());
  double apart = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    apart = std::max(apart, std::abs(mesh.nodes[i] - expected.nodes[i]));
  EXPECT_LT(apart, 1e-12);
  // (Vertices may have other numbers.)
  ASSERT_EQ(mesh.corners.size(), expected.corners.size());
  std::map<index_t, index_t> number;
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (std::size_t c = 0; c < mesh.corners[e].size(); ++c)
      EXPECT_EQ(number.emplace(mesh.corners[e][c], expected.corners[e][c]).first->second,
                expected.corners[e][c]);
  EXPECT_EQ(mesh.vertex_count(), expected.vertex_count());
  const auto sorted = [](const fem::Mesh<Dim>& of) {
    std::vector<std::array<index_t, 3>> sides;
    for (const fem::BoundarySide& side : of.sides)
      sides.push_back({side.at.element, side.at.side, side.attribute});
    std::sort(sides.begin(), sides.end());
    return sides;
  };
  EXPECT_EQ(sorted(mesh), sorted(expected));
}

struct Bend {
  void operator()(double* x) const { x[1] += 0.1 * x[0] * x[0]; }
};

// Elements turned in every way, curved, with several attributes and names.
template <int Dim>
fem::Mesh<Dim> sample(int order) {
  fem::BoxMesh<Dim> box;
  box.elements.fill(2);
  box.elements[0] = 3;
  fem::Mesh<Dim> mesh = fem::with_order(testing::shuffled(fem::mesh_of(box), 11u), order);
  mesh = fem::moved(std::move(mesh), Bend{});
  for (std::size_t e = 0; e < mesh.attributes.size(); ++e)
    mesh.attributes[e] = 1 + static_cast<int>(e % 3);
  mesh.element_names = {{"a material", {2}}, {"others", {1, 3}}};
  mesh.boundary_names = {{"left", {1}}, {"right hand", {2}}};
  return mesh;
}

template <int Dim>
void expect_round_trips(int order) {
  SCOPED_TRACE(std::to_string(Dim) + "D, order " + std::to_string(order));
  const TemporaryFolder folder;
  const auto mesh = sample<Dim>(order);
  std::vector<index_t> order_of;
  const auto expected = fem::in_hilbert_order(mesh, &order_of);
  write_gmsh(folder / "mesh.msh", mesh);
  write_mfem(folder / "mesh.mesh", mesh);
  for (const char* const name : {"mesh.msh", "mesh.mesh"}) {
    SCOPED_TRACE(name);
    std::vector<index_t> read_order;
    expect_same(read_mesh<Dim>(folder / name, &read_order), expected);
    EXPECT_EQ(read_order, order_of);
  }
}

TEST(MeshFile, GoesRoundInBothFormats) {
  for (const int order : {1, 2, 3, 4, 7}) {
    expect_round_trips<2>(order);
    expect_round_trips<3>(order);
  }
  expect_round_trips<2>(10);
  expect_round_trips<3>(9);
}

TEST(MeshFile, GoesRoundWithoutNames) {
  const TemporaryFolder folder;
  const auto mesh = fem::disc(3, 2);
  write_gmsh(folder / "disc", mesh);
  expect_same(read_mesh<2>(folder / "disc"), fem::in_hilbert_order(mesh));
  write_mfem(folder / "disc", mesh);
  EXPECT_THAT(content(folder / "disc"), HasSubstr("MFEM mesh v1.0"));
  expect_same(read_mesh<2>(folder / "disc"), fem::in_hilbert_order(mesh));
}

// Returns the number of unknowns and (f, u) of -Laplace u = 1 with u = 0 on all boundaries.
template <int Dim>
std::pair<index_t, double> compliance(const fem::Mesh<Dim>& mesh, int order) {
  const Kokkos::DefaultHostExecutionSpace exec;
  std::vector<fem::DirichletCondition> boundaries;
  for (const fem::BoundarySide& side : mesh.sides) boundaries.emplace_back(side.attribute);
  const auto space = fem::space<double>(exec, mesh, order, {.dirichlet = boundaries});
  const fem::Operator a(space, fem::Diffusion{});
  auto b = space.vector("b");
  fem::add_source(space, Constant{1.0}, b);
  auto x = space.vector("x");
  EXPECT_EQ(conjugate_gradient(a, linear::Jacobi(a), b, x, {.rtol = 1e-13}).status,
            linear::SolveStatus::converged);
  const auto f = b.read(host);
  const auto u = x.read(host);
  double sum = 0;
  for (std::size_t i = 0; i < f.extent(0); ++i) sum += f(i) * u(i);
  return {space.dofs.entries, sum};
}

// Files written by Gmsh, MFEM and VTK, and MFEM's figures: see meshes/make.py and make_vtk.py.
TEST(MeshFile, OfOtherProgramsGivesTheirFigures) {
  std::ifstream figures(recorded / "figures.txt");
  std::string name, sides;
  index_t elements{}, unknowns{}, unknowns_of_1{};
  int order{};
  double expected{}, expected_of_1{};
  int files = 0;
  while (figures >> name >> elements >> order >> sides >> unknowns >> expected >> unknowns_of_1 >>
         expected_of_1) {
    SCOPED_TRACE(name);
    ++files;
    std::visit(
        [&](const auto& mesh) {
          EXPECT_EQ(mesh.element_count(), elements);
          EXPECT_EQ(mesh.order, order);
          std::map<int, int> counts;
          for (const fem::BoundarySide& side : mesh.sides) ++counts[side.attribute];
          std::string found;
          for (const auto& [attribute, count] : counts)
            found += (found.empty() ? "" : ",") + std::to_string(attribute) + ":" +
                     std::to_string(count);
          EXPECT_EQ(found, sides);
          if (testing::optimised) {
            const auto [dofs, energy] = compliance(mesh, std::max(mesh.order, 2));
            EXPECT_EQ(dofs, unknowns);
            EXPECT_NEAR(energy, expected, 1e-11 * expected);
          }
          const auto [dofs_of_1, energy_of_1] = compliance(mesh, 1);
          EXPECT_EQ(dofs_of_1, unknowns_of_1);
          EXPECT_NEAR(energy_of_1, expected_of_1, 1e-11 * expected_of_1);
        },
        read_mesh(recorded / name));
  }
  EXPECT_EQ(files, 22);
}

TEST(MeshFile, KnowsThePhysicalGroupsOfGmsh) {
  for (const char* const name :
       {"ellipse-3d-order2-4.1-binary.msh", "ellipse-3d-serendipity.msh"}) {
    const auto mesh = read_mesh<3>(recorded / name);
    EXPECT_EQ(mesh.element_names, (fem::AttributeNames{{"inner part", {5}}, {"outer", {9}}}));
    EXPECT_EQ(mesh.boundary_names, (fem::AttributeNames{{"first", {2}}, {"others", {3}}}));
    EXPECT_EQ(std::count(mesh.attributes.begin(), mesh.attributes.end(), 9) +
                  std::count(mesh.attributes.begin(), mesh.attributes.end(), 5),
              mesh.element_count());
  }
}

// A unit square of two elements, the second one mirrored; its upper side has attribute 4.
const std::string square = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
1 4 "top of it"
$EndPhysicalNames
$Comments
anything at all $ 7
$EndComments
$Nodes
7
1 0 0 0
2 .5 0 0
3 +1 0 0
40 0 1 0
50 0.5 1e0 0
60 1 1 0
99 7 7 7
$EndNodes
$Elements
5
1 15 2 9 9 1
2 1 2 4 1 40 50
3 1 2 4 1 50 60
4 3 2 1 1 1 2 50 40
5 3 2 2 1 2 50 60 3
$EndElements
)";

TEST(MeshFile, TurnsMirrorImages) {
  const TemporaryFolder folder;
  write_file(folder / "mesh", square);
  const auto mesh = read_mesh<2>(folder / "mesh");
  EXPECT_EQ(mesh.vertex_count(), 6);  // the unused node is left out
  EXPECT_EQ(mesh.boundary_names.at("top of it"), std::set<int>{4});
  ASSERT_EQ(mesh.sides.size(), 2u);
  const std::vector<double> second{0.5, 0, 1, 0, 0.5, 1, 1, 1};
  const std::vector<double> first{0, 0, 0.5, 0, 0, 1, 0.5, 1};
  for (std::size_t e = 0; e < 2; ++e) {
    const auto nodes = mesh.nodes.begin() + static_cast<std::ptrdiff_t>(8 * e);
    std::vector<double> sorted(nodes, nodes + 8);
    const auto& original = mesh.attributes[e] == 1 ? first : second;
    EXPECT_TRUE(std::is_permutation(sorted.begin(), sorted.end(), original.begin()));
  }
}

TEST(MeshFile, TakesLinesWithReturns) {
  const TemporaryFolder folder;
  for (const char* const name : {"ellipse-2d-order3-4.1-text.msh", "turned-2d-h1-order3.mesh"}) {
    std::string text = content(recorded / name);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
      text.replace(at, 1, "\r\n");
    write_file(folder / "mesh", text);
    expect_same(read_mesh<2>(folder / "mesh"), read_mesh<2>(recorded / name));
  }
}

TEST(MeshFile, SaysWhatIsWrongInAFileOfGmsh) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(square, from, to));
  };
  EXPECT_EQ(reading_error(folder, square), "");
  EXPECT_THAT(with("2.2 0", "4 0"), AllOf(HasSubstr("mesh', line 2: format 4 of Gmsh"),
                                          HasSubstr("2.2 and 4.1 can be read")));
  EXPECT_THAT(with("+1 0 0", "1 zero 0"), HasSubstr("line 15: 'zero' is no finite number"));
  EXPECT_THAT(with("+1 0 0", "1 nan 0"), HasSubstr("'nan' is no finite number"));
  EXPECT_THAT(with("7\n1 0", "4611686018427387904\n1 0"),
              HasSubstr("line 12: 4611686018427387904 nodes are said to follow, and the file has"));
  EXPECT_THAT(with("7\n1 0", "-7\n1 0"), HasSubstr("'-7' is no whole number for nodes"));
  EXPECT_THAT(with("7\n1 0", "6\n1 0"),
              HasSubstr("line 19: '99' stands where $EndNodes must: more nodes than the 6 of line "
                        "12; correct that count"));
  EXPECT_THAT(with("7\n1 0", "8\n1 0"),
              HasSubstr("line 20: the section ends after 7 of the 8 nodes of line 12"));
  EXPECT_THAT(with("5\n1 15", "4\n1 15"), HasSubstr("more elements than the 4 of line 22"));
  EXPECT_THAT(with("5\n1 15", "6\n1 15"), HasSubstr("5 of the 6 elements of line 22"));
  EXPECT_THAT(with("\n99 7 7 7", "\n60 7 7 7"), HasSubstr("two nodes have the same number, 60;"));
  EXPECT_THAT(with("1 1 2 50 40", "1 1 2 50 41"),
              HasSubstr("line 26: an element has node 41, which there is not; give it a node"));
  EXPECT_THAT(with("4 3 2 1 1 1 2 50 40", "4 2 2 1 1 1 2 50"),
              AllOf(HasSubstr("it has 1 triangles"), HasSubstr("Mesh.RecombineAll")));
  EXPECT_THAT(with("4 3 2 1 1", "4 77 2 1 1"), HasSubstr("line 26: elements of type 77, unknown"));
  EXPECT_THAT(with("4 3 2 1 1", "4 3 2 0 1"),
              HasSubstr("1 of 2 elements are in no physical group"));
  EXPECT_THAT(with("60 1 1 0", "60 1 1 1"), HasSubstr("a surface in space (z is 0 to 1)"));
  EXPECT_THAT(
      with("1 40 50", "1 40 3"),
      HasSubstr(
          "line 24: a side with attribute 4 has the vertices 40, 3 (as the file counts them)"));
  EXPECT_THAT(with("1 2 50 40", "1 50 2 40"),
              AllOf(HasSubstr("line 26: mesh: element 0 (vertices"),
                    HasSubstr("has the corners 1, 50, 2, 40 there")));
  EXPECT_THAT(with("1 2 50 40", "1 2 40 50"),
              AllOf(HasSubstr("line 26: element 0 (from 0 in the order of the file) lists its "
                              "corners as 1, 2, 40, 50, which is row by row"),
                    HasSubstr("list them going around: 1, 2, 50, 40"),
                    ::testing::Not(HasSubstr("x fastest"))));
  EXPECT_THAT(with("$Comments", "$Periodic"), HasSubstr("no whole number for periodic entities"));
  EXPECT_THAT(with("$EndComments", "$EndComment"), HasSubstr("there is no $EndComments"));
  EXPECT_THAT(with("$EndElements", ""), HasSubstr("the file ends here; it is not complete"));
  EXPECT_THAT(reading_error(folder, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"),
              HasSubstr("no $Nodes"));
  EXPECT_THAT(reading_error(folder, ""), HasSubstr("it is no mesh that can be read"));
  EXPECT_THAT(reading_error(folder, "solid"), HasSubstr("files of Gmsh begin with $MeshFormat"));
}

// A line that is too short or too long, where reading fails only in another line or not at all.
TEST(MeshFile, NamesTheLineOfGmshWithAnotherNumberOfNumbers) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(square, from, to));
  };
  EXPECT_THAT(with("3 +1 0 0", "3 +1 0"),
              HasSubstr("line 15: a node takes 4 numbers, and this line has 3; correct the line"));
  EXPECT_THAT(with("99 7 7 7", "99 7 7"), HasSubstr("line 19: a node takes 4 numbers"));
  EXPECT_THAT(with("3 +1 0 0", "3 +1 0 0 0"), HasSubstr("line 15: a node takes 4 numbers"));
  EXPECT_THAT(with("1 1 2 50 40", "1 1 2 50"),
              HasSubstr("line 26: an element takes 9 numbers, and this line has 8"));
  EXPECT_THAT(with("1 1 2 50 40", "1 1 2 50 40 2"), HasSubstr("line 26: an element takes 9"));
  EXPECT_THAT(with("2 50 60 3", "2 50 60"),
              HasSubstr("line 27: an element takes 9 numbers, and this line has 8; correct the "
                        "line, or the count before it (reading on fails in line 28: "
                        "'$EndElements' is no whole number"));
  EXPECT_THAT(with("2 50 60 3", "2 50 60 3 3"), HasSubstr("line 27: an element takes 9"));
  // Programs in Fortran wrap long lines.
  EXPECT_EQ(with("2 50 60 3", "2 50\n60 3"), "");
  EXPECT_EQ(with("40 0 1 0", "40 0\n1\n0"), "");

  const std::string text = content(recorded / "ellipse-2d-order3-4.1-text.msh");
  const auto without_last_number = [&](const char* section, int line) {
    std::size_t at = text.find(section);
    for (int i = 0; i <= line; ++i) at = text.find('\n', at) + 1;
    const std::size_t end = text.find_last_not_of(' ', text.find('\n', at) - 1) + 1;
    const std::size_t number = 1 + std::count(text.begin(), text.begin() + at, '\n');
    std::string damaged = text;
    damaged.erase(text.rfind(' ', end - 1), end - text.rfind(' ', end - 1));
    return std::pair(reading_error(folder, damaged), "line " + std::to_string(number) + ": ");
  };
  const auto [in_elements, of_element] = without_last_number("$Elements", 2);
  EXPECT_THAT(in_elements,
              HasSubstr(of_element + "an element takes 5 numbers, and this line has 4"));
  const auto [in_nodes, of_node] = without_last_number("$Nodes", 3);
  EXPECT_THAT(in_nodes, HasSubstr(of_node + "the position of a node takes 3 numbers"));
}

TEST(MeshFile, JoinsTheEndsOfPeriodicMeshes) {
  const TemporaryFolder folder;
  const auto mesh = read_mesh<2>(recorded / "channel-4.1-binary.msh");
  EXPECT_TRUE(fem::is_periodic(mesh));
  EXPECT_EQ(fem::boundary_of(mesh).size(), 32U);
  EXPECT_EQ(mesh.boundary_names, (fem::AttributeNames{{"walls", {1}}}));
  // Written and read again, at every order.
  for (const int order : {1, 2, 3}) {
    const auto of_order = fem::with_order(mesh, order);
    write_mfem(folder / "channel", of_order);
    const auto again = read_mesh<2>(folder / "channel");
    EXPECT_TRUE(fem::is_periodic(again));
    EXPECT_EQ(again.nodes, of_order.nodes);
    EXPECT_EQ(again.vertex_count(), mesh.vertex_count());
  }
  EXPECT_THAT(
      kolam::testing::error_of<InvalidArgument>([&] { write_gmsh(folder / "channel.msh", mesh); }),
      HasSubstr("write_gmsh: a periodic mesh"));

  const std::string text = content(recorded / "channel-2.2-text.msh");
  const auto error = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(text, from, to));
  };
  EXPECT_THAT(error("$Periodic\n1", "$Periodic\n2"), HasSubstr("no whole number for a dimension"));
  EXPECT_THAT(error("$Periodic\n1", "$Periodic\n99999999"), HasSubstr("periodic entities"));
  // Joins two corners of one element.
  const std::size_t pairs = text.find("\n2 1\n", text.find("$Periodic"));
  ASSERT_NE(pairs, std::string::npos);
  std::string near = text;
  near.replace(pairs, 5, "\n2 20\n");
  EXPECT_THAT(reading_error(folder, near),
              HasSubstr("would be one; it takes three elements from end to end"));
}

TEST(MeshFile, SaysWhatIsWrongWithPhysicalGroups) {
  const TemporaryFolder folder;
  const std::string text = content(recorded / "ellipse-2d-order3-4.1-text.msh");
  write_file(folder / "mesh", replaced(text, "$Entities", "$Entitiez"));
  EXPECT_THAT(reading_error(folder, replaced(text, "$Entities", "$Entitiez")),
              HasSubstr("there is no $EndEntitiez"));
  std::string without = text;
  without.erase(without.find("$Entities"), without.find("$Nodes") - without.find("$Entities"));
  write_file(folder / "mesh", without);  // then all elements have attribute 1, and no side has one
  const auto mesh = read_mesh<2>(folder / "mesh");
  EXPECT_EQ(std::count(mesh.attributes.begin(), mesh.attributes.end(), 1), mesh.element_count());
  EXPECT_TRUE(mesh.sides.empty());
  EXPECT_THAT(reading_error(folder, replaced(text, "$Entities", "$PartitionedEntities")),
              HasSubstr("save it whole"));
}

TEST(MeshFile, SaysWhatIsWrongInAFileOfMfem) {
  const TemporaryFolder folder;
  write_mfem(folder / "mesh", sample<2>(1));
  const std::string text = content(folder / "mesh");
  const auto with = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(text, from, to));
  };
  EXPECT_EQ(reading_error(folder, text), "");
  EXPECT_THAT(with("MFEM mesh v1.3", "MFEM mesh v1.2"), HasSubstr("one part of a mesh"));
  EXPECT_THAT(with("MFEM mesh v1.3", "MFEM mesh v1.1"), HasSubstr("'MFEM mesh v1.1'; 'MFEM mesh"));
  EXPECT_THAT(with("MFEM mesh v1.3", "MFEM NC mesh v1.0"), HasSubstr("hanging nodes"));
  EXPECT_THAT(with("MFEM mesh v1.3", "MFEM NURBS mesh v1.0"), HasSubstr("SetCurvature"));
  EXPECT_THAT(with("dimension\n2", "dimension\n1"), HasSubstr("line 4: a mesh of dimension 1"));
  EXPECT_THAT(with("vertices", "vertex_parents"), HasSubstr("hanging nodes"));
  EXPECT_THAT(with("\nvertices", "\nelements\n0\n\nvertices"), HasSubstr("there a second time"));
  EXPECT_THAT(with("\nelements", "\nvertices\n0\n\nelements"), HasSubstr("comes too early"));
  EXPECT_THAT(with("a material\" 1 2", "a material 1 2"), HasSubstr("'others\"' is no whole"));
  EXPECT_THAT(with("mfem_mesh_end", "weights"), HasSubstr("'weights' is no section"));
  const std::string two = R"(MFEM mesh v1.0
dimension
2
elements
2
1 3 0 1 4 3
1 3 1 2 5 4
boundary
1
1 1 0 1
vertices
6
2
0 0
1 0
2 0
0 1
1 1
2.0 1.0
)";
  const auto with_two = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(two, from, to));
  };
  EXPECT_EQ(with_two("1 0\n2 0", "1 0 2\n0"), "");
  EXPECT_THAT(
      with_two("2 0\n", "2 0 0\n"),
      HasSubstr("line 16: a vertex takes 2 numbers, and this line has 3; correct the line"));
  EXPECT_THAT(with_two("\n1 1\n", "\n1\n"), HasSubstr("line 18: a vertex takes 2 numbers"));
  EXPECT_THAT(with_two("0 1 4 3", "0 1 4"),
              HasSubstr("line 6: an entry of this list takes 6 numbers, and this line has 5"));
  EXPECT_THAT(with_two("2 5 4", "2 6 4"),
              HasSubstr("line 7: an element has vertex 6, of 6 (they count from 0)"));
  EXPECT_THAT(with_two("1 2 5 4", "1 2 4 5"),
              AllOf(HasSubstr("line 7: element 1 (from 0"),
                    HasSubstr("list them going around: 1, 2, 5, 4")));
  EXPECT_THAT(with_two("1 1 0 1", "1 1 0 4"), HasSubstr("line 10: a side with attribute 1"));
  const std::string curved = content(recorded / "turned-2d-h1-order3.mesh");
  EXPECT_THAT(reading_error(folder, replaced(curved, "H1_2D_P3", "H1Pos_2D_P3")),
              HasSubstr("nodes of the collection 'H1Pos_2D_P3'"));
  EXPECT_THAT(reading_error(folder, replaced(curved, "VDim: 2", "VDim: 3")),
              HasSubstr("positions of 3 coordinates of a mesh of dimension 2"));
  EXPECT_THAT(reading_error(folder, replaced(curved, "H1_2D_P3", "H1_2D_P4")),
              HasSubstr("the file ends here"));
  EXPECT_THAT(reading_error(folder, "MFEM mesh v1.0\ndimension\n2\nelements\n1\n1 2 0 1 2\n"),
              HasSubstr("its elements have 1 triangles; kolam works with quadrilaterals alone"));
}

TEST(MeshFile, OfOtherDimensionsIsRefusedWhereOneIsWanted) {
  EXPECT_THAT(
      [] { read_mesh<3>(recorded / "turned-2d-h1-order3.mesh"); },
      ::testing::ThrowsMessage<FileError>(HasSubstr("its mesh has 2 dimensions, where one of 3")));
  EXPECT_THAT([] { read_mesh<2>(recorded / "turned-3d-h1-order3.mesh"); },
              ::testing::Throws<FileError>());
}

TEST(MeshFile, ThatCannotBeOpenedIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_mesh(folder / "none.msh"); },
              ::testing::ThrowsMessage<FileError>(
                  AllOf(HasSubstr("none.msh'"), HasSubstr("No such file"))));
  EXPECT_THAT([&] { read_mesh(folder / ""); },
              ::testing::ThrowsMessage<FileError>(HasSubstr("it is a folder")));
}

TEST(MeshFile, IsNotWrittenInFormatsThatCannotHoldIt) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { write_gmsh(folder / "mesh", sample<3>(10)); },
              ::testing::ThrowsMessage<InvalidArgument>(HasSubstr("Gmsh has orders 1 to 9")));
  auto mesh = sample<2>(1);
  mesh.boundary_names["a \" in it"] = {1};
  EXPECT_THAT([&] { write_mfem(folder / "mesh", mesh); },
              ::testing::ThrowsMessage<InvalidArgument>(HasSubstr("with a quote")));
  mesh.attributes[0] = 0;
  EXPECT_THAT([&] { write_mfem(folder / "mesh", mesh); }, ::testing::Throws<InvalidArgument>());
  EXPECT_FALSE(fs::exists(folder / "mesh"));
}

}  // namespace
}  // namespace kolam
