// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/mesh_generators.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <kolam/testing/matchers.hpp>
#include <kolam/testing/meshes.hpp>

#include "temporary_folder.hpp"
#include "vtk_file.hpp"

namespace kolam::vtkhdf_mesh_test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::VtkFile;

// Returns the place of node (i, j, k) in VTK's Lagrange cells, after the documentation of
// vtkLagrangeHexahedron::PointIndexFromIJK and vtkLagrangeQuadrilateral::PointIndexFromIJK (VTK 9).
int vtk_place(int i, int j, int k, int p, int dimensions) {
  const bool of_i = i == 0 || i == p;
  const bool of_j = j == 0 || j == p;
  const bool of_k = dimensions == 2 || k == 0 || k == p;
  const int m = p - 1;
  const int upper = dimensions == 3 && k > 0 ? 1 : 0;
  const int bounds = int{of_i} + int{of_j} + int{of_k};
  if (bounds == 3) return (i > 0 ? (j > 0 ? 2 : 1) : (j > 0 ? 3 : 0)) + 4 * upper;
  const int corners = dimensions == 2 ? 4 : 8;
  if (bounds == 2) {
    if (!of_i) return corners + i - 1 + (j > 0 ? 2 * m : 0) + 4 * m * upper;
    if (!of_j) return corners + j - 1 + (i > 0 ? m : 3 * m) + 4 * m * upper;
    return corners + 8 * m + k - 1 + m * (i > 0 ? (j > 0 ? 2 : 1) : (j > 0 ? 3 : 0));
  }
  const int edges = corners + (dimensions == 2 ? 4 : 12) * m;
  if (dimensions == 2) return edges + i - 1 + m * (j - 1);
  if (bounds == 1) {
    if (of_i) return edges + j - 1 + m * (k - 1) + (i > 0 ? m * m : 0);
    if (of_j) return edges + 2 * m * m + i - 1 + m * (k - 1) + (j > 0 ? m * m : 0);
    return edges + 4 * m * m + i - 1 + m * (j - 1) + (k > 0 ? m * m : 0);
  }
  return edges + 6 * m * m + i - 1 + m * (j - 1 + m * (k - 1));
}

double field(const double* x) { return 1 + 2 * x[0] - x[1]; }

// Each node of a cell lies in VTK's place, at the position that the element gives it.
template <int Dim>
void expect_file(int order) {
  SCOPED_TRACE(std::to_string(Dim) + "D, order " + std::to_string(order));
  fem::BoxMesh<Dim> box;
  box.elements.fill(2);
  auto mesh = fem::moved(testing::shuffled(fem::mesh_of(box), 4), testing::Twist{});
  mesh.attributes.front() = 5;
  const auto nodes = fem::detail::mesh_nodes(mesh, order);
  const auto count = static_cast<std::size_t>(nodes.count);
  const auto nodal = fem::with_order(mesh, order);
  std::vector<double> u(count);
  std::vector<double> v(2 * count);
  for (std::size_t i = 0; i < nodes.of_element.size(); ++i) {
    const auto node = static_cast<std::size_t>(nodes.of_element[i]);
    u[node] = field(nodal.nodes.data() + Dim * i);
    v[node] = u[node];
    v[node + count] = 7;
  }
  const TemporaryFolder folder;
  write_vtkhdf_mesh(folder / "a.vtkhdf", mesh, order, {{"u", u}, {"v", v, 2}});

  const VtkFile file(folder / "a.vtkhdf");
  std::vector<hsize_t> dims;
  const auto integers = [&](const char* name) {
    return file.dataset<std::int64_t>(name, H5T_STD_I64LE, H5T_NATIVE_INT64, dims);
  };
  const auto reals = [&](const char* name) {
    return file.dataset<double>(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims);
  };
  EXPECT_EQ(file.type(), "UnstructuredGrid");
  EXPECT_EQ(integers("NumberOfPoints"), std::vector<std::int64_t>{nodes.count});
  const auto cells = integers("Connectivity");
  EXPECT_EQ(cells.size(), nodes.of_element.size());
  const auto types = file.dataset<std::uint8_t>("Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, dims);
  EXPECT_EQ(types.size(), mesh.corners.size());
  EXPECT_EQ(types.front(), order == 1 ? (Dim == 2 ? 9 : 12) : (Dim == 2 ? 70 : 72));
  std::vector<std::int64_t> attributes(mesh.attributes.begin(), mesh.attributes.end());
  EXPECT_EQ(integers("CellData/attribute"), attributes);
  const auto points = reals("Points");
  EXPECT_EQ(dims, (std::vector<hsize_t>{count, 3}));
  const auto values = reals("PointData/u");
  const auto vectors = reals("PointData/v");
  EXPECT_EQ(dims, (std::vector<hsize_t>{count, 3}));

  const int d1d = order + 1;
  const std::size_t per_cell = cells.size() / mesh.corners.size();
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    for (int n = 0; n < static_cast<int>(per_cell); ++n) {
      const int index[] = {n % d1d, n / d1d % d1d, n / d1d / d1d};
      double expected[3] = {};
      for (int c = 0; c < 1 << Dim; ++c) {
        double weight = 1;
        for (int k = 0; k < Dim; ++k) {
          const double t = static_cast<double>(index[k]) / order;
          weight *= (c >> k & 1) != 0 ? t : 1 - t;
        }
        for (int k = 0; k < Dim; ++k)
          expected[k] += weight * mesh.nodes[Dim * (e * (1U << Dim) + static_cast<std::size_t>(c)) +
                                             static_cast<std::size_t>(k)];
      }
      const auto place =
          static_cast<std::size_t>(vtk_place(index[0], index[1], index[2], order, Dim));
      const auto at = static_cast<std::size_t>(cells[e * per_cell + place]);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(points[3 * at + k], expected[k], 1e-13);
      EXPECT_NEAR(values[at], field(expected), 1e-12);
      EXPECT_NEAR(vectors[3 * at], values[at], 1e-12);
      EXPECT_NEAR(vectors[3 * at + 1], 7, 1e-12);
      EXPECT_EQ(vectors[3 * at + 2], 0);
    }
  }
}

TEST(VtkhdfMesh, HasALagrangeCellForEachElement) {
  for (const int order : {1, 2, 3, 5}) {
    expect_file<2>(order);
    expect_file<3>(order);
  }
}

TEST(VtkhdfMesh, TakesArrays) {
  const TemporaryFolder folder;
  const auto mesh = fem::disc(2, 3);
  Array<float> u("u", fem::detail::mesh_nodes(mesh, 3).count);
  for (index_t i = 0; i < u.size(); ++i) u.write(host)(i) = 0.5F;
  write_vtkhdf_mesh(folder / "a.vtkhdf", mesh, 3, {{"u", u}});
  std::vector<hsize_t> dims;
  const auto values = VtkFile(folder / "a.vtkhdf")
                          .dataset<double>("PointData/u", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims);
  EXPECT_THAT(values, ::testing::Each(::testing::DoubleNear(0.5, 1e-12)));
}

TEST(VtkhdfMesh, RefusesFieldsOfOtherLengths) {
  const TemporaryFolder folder;
  const auto mesh = fem::disc(2, 1);
  EXPECT_THAT(
      [&] { write_vtkhdf_mesh(folder / "a", mesh, 2, {{"u", std::vector<double>(7)}}); },
      ::testing::ThrowsMessage<InvalidArgument>(HasSubstr("field 'u' has 7 values; 89 nodes")));
  EXPECT_THAT([&] { write_vtkhdf_mesh(folder / "a", mesh, 2, {{"u", std::vector<double>{}, 0}}); },
              ::testing::Throws<InvalidArgument>());
  EXPECT_EQ(folder.count(), 0);
}

// Checks at every time where its values begin, and the values.
TEST(VtkhdfMesh, HasTheFieldsOfEveryTime) {
  const TemporaryFolder folder;
  const auto mesh = fem::disc(2, 1);
  const auto count = static_cast<std::size_t>(fem::detail::mesh_nodes(mesh, 1).count);
  std::vector<TimeStep> steps;
  for (const double time : {0.5, 0.75, 2.0})
    steps.push_back({time,
                     {{"u", std::vector<double>(count, 10 * time)},
                      {"v", std::vector<double>(2 * count, -time), 2}}});
  write_vtkhdf_mesh_series(folder / "a.vtkhdf", mesh, 1, steps);
  const VtkFile file(folder / "a.vtkhdf");
  EXPECT_EQ(file.attribute<std::int64_t>("Version", H5T_STD_I64LE, H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{2, 0}));
  std::vector<hsize_t> dims;
  const auto integers = [&](const char* name) {
    return file.dataset<std::int64_t>(name, H5T_STD_I64LE, H5T_NATIVE_INT64, dims);
  };
  const auto reals = [&](const char* name) {
    return file.dataset<double>(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims);
  };
  EXPECT_EQ(reals("Steps/Values"), (std::vector<double>{0.5, 0.75, 2}));
  const auto points = static_cast<std::int64_t>(count);
  EXPECT_EQ(integers("NumberOfPoints"), std::vector<std::int64_t>{points});
  for (const char* const same : {"PartOffsets", "PointOffsets", "CellOffsets",
                                 "ConnectivityIdOffsets", "CellDataOffsets/attribute"})
    EXPECT_EQ(integers((std::string("Steps/") + same).c_str()),
              (std::vector<std::int64_t>{0, 0, 0}))
        << same;
  const auto u = reals("PointData/u");
  EXPECT_EQ(dims, (std::vector<hsize_t>{3 * count}));
  const auto v = reals("PointData/v");
  EXPECT_EQ(dims, (std::vector<hsize_t>{3 * count, 3}));
  const std::vector<std::int64_t> offsets{0, points, 2 * points};
  EXPECT_EQ(integers("Steps/PointDataOffsets/u"), offsets);
  EXPECT_EQ(integers("Steps/PointDataOffsets/v"), offsets);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t n = 0; n < count; ++n) {
      EXPECT_DOUBLE_EQ(u[i * count + n], 10 * steps[i].time);
      EXPECT_DOUBLE_EQ(v[3 * (i * count + n) + 1], -steps[i].time);
    }
  }
}

TEST(VtkhdfMesh, RefusesTimesThatAreNoSeries) {
  const TemporaryFolder folder;
  const auto mesh = fem::mesh_of(fem::BoxMesh<2>{{1, 1}});
  const auto refused = [&](const std::vector<TimeStep>& steps) {
    return testing::error_of<InvalidArgument>(
        [&] { write_vtkhdf_mesh_series(folder / "a", mesh, 1, steps); });
  };
  const NodalField u("u", std::vector<double>(4));
  const NodalField w("w", std::vector<double>(4));
  EXPECT_THAT(refused({}), HasSubstr("no steps"));
  EXPECT_THAT(refused({{1, {u}}, {1, {u}}}), HasSubstr("the time 1 after 1; times must ascend"));
  EXPECT_THAT(refused({{1, {u}}, {2, {w}}}), HasSubstr("other fields at time 2 than at 1"));
  EXPECT_THAT(refused({{1, {u}}, {2, {u, w}}}), HasSubstr("other fields at time 2 than at 1"));
  EXPECT_THAT(refused({{1, {u}}, {2, {{"u", std::vector<double>(3)}}}}),
              HasSubstr("field 'u' has 3 values"));
  EXPECT_EQ(folder.count(), 0);
}

// Shows a periodic mesh at the positions of its elements, not across the period.
TEST(VtkhdfMesh, ShowsBothEndsOfAPeriodicMesh) {
  const TemporaryFolder folder;
  const auto mesh = fem::periodic(fem::mesh_of(fem::BoxMesh<2>{{3, 1}}), {{1.0, 0.0}});
  const auto count = static_cast<std::size_t>(fem::detail::mesh_nodes(mesh, 2).count);
  EXPECT_EQ(count, 6U * 3);
  std::vector<double> u(count);
  for (std::size_t n = 0; n < count; ++n) u[n] = static_cast<double>(n);
  write_vtkhdf_mesh(folder / "a.vtkhdf", mesh, 2, {{"u", u}});
  const VtkFile file(folder / "a.vtkhdf");
  std::vector<hsize_t> dims;
  const auto points = file.dataset<double>("Points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims);
  EXPECT_EQ(dims, (std::vector<hsize_t>{27, 3}));
  const auto cells =
      file.dataset<std::int64_t>("Connectivity", H5T_STD_I64LE, H5T_NATIVE_INT64, dims);
  for (std::size_t e = 0; e < 3; ++e) {
    double low = 1, high = 0;
    for (std::size_t n = 9 * e; n < 9 * e + 9; ++n) {
      low = std::min(low, points[3 * static_cast<std::size_t>(cells[n])]);
      high = std::max(high, points[3 * static_cast<std::size_t>(cells[n])]);
    }
    EXPECT_NEAR(high - low, 1.0 / 3, 1e-12);
  }
}

}  // namespace
}  // namespace kolam::vtkhdf_mesh_test
