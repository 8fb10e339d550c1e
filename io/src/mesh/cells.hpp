// SPDX-License-Identifier: Apache-2.0
// The cells of a mesh file, in blocks of one kind, and their conversion to a mesh.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "raw_mesh.hpp"

namespace kolam::meshes {

/// The shape of a cell.
enum class Shape { point, line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid };
/// Returns "triangles" and so on.
const char* plural(Shape shape);
/// Returns the dimensions of a shape, 0 to 3.
int dimensions_of(Shape shape);

/// Positions of the nodes of a quadrilateral or hexahedron, as coordinates 0 to order.
using NodePlaces = std::vector<std::array<int, 3>>;

/// The format's order of nodes, with corners first and going around, and its texts for errors.
struct CellFormat {
  NodePlaces (*places)(int dimensions, int order, bool complete);
  const char* how_to_quadrilaterals;  ///< how the format's program makes such meshes
  const char* how_to_hexahedra;
  const char* without_attribute;  ///< "are in no group; put each in one, or none"
};

/// Cells of one kind and attribute (0: none).
struct CellBlock {
  Shape shape;
  int order;
  bool complete;  ///< false for serendipity cells, whose nodes are all on edges
  int nodes_each;
  int attribute;
  std::vector<Label> nodes;          ///< [nodes_each, cells]
  std::vector<std::size_t> lines{};  ///< of each cell in a file of text, else empty

  std::size_t line(std::size_t cell) const { return lines.empty() ? 0 : lines[cell]; }
  std::size_t size() const { return nodes.size() / static_cast<std::size_t>(nodes_each); }
};

class Cells {
 public:
  Cells(std::filesystem::path path, const CellFormat& format);

  void add_node(Label label, const std::array<double, 3>& position);
  /// Returns the block for the next cell of this kind: the last block or a new one.
  CellBlock& block(const CellBlock& kind);
  bool empty() const { return positions_.empty() || blocks_.empty(); }

  /// Returns the cells of the largest dimension, and as sides the cells of one dimension less that
  /// have an attribute. Throws FileError.
  RawMesh mesh();

 private:
  void refuse_other_shapes(int dimensions) const;
  // The position of a place in the block's nodes.
  const std::array<double, 3>& position(const CellBlock& block, std::size_t place) const;
  void add_elements(RawMesh& raw) const;
  void require_flat(int dimensions) const;
  void add_facets(RawMesh& raw) const;

  std::filesystem::path path_;
  CellFormat format_;
  std::vector<Label> labels_;
  std::vector<std::array<double, 3>> positions_;
  std::vector<CellBlock> blocks_;  // in the order of the file
  Numbers numbers_{{}};
  std::vector<std::size_t> place_;  // index in positions_ of each of these numbers
};

}  // namespace kolam::meshes
