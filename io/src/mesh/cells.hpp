// SPDX-License-Identifier: Apache-2.0
// The cells of a file, in blocks of one kind, and the mesh that they make.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "raw_mesh.hpp"

namespace kolam::meshes {

/// What cells look like.
enum class Shape { point, line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid };
/// "triangles" and so on.
const char* plural(Shape shape);
/// 0 to 3.
int dimensions_of(Shape shape);

/// Where the nodes of a quadrilateral or hexahedron are: coordinates 0 to order.
using NodePlaces = std::vector<std::array<int, 3>>;

/// What is the format's: the order of nodes, corners first and going around, and words for errors.
struct CellFormat {
  NodePlaces (*places)(int dimensions, int order, bool complete);
  const char* how_to_quadrilaterals;  ///< how its program makes such meshes
  const char* how_to_hexahedra;
  const char* without_attribute;  ///< "are in no group; put each in one, or none"
};

/// Cells of one kind and attribute (0: none).
struct CellBlock {
  Shape shape;
  int order;
  bool complete;  ///< not a serendipity cell, whose nodes are all on edges
  int nodes_each;
  int attribute;
  std::vector<Label> nodes;  ///< [nodes_each, cells]

  std::size_t size() const { return nodes.size() / static_cast<std::size_t>(nodes_each); }
};

class Cells {
 public:
  Cells(std::filesystem::path path, const CellFormat& format);

  void add_node(Label label, const std::array<double, 3>& position);
  /// The block that the next cell of this kind goes to: the last one, or a new one.
  CellBlock& block(const CellBlock& kind);
  bool empty() const { return positions_.empty() || blocks_.empty(); }

  /// The cells of the largest dimension, and as sides those of one less with an attribute. Throws
  /// FileError.
  RawMesh mesh();

 private:
  void refuse_other_shapes(int dimensions) const;
  const std::array<double, 3>& position(Label node) const;
  void add_elements(RawMesh& raw) const;
  void require_flat(int dimensions) const;
  void add_facets(RawMesh& raw) const;

  std::filesystem::path path_;
  CellFormat format_;
  std::vector<Label> labels_;
  std::vector<std::array<double, 3>> positions_;
  std::vector<CellBlock> blocks_;  // in the order of the file
  Numbers numbers_{{}};
  std::vector<std::size_t> place_;  // of each of those numbers in positions_
};

}  // namespace kolam::meshes
