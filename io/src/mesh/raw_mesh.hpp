// SPDX-License-Identifier: Apache-2.0
// What a file says of a mesh, and the mesh that it becomes.
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

/// A vertex or node of a file.
using Label = std::uint64_t;

/// Consecutive numbers for labels, in ascending order.
class Numbers {
 public:
  /// Of these, which may be there several times.
  explicit Numbers(std::vector<Label> labels);
  /// Less than 0 for one that there is not.
  index_t of(Label label) const;
  /// How many there are.
  std::size_t size() const { return labels_.size(); }

 private:
  std::vector<Label> labels_;    // ascending
  std::vector<index_t> direct_;  // by label, where there are few gaps
};

/// What a part of a mesh that is cut shares with others.
struct RawCut {
  /// A vertex, edge or face: 1, 2 or 4 vertices, those of a face around it.
  struct Entity {
    int dimensions;
    std::array<Label, 4> vertices;
  };
  /// Entities that the same parts have, which all of these list in one order.
  struct Group {
    std::vector<int> parts;  // ascending
    std::vector<Entity> entities;
  };
  int part;
  std::vector<Group> groups;
};

/// Elements of one dimension and order, in the order of the file, their corners x fastest.
struct RawMesh {
  int dimensions = 0;
  int order = 1;
  std::vector<Label> corners;   // [2^dimensions, elements]
  std::vector<int> attributes;  // of elements
  std::vector<double>
      nodes;  // [dimensions, (order + 1)^dimensions, elements], on Gauss-Lobatto points
  std::vector<Label> facets;  // [2^(dimensions - 1), facets]: corners of sides, in any order
  std::vector<int> facet_attributes;
  std::vector<std::pair<Label, Label>>
      joined;  // nodes that are one; those that are no corners do not matter
  fem::AttributeNames element_names;
  fem::AttributeNames boundary_names;
  std::optional<RawCut> cut;  // of one part of a mesh
};

/// The mesh, with elements in Hilbert order and mirror images turned. Throws FileError.
AnyMesh mesh_of(RawMesh raw, const std::filesystem::path& path, std::vector<index_t>* order_of);

/// Changes the nodes of each element, [dimensions, (order + 1)^dimensions, elements], from being on
/// these points of [0, 1] to being on the Gauss-Lobatto points of the same number.
void to_gauss_lobatto(std::vector<double>& nodes, int dimensions,
                      const std::vector<double>& points);
/// The reverse, of any numbers: [components, (order + 1)^dimensions, elements].
std::vector<double> from_gauss_lobatto(const std::vector<double>& values, int dimensions,
                                       int components, const std::vector<double>& points);
/// 0, 1 / order, ..., 1.
std::vector<double> uniform_points(int order);

class Input;
///@{
/// The formats, whose first line has been read.
RawMesh read_gmsh(Input& input);
RawMesh read_mfem(Input& input, std::string_view first_line);
/// One part of a mesh.
RawMesh read_mfem_part(Input& input, std::string_view first_line);
RawMesh read_vtk(Input& input, std::string_view first_line);
RawMesh read_vtu(Input& input);
///@}

}  // namespace kolam::meshes
