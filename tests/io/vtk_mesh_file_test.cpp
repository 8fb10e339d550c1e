// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <kolam/fem/mesh_generators.hpp>
#include <kolam/io/mesh_file.hpp>
#include <kolam/testing/matchers.hpp>
#include <string>

#include "mesh_texts.hpp"

namespace kolam {
namespace {

using ::testing::AllOf;
using testing::content;
using ::testing::HasSubstr;
using testing::reading_error;
using testing::recorded;
using testing::replaced;
using testing::TemporaryFolder;

// Two squares and two of their sides, with arrays of all kinds.
const std::string legacy = R"(# vtk DataFile Version 3.0
any title
ASCII
DATASET UNSTRUCTURED_GRID
FIELD FieldData 1
time 1 1 double 0.5
METADATA
INFORMATION 0

POINTS 6 float
0 0 0  .5 0 0  1 0 0
0 1 0  .5 1 0  1 1 0
CELLS 4 16
4 0 1 4 3
4 1 2 4 5
2 3 4
2 4 5
CELL_TYPES 4
9 8 3 3
POINT_DATA 6
SCALARS attribute float 2
LOOKUP_TABLE default
1 2 3 4 5 6 7 8 9 10 11 12
VECTORS v double
0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
CELL_DATA 4
SCALARS MaterialIDs int
LOOKUP_TABLE default
1 1 1 1
SCALARS attribute double 1
LOOKUP_TABLE default
7 8 4 4.0
)";

TEST(VtkMeshFile, OfVtkHasAttributesOfTheArrayWithTheBestName) {
  const TemporaryFolder folder;
  write_file(folder / "mesh", legacy);
  std::vector<index_t> order_of;
  const auto mesh = read_mesh<2>(folder / "mesh", &order_of);
  ASSERT_EQ(mesh.element_count(), 2);
  for (std::size_t e = 0; e < 2; ++e) EXPECT_EQ(mesh.attributes[e], 7 + order_of[e]);
  EXPECT_EQ(mesh.sides.size(), 2U);
  for (const fem::BoundarySide& side : mesh.sides) EXPECT_EQ(side.attribute, 4);
  EXPECT_EQ(mesh.vertex_count(), 6);
}

TEST(VtkMeshFile, SaysWhatIsWrongInALegacyFileOfVtk) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(legacy, from, to));
  };
  EXPECT_EQ(reading_error(folder, legacy), "");
  EXPECT_THAT(with("Version 3.0", "Version 7.0"), HasSubstr("version '7.0' of VTK's format"));
  EXPECT_THAT(with("ASCII", "TEXT"), HasSubstr("line 3: ASCII or BINARY must stand here"));
  EXPECT_THAT(with("UNSTRUCTURED_GRID", "POLYDATA"), HasSubstr("a data set 'polydata'; a mesh is"));
  EXPECT_THAT(with("6 float", "4611686018427387904 float"),
              HasSubstr("line 10: 4611686018427387904 points are said to follow"));
  EXPECT_THAT(with("6 float", "6 half"), HasSubstr("values of type 'half'"));
  EXPECT_THAT(with(".5 0 0", "nan 0 0"), HasSubstr("'nan' is no finite number"));
  EXPECT_THAT(with("4 16", "4 15"), HasSubstr("a cell of 2 points, where 1 numbers are left"));
  EXPECT_THAT(with("4 16", "5 16"), HasSubstr("4 cells; 5 were said to follow"));
  EXPECT_THAT(with("4 0 1 4 3", "4 0 1 4 9"), HasSubstr("an element has node 9, which there is"));
  EXPECT_THAT(with("4 0 1 4 3", "4 0 1 4 -1"), HasSubstr("an element has node"));
  EXPECT_THAT(with("9 8 3 3", "9 8 3"), HasSubstr("is no whole number"));
  EXPECT_THAT(with("9 8 3 3", "9 7 3 3"),
              HasSubstr("cell 1 is of VTK's type 7 with 4 points, which kolam does not read"));
  EXPECT_THAT(with("9 8 3 3", "28 8 3 3"), HasSubstr("cell 0 of VTK's type 28 has 4 points"));
  EXPECT_THAT(with("9 8 3 3", "10 10 3 3"),
              AllOf(HasSubstr("it has 2 tetrahedra"), HasSubstr("works with hexahedra alone")));
  EXPECT_THAT(with("7 8 4", "7 0 4"), HasSubstr("1 of 2 elements have attribute 0"));
  EXPECT_THAT(with("7 8 4", "7 8.5 4"), HasSubstr("the attribute 8.5; they are whole numbers"));
  EXPECT_THAT(with("7 8 4", "7 -8 4"), HasSubstr("cell 1 has attribute -8"));
  EXPECT_THAT(with("VECTORS v", "CURVES v"), HasSubstr("'curves', which kolam does not know"));
}

const std::string vtu = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="2.2" byte_order="LittleEndian">
  <UnstructuredGrid>
    <FieldData><DataArray type="Float64" Name="types" NumberOfTuples="1">9</DataArray></FieldData>
    <Piece NumberOfPoints="0" NumberOfCells="0"></Piece>
    <Piece NumberOfPoints="6" NumberOfCells="2">
      <PointData><DataArray type="Float64" Name="attribute" format="ascii">1 2 3 4 5 6</DataArray></PointData>
      <CellData>
        <DataArray type="Int32" Name="MaterialIDs" format="ascii">3 3</DataArray>
        <DataArray type="Int32" Name="attribute" format="ascii">7 <InformationKey>9 9</InformationKey> 8</DataArray>
      </CellData>
      <Points><DataArray type="Float64" NumberOfComponents="3">
        0 0 0  .5 0 0  1 0 0   0 1 0  .5 1 0  +1 1 0</DataArray></Points>
      <Cells>
        <DataArray type="Int64" Name="connectivity" format="ascii">0 1 4 3 1 2 5 4</DataArray>
        <DataArray type="Int64" Name="offsets" format="ascii">4 8</DataArray>
        <DataArray type="UInt8" Name="types" format="binary">AgAAAAkJ</DataArray>
      </Cells>
    </Piece>
  </UnstructuredGrid>
</VTKFile>
)";

TEST(VtkMeshFile, MayBeXmlOfVtk) {
  const TemporaryFolder folder;
  for (const char* const types : {"AgAAAAkJ", "AgAA AA==\nCQk="}) {  // size may be encoded apart
    write_file(folder / "mesh", replaced(vtu, "AgAAAAkJ", types));
    std::vector<index_t> order_of;
    const auto mesh = read_mesh<2>(folder / "mesh", &order_of);
    ASSERT_EQ(mesh.element_count(), 2);
    for (std::size_t e = 0; e < 2; ++e) EXPECT_EQ(mesh.attributes[e], 7 + order_of[e]);
  }
}

TEST(VtkMeshFile, SaysWhatIsWrongInXmlOfVtk) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& from, const std::string& to) {
    return reading_error(folder, replaced(vtu, from, to));
  };
  EXPECT_THAT(with("</Cells>", "</Cell>"), HasSubstr("line 18: this is no XML (mismatched tag)"));
  EXPECT_THAT(with("<VTKFile", "<!DOCTYPE a [<!ENTITY b 'c'>]><VTKFile"),
              HasSubstr("a document type is declared"));
  EXPECT_THAT(with(R"(type="UnstructuredGrid")", R"(type="PUnstructuredGrid")"),
              HasSubstr("read the files that this one names"));
  EXPECT_THAT(with("byte_order=", R"(compressor="vtkLZ4DataCompressor" byte_order=)"),
              HasSubstr("data compressed by vtkLZ4DataCompressor"));
  EXPECT_THAT(with(R"(NumberOfPoints="0")", R"(NumberOfPoints="1")"), HasSubstr("a second piece"));
  EXPECT_THAT(with(R"(NumberOfPoints="6")", R"(NumberOfPoints="4611686018427387904")"),
              HasSubstr("line 6: NumberOfPoints is '4611686018427387904', which cannot be"));
  EXPECT_THAT(with(R"(NumberOfPoints="6")", R"(NumberOfPoints="7")"),
              HasSubstr("line 12: the data of an array end early"));
  EXPECT_THAT(with(R"(NumberOfPoints="6")", R"(NumberOfPoints="-6")"), HasSubstr("is '-6', which"));
  EXPECT_THAT(with(R"(NumberOfCells="2")", R"(NumberOfCells="3")"), HasSubstr("(offsets)"));
  EXPECT_THAT(with(R"(NumberOfComponents="3")", R"(NumberOfComponents="2")"),
              HasSubstr("2 components, where there must be 3 (Points)"));
  EXPECT_THAT(with(R"("connectivity")", R"("connection")"),
              HasSubstr("there is no array of connectivity in it"));
  EXPECT_THAT(with("0 1 4 3 1", "0 1 4 x 1"),
              HasSubstr("line 15: 'x' is no whole number (connectivity)"));
  EXPECT_THAT(with("4 8<", "4 4611686018427387904<"), HasSubstr("no whole number"));
  EXPECT_THAT(with("4 8<", "4 8888888<"), HasSubstr("end early"));
  EXPECT_THAT(with("4 8<", "8 4<"), HasSubstr("cell"));
  EXPECT_THAT(with("AgAAAAkJ", "BgAAAAkJ"),
              HasSubstr("an array has 6 bytes, where 2 must be (types)"));
  EXPECT_THAT(with("AgAAAAkJ", "AgAAAAk*"), HasSubstr("end early"));
  EXPECT_THAT(with("AgAAAAkJ", "AgAAAAoJ"), HasSubstr("it has 1 tetrahedra"));
  EXPECT_THAT(with(R"(format="binary")", R"(format="appended")"),
              HasSubstr("data of format 'appended', which are not in it"));
  EXPECT_THAT(with("UInt8", "String"), HasSubstr("values of type 'String'"));
  const std::string packed = content(recorded / "ellipse-2d-order3-zlib.vtu");
  EXPECT_THAT(reading_error(folder, replaced(packed, "eF6Fln9Q", "eF6Fln8Q")),
              HasSubstr("the compressed data of an array are damaged (Points)"));
  const std::string raw = content(recorded / "ellipse-3d-order2-raw-zlib.vtu");
  EXPECT_THAT(reading_error(folder, raw.substr(0, raw.size() - 15)),
              HasSubstr("the file ends within its appended data"));
}

}  // namespace
}  // namespace kolam
