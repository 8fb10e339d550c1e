// SPDX-License-Identifier: Apache-2.0
// Unstructured meshes of quadrilaterals or hexahedra, curved or straight.
#pragma once

#include <algorithm>
#include <array>
#include <kolam/core/index.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace kolam::fem {

/// A side of an element: on side 2 k the reference coordinate k is 0, on side 2 k + 1 it is 1.
struct ElementSide {
  index_t element;  ///< element of this process, from 0
  int side;         ///< number of the side, 0 to 2 Dim - 1
  /// Returns whether both are the same side of the same element.
  friend bool operator==(const ElementSide&, const ElementSide&) = default;
};

/// A side with a boundary attribute.
struct BoundarySide {
  ElementSide at;  ///< the side
  int attribute;   ///< boundary attribute, at least 1
};

/// Names of attributes; each name stands for one or several.
using AttributeNames = std::map<std::string, std::set<int>>;

/// A vertex, edge or face of an element, with the numbering of its nodes: from a corner of the
/// element (bit k: at the upper end of direction k), first along along[0], then along along[1].
struct MeshEntity {
  index_t element;           ///< element of the mesh
  int corner;                ///< corner of the first node
  int dimensions;            ///< 0 to Dim - 1
  std::array<int, 2> along;  ///< directions of the element, one per dimension of the entity
  /// Returns whether both are the same.
  friend bool operator==(const MeshEntity&, const MeshEntity&) = default;
};

/// The entities that one part of a mesh, cut by elements, shares with other parts: see part_of.
struct MeshCut {
  /// The entities shared with one other part.
  struct SharedWith {
    int part;                          ///< number of the other part
    std::vector<MeshEntity> entities;  ///< in the same order and numbering in both parts
  };
  int parts = 1;                     ///< number of parts of the whole mesh
  int part = 0;                      ///< number of this part
  std::vector<SharedWith> shared{};  ///< shared entities, for each neighbouring part
  std::vector<index_t> elements{};   ///< number of each element in the whole mesh
  std::set<int> attributes{};        ///< element attributes of the whole mesh
  std::set<int> boundaries{};        ///< boundary attributes of the whole mesh
};

/// A mesh as plain data on the host. An element is the image of [0, 1]^Dim. Its corners and nodes
/// are numbered along its reference directions, x fastest: corners 0 to 3 are at (0, 0), (1, 0),
/// (0, 1) and (1, 1). (In meshes that number the corners around a quadrilateral, swap the last
/// two.) Neighbouring elements meet in whole sides and share the vertices there, so spaces are
/// continuous across them. Attributes of elements and of boundaries are separate lists.
///
/// The geometry has an order of its own; each element stores the positions of all its nodes.
template <int Dim>
struct Mesh {
  static_assert(Dim == 2 || Dim == 3, "a Mesh has 2 or 3 dimensions");
  /// Number of corners of an element.
  static constexpr int corner_count = 1 << Dim;

  /// Vertices of each element, numbered from 0 without gaps.
  std::vector<std::array<index_t, static_cast<std::size_t>(1 << Dim)>> corners;
  std::vector<int> attributes;      ///< attribute of each element, at least 1
  std::vector<BoundarySide> sides;  ///< sides with a boundary attribute
  int order = 1;                    ///< order of the geometry
  std::vector<double> nodes;        ///< [Dim, (order + 1)^Dim, elements]: positions of the
                                    ///< Gauss-Lobatto nodes of each element; coordinates fastest
  AttributeNames element_names{};   ///< names of element attributes
  AttributeNames boundary_names{};  ///< names of boundary attributes
  /// The mesh that this one was refined from (by `refined`), for multigrid, or null. Children of
  /// its element e are elements 2^Dim e to 2^Dim e + 2^Dim - 1, x fastest.
  std::shared_ptr<const Mesh> coarser{};
  /// The interface of one part to the other parts; null for a whole mesh.
  std::shared_ptr<const MeshCut> cut{};

  /// Returns the number of elements.
  index_t element_count() const { return static_cast<index_t>(corners.size()); }
  /// Returns the number of vertices: one more than the largest.
  index_t vertex_count() const;
  /// Returns the number of geometry nodes of an element.
  int nodes_of_element() const;
};

/// Checks that a mesh is valid. Throws InvalidArgument, naming the first bad element or side, for
/// inconsistent lists, vertices that do not exist, are unused or occur twice in an
/// element, a coarser mesh with a wrong number of elements, elements that are inverted at a corner
/// (with a hint if the corners seem to be numbered around the element), sides shared by more than
/// two elements, and attributes below 1. Throws NotRunning before Kokkos runs. Runs in parallel. (A
/// curved element is inverted at a corner only if its straight version is too; `space` checks every
/// quadrature point.)
template <int Dim>
void validate(const Mesh<Dim>& mesh);

/// Returns the sides that belong to one element only, in the order of elements, without the sides
/// between parts of a cut mesh. Throws NotRunning before Kokkos runs.
template <int Dim>
std::vector<ElementSide> boundary_of(const Mesh<Dim>& mesh);

/// Returns the mesh with every node moved in place by map(x), x a double[Dim]; the meshes that it
/// was refined from are moved likewise. Elements remain polynomials of the geometry's order: for a
/// map that is not such a polynomial, raise the order first (`with_order`).
template <int Dim, class Map>
Mesh<Dim> moved(Mesh<Dim> mesh, const Map& map) {
  double x[Dim];
  for (std::size_t i = 0; i + Dim <= mesh.nodes.size(); i += Dim) {
    std::copy_n(mesh.nodes.data() + i, Dim, x);
    map(x);
    std::copy_n(x, Dim, mesh.nodes.data() + i);
  }
  if (mesh.coarser) mesh.coarser = std::make_shared<const Mesh<Dim>>(moved(*mesh.coarser, map));
  return mesh;
}

/// Returns the mesh with geometry of another order. A higher order represents the same elements; a
/// lower order interpolates them at fewer nodes. Throws InvalidArgument if order < 1 or if the mesh
/// does not have all nodes of its elements.
template <int Dim>
Mesh<Dim> with_order(const Mesh<Dim>& mesh, int order);

/// Returns the mesh with each element halved in every direction: 2^Dim children, x fastest, on the
/// same curved geometry, with the same attributes and names. The result keeps the original as
/// `coarser`. Throws InvalidArgument as validate does.
template <int Dim>
Mesh<Dim> refined(const Mesh<Dim>& mesh);

/// Returns the mesh with its elements in the order of a Hilbert curve through their middles (the
/// means of their corners), so that neighbours are close to each other in lists and vectors. Meant
/// for meshes with unordered elements, before they are refined (the result has no coarser mesh) or
/// cut. `order_of`, if given, is set to the old number of each element. Throws InvalidArgument as
/// with_order does, and for a part of a mesh. Takes a sort of the elements. (Skilling, AIP Conf.
/// Proc. 707, 2004.)
template <int Dim>
Mesh<Dim> in_hilbert_order(const Mesh<Dim>& mesh, std::vector<index_t>* order_of = nullptr);

}  // namespace kolam::fem
