// SPDX-License-Identifier: Apache-2.0
// A mesh as read from a file, and its conversion to fem::Mesh.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <kolam/io/mesh_file.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kolam::meshes {

/// The number of a vertex or node in a file.
using Label = std::uint64_t;

/// Consecutive numbers for labels, in ascending order.
class Numbers {
 public:
  /// Numbers `labels`, which may have duplicates.
  explicit Numbers(std::vector<Label> labels);
  /// Returns the number of a label; negative if there is no such label.
  index_t of(Label label) const;
  /// Returns the number of labels without duplicates.
  std::size_t size() const { return labels_.size(); }

 private:
  std::vector<Label> labels_;    // ascending
  std::vector<index_t> direct_;  // by label; empty if there are many gaps
};

/// The entities that one part of a cut mesh shares with other parts.
struct RawCut {
  /// A vertex, edge or face: 1, 2 or 4 vertices; those of a face go around it.
  struct Entity {
    int dimensions;
    std::array<Label, 4> vertices;
  };
  /// The entities of one set of parts; all of these parts list them in the same order.
  struct Group {
    std::vector<int> parts;  // ascending
    std::vector<Entity> entities;
  };
  int part;
  std::vector<Group> groups;
};

/// Elements of one dimension and order, in the order of the file, with corners x fastest.
struct RawMesh {
  int dimensions = 0;
  int order = 1;
  std::vector<Label> corners;   // [2^dimensions, elements]
  std::vector<int> attributes;  // one per element
  std::vector<double>
      nodes;  // [dimensions, (order + 1)^dimensions, elements], on Gauss-Lobatto points
  std::vector<Label> facets;  // [2^(dimensions - 1), facets]: corners of sides, in any order
  std::vector<int> facet_attributes;
  std::vector<std::size_t> lines;               // of each element in a file of text, else empty
  std::vector<std::size_t> facet_lines;         // likewise
  std::vector<std::pair<Label, Label>> joined;  // pairs of nodes to identify; only corners matter
  fem::AttributeNames element_names;
  fem::AttributeNames boundary_names;
  std::optional<RawCut> cut;  // only for one part of a mesh
};

/// Returns the mesh with elements in Hilbert order and mirror images turned. Throws FileError.
AnyMesh mesh_of(RawMesh raw, const std::filesystem::path& path, std::vector<index_t>* order_of);

/// Interpolates the nodes of each element, [dimensions, (order + 1)^dimensions, elements], from
/// `points` of [0, 1] to as many Gauss-Lobatto points.
void to_gauss_lobatto(std::vector<double>& nodes, int dimensions,
                      const std::vector<double>& points);
/// Interpolates values, [components, (order + 1)^dimensions, elements], from Gauss-Lobatto points
/// to `points`.
std::vector<double> from_gauss_lobatto(const std::vector<double>& values, int dimensions,
                                       int components, const std::vector<double>& points);
/// Returns 0, 1 / order, ..., 1.
std::vector<double> uniform_points(int order);

class Input;
///@{
/// Reads a file in one of the formats, after its first line.
RawMesh read_gmsh(Input& input);
RawMesh read_mfem(Input& input, std::string_view first_line);
/// Reads one part of a mesh.
RawMesh read_mfem_part(Input& input, std::string_view first_line);
RawMesh read_vtk(Input& input, std::string_view first_line);
RawMesh read_vtu(Input& input);
///@}

}  // namespace kolam::meshes
