// SPDX-License-Identifier: Apache-2.0
#include "vtk_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "input.hpp"

namespace kolam::meshes {
namespace {

constexpr CellFormat vtk_format{
    vtk_nodes, "Gmsh, for instance, makes such of any surface (Mesh.RecombineAll = 1)",
    "Gmsh, for instance, makes such of extruded volumes (Mesh.RecombineAll = 1)",
    "have attribute 0, which is none; give each another, or none of them"};

struct VtkType {
  int number;
  Shape shape;
  int order;  // 0: follows from the number of nodes
  bool complete;
};
constexpr VtkType types[] = {
    {1, Shape::point, 1, true},           {3, Shape::line, 1, true},
    {5, Shape::triangle, 1, true},        {8, Shape::quadrilateral, 1, true},
    {9, Shape::quadrilateral, 1, true},   {10, Shape::tetrahedron, 1, true},
    {11, Shape::hexahedron, 1, true},     {12, Shape::hexahedron, 1, true},
    {13, Shape::prism, 1, true},          {14, Shape::pyramid, 1, true},
    {21, Shape::line, 2, true},           {22, Shape::triangle, 2, true},
    {23, Shape::quadrilateral, 2, false}, {24, Shape::tetrahedron, 2, true},
    {25, Shape::hexahedron, 2, false},    {26, Shape::prism, 2, true},
    {27, Shape::pyramid, 2, true},        {28, Shape::quadrilateral, 2, true},
    {29, Shape::hexahedron, 2, true},     {32, Shape::prism, 2, true},
    {34, Shape::triangle, 2, true},       {35, Shape::line, 3, true},
    {37, Shape::pyramid, 2, true},        {68, Shape::line, 0, true},
    {69, Shape::triangle, 0, true},       {70, Shape::quadrilateral, 0, true},
    {71, Shape::tetrahedron, 0, true},    {72, Shape::hexahedron, 0, true},
    {73, Shape::prism, 0, true},          {74, Shape::pyramid, 0, true}};
constexpr std::int64_t pixel = 8;
constexpr std::int64_t voxel = 11;
constexpr std::int64_t lagrange_hexahedron = 72;

// Returns the order of a complete cell with `nodes` nodes; 0 if there is none.
int order_of(Shape shape, std::size_t nodes) {
  const int dimensions = dimensions_of(shape);
  const double root = std::pow(static_cast<double>(nodes), 1.0 / dimensions);
  const auto d1d = static_cast<std::size_t>(std::lround(root));
  std::size_t all = 1;
  for (int k = 0; k < dimensions; ++k) all *= d1d;
  return all == nodes ? static_cast<int>(d1d) - 1 : 0;
}

class Grid {
 public:
  Grid(const std::filesystem::path& path, const VtkGrid& grid)
      : path_(path), grid_(grid), cells_(path, vtk_format) {}

  RawMesh mesh() {
    const std::size_t count = grid_.types.size();
    if (grid_.ends.size() != count) {
      refuse_to_read(
          path_, fmt::format("it has {} types of cells and {} cells", count, grid_.ends.size()));
    }
    if (!grid_.attributes.empty() && grid_.attributes.size() != count) {
      refuse_to_read(
          path_, fmt::format("it has {} attributes for {} cells", grid_.attributes.size(), count));
    }
    for (std::size_t i = 0; i < grid_.points.size(); ++i)
      cells_.add_node(static_cast<Label>(i), grid_.points[i]);
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < count; ++c) {
      const std::int64_t end = grid_.ends[c];
      if (end < begin || static_cast<std::uint64_t>(end) > grid_.connectivity.size()) {
        refuse_to_read(path_, fmt::format("cell {} ends at {} of {} points of cells", c, end,
                                          grid_.connectivity.size()));
      }
      add(c, grid_.connectivity.data() + begin, static_cast<std::size_t>(end - begin));
      begin = end;
    }
    if (cells_.empty()) refuse_to_read(path_, "there are no points or no cells in it");
    return cells_.mesh();
  }

 private:
  void add(std::size_t cell, const std::int64_t* points, std::size_t count) {
    const std::int64_t number = grid_.types[cell];
    const auto* const type = std::find_if(std::begin(types), std::end(types),
                                          [&](const VtkType& t) { return t.number == number; });
    if (type == std::end(types) || count == 0) {
      refuse_to_read(path_,
                     fmt::format("cell {} is of VTK's type {} with {} points, which kolam does not "
                                 "read; it reads quadrilaterals and hexahedra, linear, quadratic "
                                 "or Lagrange",
                                 cell, number, count));
    }
    const int dimensions = dimensions_of(type->shape);
    const bool ours = type->shape == Shape::quadrilateral || type->shape == Shape::hexahedron;
    const int order = type->order != 0 ? type->order : ours ? order_of(type->shape, count) : 1;
    // (For other shapes, only the shape matters, and for sides the corners.)
    const bool wrong =
        ours ? order == 0 || count != vtk_nodes(dimensions, order, type->complete).size()
             : count < static_cast<std::size_t>(dimensions + 1);
    if (wrong) {
      refuse_to_read(path_, fmt::format("cell {} of VTK's type {} has {} points; kolam reads cells "
                                        "of the same order in all directions",
                                        cell, number, count));
    }
    CellBlock& to = cells_.block(
        {type->shape, order, type->complete, static_cast<int>(count), attribute(cell), {}});
    if (static_cast<std::size_t>(to.nodes_each) != count)
      refuse_to_read(path_, fmt::format("cell {} has {} points and the one before {}", cell, count,
                                        to.nodes_each));
    const std::size_t first = to.nodes.size();
    for (std::size_t i = 0; i < count; ++i) to.nodes.push_back(static_cast<Label>(points[i]));
    Label* const nodes = to.nodes.data() + first;
    if (number == pixel || number == voxel) {  // x fastest
      for (std::size_t layer = 0; layer < count; layer += 4)
        std::swap(nodes[layer + 2], nodes[layer + 3]);
    }
    if (number == lagrange_hexahedron && grid_.old_edges) {
      const auto edge = static_cast<std::size_t>(order - 1);
      std::swap_ranges(nodes + 8 + 10 * edge, nodes + 8 + 11 * edge, nodes + 8 + 11 * edge);
    }
  }

  int attribute(std::size_t cell) const {
    if (grid_.attributes.empty()) return 0;
    const std::int64_t value = grid_.attributes[cell];
    if (value < 0 || value > std::numeric_limits<int>::max())
      refuse_to_read(path_, fmt::format("cell {} has attribute {}; they must be 1 or more, or 0 "
                                        "for none",
                                        cell, value));
    return static_cast<int>(value);
  }

  const std::filesystem::path& path_;
  const VtkGrid& grid_;
  Cells cells_;
};

}  // namespace

NodePlaces vtk_nodes(int dimensions, int order, bool complete) {
  const int p = order;
  NodePlaces nodes;
  const auto add = [&](int i, int j, int k) { nodes.push_back({i, j, k}); };
  const std::pair<int, int> around[] = {{0, 0}, {p, 0}, {p, p}, {0, p}};
  const std::vector<int> layers = dimensions == 3 ? std::vector<int>{0, p} : std::vector<int>{0};
  for (const int k : layers)
    for (const auto& [i, j] : around) add(i, j, k);
  for (const int k : layers) {
    for (int i = 1; i < p; ++i) add(i, 0, k);
    for (int j = 1; j < p; ++j) add(p, j, k);
    for (int i = 1; i < p; ++i) add(i, p, k);
    for (int j = 1; j < p; ++j) add(0, j, k);
  }
  if (dimensions == 2) {
    for (int j = 1; complete && j < p; ++j)
      for (int i = 1; i < p; ++i) add(i, j, 0);
    return nodes;
  }
  for (const auto& [i, j] : around)
    for (int k = 1; k < p; ++k) add(i, j, k);
  if (!complete) return nodes;
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
  return nodes;
}

int rank_of_attributes(const std::string& name) {
  // Names of MFEM and kolam, of meshio for Gmsh and Medit, of OpenGeoSys, and of Gmsh itself.
  constexpr std::string_view names[] = {"attribute", "gmsh:physical", "medit:ref", "MaterialIDs",
                                        "CellEntityIds"};
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? -1 : static_cast<int>(found - std::begin(names));
}

RawMesh mesh_of_vtk(const std::filesystem::path& path, const VtkGrid& grid) {
  return Grid(path, grid).mesh();
}

}  // namespace kolam::meshes
