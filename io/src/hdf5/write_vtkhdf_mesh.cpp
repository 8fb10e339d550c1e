// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/fem/periodic_mesh.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "hdf5/unstructured_grid.hpp"
#include "mesh/raw_mesh.hpp"
#include "mesh/vtk_cells.hpp"

namespace kolam {
namespace {

std::uint8_t cell_type(int dimensions, int order) {
  if (order == 1) return dimensions == 2 ? 9 : 12;  // VTK_QUAD, VTK_HEXAHEDRON
  return dimensions == 2 ? 70 : 72;                 // VTK's Lagrange types
}

// Returns the grid with the fields of `steps`; `times` is empty for a single step without time.
template <int Dim>
hdf5::UnstructuredGrid grid_of(const fem::Mesh<Dim>& mesh, int order,
                               const std::vector<std::span<const NodalField>>& steps,
                               const std::vector<double>& times) {
  validate(mesh);
  const fem::detail::MeshNodes nodes = fem::detail::mesh_nodes(mesh, order);
  const auto count = static_cast<std::size_t>(nodes.count);
  // Points of the file: the nodes; in a periodic mesh, each element has its own points.
  std::vector<int> point_of = nodes.of_element;
  if (is_periodic(mesh)) std::iota(point_of.begin(), point_of.end(), 0);
  const std::size_t points =
      point_of.empty()
          ? 0
          : static_cast<std::size_t>(*std::max_element(point_of.begin(), point_of.end())) + 1;
  const std::vector<double> uniform = meshes::uniform_points(order);
  // Returns values of points from values of elements, [columns, nodes of element, elements], at
  // VTK's equidistant points.
  const auto by_point = [&](const std::vector<double>& of_elements, std::size_t columns,
                            std::size_t width) {
    std::vector<double> result(width * points, 0.0);
    for (std::size_t i = 0; i < point_of.size(); ++i)
      std::copy_n(of_elements.data() + columns * i, columns,
                  result.data() + width * static_cast<std::size_t>(point_of[i]));
    return result;
  };
  hdf5::UnstructuredGrid grid;
  grid.points = by_point(
      meshes::from_gauss_lobatto(with_order(mesh, order).nodes, Dim, Dim, uniform), Dim, 3);
  for (const std::span<const NodalField>& fields : steps) {
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const NodalField& field = fields[f];
      const auto columns = static_cast<std::size_t>(std::max(field.components, 0));
      if (columns < 1 || field.values.size() != count * columns) {
        throw InvalidArgument(fmt::format(
            "field '{}' has {} values; {} nodes of order {} with {} components have {}", field.name,
            field.values.size(), count, order, field.components, count * columns));
      }
      std::vector<double> of_elements;
      of_elements.reserve(nodes.of_element.size() * columns);
      for (const int node : nodes.of_element)
        for (std::size_t c = 0; c < columns; ++c)
          of_elements.push_back(field.values[static_cast<std::size_t>(node) + c * count]);
      const std::size_t width = columns == 2 ? 3 : columns;  // VTK's vectors have 3
      if (&fields == &steps.front()) grid.point_data.push_back({field.name, {}, width});
      const auto values = by_point(
          meshes::from_gauss_lobatto(of_elements, Dim, field.components, uniform), columns, width);
      auto& all = grid.point_data[f].values;
      all.insert(all.end(), values.begin(), values.end());
    }
  }
  std::vector<int> places;  // offsets (x fastest) of VTK's nodes
  for (const auto& [i, j, k] : meshes::vtk_nodes(Dim, order, true))
    places.push_back(i + (order + 1) * (j + (order + 1) * k));
  grid.points_of_cell = places.size();
  grid.type = cell_type(Dim, order);
  grid.cells.reserve(nodes.of_element.size());
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (const int place : places)
      grid.cells.push_back(point_of[e * places.size() + static_cast<std::size_t>(place)]);
  grid.attributes.assign(mesh.attributes.begin(), mesh.attributes.end());
  grid.times = times;
  return grid;
}

template <int Dim>
void write(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh, int order,
           const std::vector<std::span<const NodalField>>& steps, const std::vector<double>& times,
           const Communicator& communicator) {
  hdf5::UnstructuredGrid grid;
  comm::throw_together(communicator, [&] { grid = grid_of(mesh, order, steps, times); });
  hdf5::write(path, grid, communicator);
}

// Returns the times. Throws InvalidArgument unless the steps can be written to one file.
std::vector<double> require_times(const std::vector<TimeStep>& steps) {
  if (steps.empty()) throw InvalidArgument("write_vtkhdf_mesh_series: no steps; give one or more");
  std::vector<double> times;
  for (const TimeStep& step : steps) {
    if (!times.empty() && !(step.time > times.back())) {
      throw InvalidArgument(
          fmt::format("write_vtkhdf_mesh_series: the time {} after {}; times must ascend",
                      step.time, times.back()));
    }
    const bool same =
        std::equal(step.fields.begin(), step.fields.end(), steps.front().fields.begin(),
                   steps.front().fields.end(), [](const NodalField& a, const NodalField& b) {
                     return a.name == b.name && a.components == b.components;
                   });
    if (!same) {
      throw InvalidArgument(fmt::format(
          "write_vtkhdf_mesh_series: other fields at time {} than at {}; names and components must "
          "stay",
          step.time, times.front()));
    }
    times.push_back(step.time);
  }
  return times;
}

}  // namespace

template <int Dim>
void write_vtkhdf_mesh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh, int order,
                       const std::vector<NodalField>& fields, const Communicator& communicator) {
  write(path, mesh, order, {fields}, {}, communicator);
}
template void write_vtkhdf_mesh(const std::filesystem::path&, const fem::Mesh<2>&, int,
                                const std::vector<NodalField>&, const Communicator&);
template void write_vtkhdf_mesh(const std::filesystem::path&, const fem::Mesh<3>&, int,
                                const std::vector<NodalField>&, const Communicator&);

template <int Dim>
void write_vtkhdf_mesh_series(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh,
                              int order, const std::vector<TimeStep>& steps,
                              const Communicator& communicator) {
  std::vector<double> times;
  comm::throw_together(communicator, [&] { times = require_times(steps); });
  std::vector<std::span<const NodalField>> fields;
  for (const TimeStep& step : steps) fields.emplace_back(step.fields);
  write(path, mesh, order, fields, times, communicator);
}
template void write_vtkhdf_mesh_series(const std::filesystem::path&, const fem::Mesh<2>&, int,
                                       const std::vector<TimeStep>&, const Communicator&);
template void write_vtkhdf_mesh_series(const std::filesystem::path&, const fem::Mesh<3>&, int,
                                       const std::vector<TimeStep>&, const Communicator&);

}  // namespace kolam
