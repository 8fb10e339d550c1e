// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <kolam/core/error.hpp>
#include <kolam/io/vtkhdf_structured.hpp>

#include "temporary_folder.hpp"
#include "vtk_file.hpp"

namespace kolam {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::VtkFile;

std::vector<std::int64_t> integers(const VtkFile& file, const char* name) {
  std::vector<hsize_t> dims;
  return file.dataset<std::int64_t>(name, H5T_STD_I64LE, H5T_NATIVE_INT64, dims);
}
std::vector<double> reals(const VtkFile& file, const char* name) {
  std::vector<hsize_t> dims;
  return file.dataset<double>(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims);
}

// Coordinates of a structured grid that leans to one side, and one field.
struct Leaning {
  std::array<index_t, 3> extents;
  int dimensions;
  std::vector<double> coordinates;
  std::vector<double> values;

  Leaning(std::array<index_t, 3> n, int dims) : extents(n), dimensions(dims) {
    const auto count = static_cast<std::size_t>(n[0] * n[1] * (dims == 3 ? n[2] : 1));
    coordinates.resize(count * static_cast<std::size_t>(dims));
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = static_cast<index_t>(i);
      const auto x = static_cast<double>(at % n[0]);
      const auto y = static_cast<double>(at / n[0] % n[1]);
      coordinates[i] = x + 0.25 * y;
      coordinates[count + i] = y;
      if (dims == 3) coordinates[2 * count + i] = static_cast<double>(at / (n[0] * n[1]));
      values.push_back(0.5 * static_cast<double>(at));
    }
  }
  void write(const std::filesystem::path& path) const {
    write_vtkhdf_structured(path, extents, dimensions, coordinates, {{"u", values}, {"v", values}});
  }
};

// Returns the signed volume (area) of a cell with corners in VTK's order.
double volume(const std::vector<double>& points, const std::int64_t* corners, int dimensions) {
  const auto edge = [&](int to) {
    std::array<double, 3> d;
    for (std::size_t k = 0; k < 3; ++k)
      d[k] = points[3 * static_cast<std::size_t>(corners[to]) + k] -
             points[3 * static_cast<std::size_t>(corners[0]) + k];
    return d;
  };
  const auto a = edge(1), b = edge(3);
  const double area = a[0] * b[1] - a[1] * b[0];
  return dimensions == 2 ? area : area * edge(4)[2];
}

TEST(VtkhdfLattice, HasACellBetweenNeighbours) {
  const TemporaryFolder folder;
  for (const int dimensions : {2, 3}) {
    const Leaning grid({4, 3, 2}, dimensions);
    grid.write(folder / "a.vtkhdf");
    const VtkFile file(folder / "a.vtkhdf");
    EXPECT_EQ(file.attribute<std::int64_t>("Version", H5T_STD_I64LE, H5T_NATIVE_INT64),
              (std::vector<std::int64_t>{1, 0}));
    EXPECT_EQ(file.type(), "UnstructuredGrid");
    const std::size_t points = dimensions == 2 ? 12 : 24;
    const std::size_t corners = dimensions == 2 ? 4 : 8;
    EXPECT_EQ(integers(file, "NumberOfPoints"),
              std::vector<std::int64_t>{static_cast<std::int64_t>(points)});
    EXPECT_EQ(integers(file, "NumberOfCells"), std::vector<std::int64_t>{6});
    EXPECT_EQ(integers(file, "NumberOfConnectivityIds"),
              std::vector<std::int64_t>{static_cast<std::int64_t>(6 * corners)});
    const std::vector<std::int64_t> cells = integers(file, "Connectivity");
    const std::vector<std::int64_t> offsets = integers(file, "Offsets");
    const std::vector<double> places = reals(file, "Points");
    ASSERT_EQ(cells.size(), 6 * corners);
    ASSERT_EQ(offsets.size(), 7U);
    ASSERT_EQ(places.size(), 3 * points);
    for (std::size_t c = 0; c < 6; ++c) {
      EXPECT_EQ(offsets[c], static_cast<std::int64_t>(c * corners));
      EXPECT_NEAR(volume(places, cells.data() + c * corners, dimensions), 1, 1e-14);
    }
    EXPECT_EQ(offsets[6], static_cast<std::int64_t>(6 * corners));
    std::vector<hsize_t> dims;
    EXPECT_EQ(file.dataset<std::uint8_t>("Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims),
              std::vector<std::uint8_t>(6, dimensions == 2 ? 9 : 12));
    EXPECT_EQ(reals(file, "PointData/u"), grid.values);
    EXPECT_EQ(reals(file, "PointData/v"), grid.values);
  }
}

TEST(VtkhdfLattice, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const auto error = [&](auto change) {
    Leaning grid({4, 3, 2}, 3);
    change(grid);
    try {
      grid.write(folder / "a.vtkhdf");
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error([](Leaning& l) { l.dimensions = 4; }), HasSubstr("4 dimensions"));
  EXPECT_THAT(error([](Leaning& l) { l.extents[2] = 1; }), HasSubstr("1 points in dimension 2"));
  EXPECT_THAT(error([](Leaning& l) { l.coordinates.pop_back(); }), HasSubstr("coordinates has 71"));
  EXPECT_THAT(error([](Leaning& l) { l.values.pop_back(); }), HasSubstr("field 'u' has 23"));
  EXPECT_EQ(folder.count(), 0);
  EXPECT_THROW(Leaning({2, 2, 2}, 3).write(folder / "no" / "a"), FileError);
}

}  // namespace
}  // namespace kolam
