// SPDX-License-Identifier: Apache-2.0
// Meshes of quadrilaterals or hexahedra in any arrangement, curved or not.
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

/// Side 2 k of an element is where its reference coordinate k is 0, side 2 k + 1 where it is 1.
struct ElementSide {
  index_t element;  ///< of this process, from 0
  int side;         ///< 0 to 2 Dim - 1
  /// Whether they are the same.
  friend bool operator==(const ElementSide&, const ElementSide&) = default;
};

/// A side with a boundary attribute.
struct BoundarySide {
  ElementSide at;  ///< of which element
  int attribute;   ///< at least 1
};

/// Attributes by name: each stands for one or several.
using AttributeNames = std::map<std::string, std::set<int>>;

/// A vertex, edge or face of an element, and how its nodes are counted: from a corner of the element
/// (bit k: at the upper end of direction k), first along one of the element's directions, then along
/// another.
struct MeshEntity {
  index_t element;           ///< of the mesh
  int corner;                ///< where its nodes begin
  int dimensions;            ///< 0 to Dim - 1
  std::array<int, 2> along;  ///< as many directions as it has dimensions
  /// Whether they are the same.
  friend bool operator==(const MeshEntity&, const MeshEntity&) = default;
};

/// What a part of a mesh that is cut by its elements has in common with other parts: see part_of.
struct MeshCut {
  /// With one other part.
  struct SharedWith {
    int part;                          ///< the other one
    std::vector<MeshEntity> entities;  ///< both parts list them in one order, and count them alike
  };
  int parts = 1;                     ///< of the whole mesh
  int part = 0;                      ///< this one
  std::vector<SharedWith> shared{};  ///< with each other part that it meets
  std::vector<index_t> elements{};   ///< of each element its number in the whole mesh
  std::set<int> attributes{};        ///< of elements of the whole mesh
  std::set<int> boundaries{};        ///< attributes of boundaries of the whole mesh
};

/// Plain data of the host. An element is the image of [0, 1]^Dim. Its corners and nodes are counted
/// along its reference directions, x fastest: corners 0 to 3 are at (0, 0), (1, 0), (0, 1) and
/// (1, 1). (Programs that go around a quadrilateral have the last two the other way.) Elements meet
/// in whole sides, and share the vertices there: spaces are continuous across them. Attributes of
/// elements and of boundaries are two lists.
///
/// The geometry has an order of its own; each element has the positions of all of its nodes.
template <int Dim>
struct Mesh {
  static_assert(Dim == 2 || Dim == 3, "a Mesh has 2 or 3 dimensions");
  /// Corners of an element.
  static constexpr int corner_count = 1 << Dim;

  /// Vertices of each element, from 0 without gaps.
  std::vector<std::array<index_t, static_cast<std::size_t>(1 << Dim)>> corners;
  std::vector<int> attributes;      ///< of each element, at least 1
  std::vector<BoundarySide> sides;  ///< those that have an attribute
  int order = 1;                    ///< of the geometry
  std::vector<double> nodes;        ///< [Dim, (order + 1)^Dim, elements]: where the Gauss-Lobatto
                                    ///< nodes of each element are; coordinates fastest
  AttributeNames element_names{};   ///< of attributes of elements
  AttributeNames boundary_names{};  ///< of attributes of sides
  /// The mesh that this one was refined from (by `refined`), for multigrid; or none. Children of its
  /// element e are elements 2^Dim e to 2^Dim e + 2^Dim - 1, x fastest.
  std::shared_ptr<const Mesh> coarser{};
  /// Of one part of a mesh: what it has in common with the others; of a whole mesh none.
  std::shared_ptr<const MeshCut> cut{};

  /// Their number.
  index_t element_count() const { return static_cast<index_t>(corners.size()); }
  /// The number of vertices: one more than the largest.
  index_t vertex_count() const;
  /// Nodes of the geometry of an element.
  int nodes_of_element() const;
};

/// Whether a mesh can be worked with. Throws InvalidArgument, naming the first element or side, for
/// lists that do not fit together, vertices that do not exist, are not used or twice in an element,
/// a coarser mesh of other numbers, elements that are inverted at a corner (with a hint where the corners seem to be counted
/// around), sides that more than two elements share, and attributes below 1; NotRunning
/// before Kokkos runs. In parallel. (Curved elements are looked at with their straight ones; `space` looks at every point.)
template <int Dim>
void validate(const Mesh<Dim>& mesh);

/// The sides that no two elements share, in the order of elements, those between parts of a cut mesh
/// left out. Throws NotRunning before Kokkos runs.
template <int Dim>
std::vector<ElementSide> boundary_of(const Mesh<Dim>& mesh);

/// The same mesh with every node moved in place by map(x), x a double[Dim], and the meshes that it
/// was refined from likewise. Elements stay polynomials of the geometry's order: raise it before
/// (`with_order`) for a map that is none.
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

/// The same mesh with geometry of another order: the same elements if it is not below, else
/// polynomials through fewer nodes. Throws InvalidArgument for order < 1, and for a mesh without
/// all nodes of its elements.
template <int Dim>
Mesh<Dim> with_order(const Mesh<Dim>& mesh, int order);

/// The mesh cut in half in each direction: 2^Dim elements for each, counted x fastest, on the same
/// curves, with its attributes and names. The result knows the mesh that it comes from. Throws
/// InvalidArgument as validate does.
template <int Dim>
Mesh<Dim> refined(const Mesh<Dim>& mesh);

/// The same mesh with its elements along a Hilbert curve through their middles (the means of their
/// corners), so that neighbours are near each other in its lists, and so in vectors: for meshes
/// whose elements come in no order, before they are refined (the result has no coarser mesh) or cut. `order_of`, if it is given, becomes the old number of each
/// element. Throws InvalidArgument as with_order does. Takes a sort of the elements.
/// (Skilling, AIP Conf. Proc. 707, 2004.)
template <int Dim>
Mesh<Dim> in_hilbert_order(const Mesh<Dim>& mesh, std::vector<index_t>* order_of = nullptr);

}  // namespace kolam::fem
