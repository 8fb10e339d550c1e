// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <kolam/core/error.hpp>
#include <kolam/fem/detail/mesh_entities.hpp>
#include <kolam/io/vtkhdf_mesh.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <utility>

#include "hdf5/unstructured_grid.hpp"
#include "mesh/raw_mesh.hpp"

namespace kolam {
namespace {

// The place, x fastest, of each node of a Lagrange cell in VTK's order: corners going around, edges
// (of the lower face, of the upper one, between them), faces in pairs, the inside.
template <int Dim>
std::vector<int> vtk_nodes(int p) {
  const int d1d = p + 1;
  std::vector<int> nodes;
  const auto add = [&](int i, int j, int k) { nodes.push_back(i + d1d * (j + d1d * k)); };
  const std::pair<int, int> around[] = {{0, 0}, {p, 0}, {p, p}, {0, p}};
  for (const int k : Dim == 3 ? std::vector<int>{0, p} : std::vector<int>{0})
    for (const auto& [i, j] : around) add(i, j, k);
  for (const int k : Dim == 3 ? std::vector<int>{0, p} : std::vector<int>{0}) {
    for (int i = 1; i < p; ++i) add(i, 0, k);
    for (int j = 1; j < p; ++j) add(p, j, k);
    for (int i = 1; i < p; ++i) add(i, p, k);
    for (int j = 1; j < p; ++j) add(0, j, k);
  }
  if constexpr (Dim == 2) {
    for (int j = 1; j < p; ++j)
      for (int i = 1; i < p; ++i) add(i, j, 0);
  } else {
    for (const auto& [i, j] : around)
      for (int k = 1; k < p; ++k) add(i, j, k);
    for (const int i : {0, p})
      for (int k = 1; k < p; ++k)
        for (int j = 1; j < p; ++j) add(i, j, k);
    for (const int j : {0, p})
      for (int k = 1; k < p; ++k)
        for (int i = 1; i < p; ++i) add(i, j, k);
    for (const int k : {0, p})
      for (int j = 1; j < p; ++j)
        for (int i = 1; i < p; ++i) add(i, j, k);
    for (int k = 1; k < p; ++k)
      for (int j = 1; j < p; ++j)
        for (int i = 1; i < p; ++i) add(i, j, k);
  }
  return nodes;
}

std::uint8_t cell_type(int dimensions, int order) {
  if (order == 1) return dimensions == 2 ? 9 : 12;  // VTK_QUAD, VTK_HEXAHEDRON
  return dimensions == 2 ? 70 : 72;                 // the Lagrange ones
}

}  // namespace

template <int Dim>
void write_vtkhdf_mesh(const std::filesystem::path& path, const fem::Mesh<Dim>& mesh, int order,
                       const std::vector<NodalField>& fields) {
  validate(mesh);
  const fem::detail::MeshNodes nodes = fem::detail::mesh_nodes(mesh, order);
  const auto count = static_cast<std::size_t>(nodes.count);
  const std::vector<double> uniform = meshes::uniform_points(order);
  // Node values from those of each element, [columns, nodes of element, elements], at points that
  // are equally far from each other, as VTK has them.
  const auto by_node = [&](const std::vector<double>& of_elements, std::size_t columns,
                           std::size_t width) {
    std::vector<double> result(width * count, 0.0);
    for (std::size_t i = 0; i < nodes.of_element.size(); ++i)
      std::copy_n(of_elements.data() + columns * i, columns,
                  result.data() + width * static_cast<std::size_t>(nodes.of_element[i]));
    return result;
  };
  hdf5::UnstructuredGrid grid;
  grid.points =
      by_node(meshes::from_gauss_lobatto(with_order(mesh, order).nodes, Dim, Dim, uniform), Dim, 3);
  for (const NodalField& field : fields) {
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
    const std::size_t width = columns == 2 ? 3 : columns;  // as vectors have it in VTK
    grid.point_data.push_back(
        {field.name,
         by_node(meshes::from_gauss_lobatto(of_elements, Dim, field.components, uniform), columns,
                 width),
         width});
  }
  const std::vector<int> places = vtk_nodes<Dim>(order);
  grid.points_of_cell = places.size();
  grid.type = cell_type(Dim, order);
  grid.cells.reserve(nodes.of_element.size());
  for (std::size_t e = 0; e < mesh.corners.size(); ++e)
    for (const int place : places)
      grid.cells.push_back(nodes.of_element[e * places.size() + static_cast<std::size_t>(place)]);
  grid.attributes.assign(mesh.attributes.begin(), mesh.attributes.end());
  hdf5::write(path, grid);
}
template void write_vtkhdf_mesh(const std::filesystem::path&, const fem::Mesh<2>&, int,
                                const std::vector<NodalField>&);
template void write_vtkhdf_mesh(const std::filesystem::path&, const fem::Mesh<3>&, int,
                                const std::vector<NodalField>&);

}  // namespace kolam
