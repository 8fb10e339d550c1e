// SPDX-License-Identifier: Apache-2.0
// Positions of the nodes and elements of a mesh, in the memory of an execution space.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/fem/detail/element_nodes.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/kernels/element/basis.hpp>
#include <kolam/kernels/element/quadrature.hpp>
#include <memory>
#include <utility>

#include "mesh_numbering.hpp"

namespace kolam::fem::detail {

// x = positions of the nodes, [nodes, Dim], evaluated in the first element that has each node.
template <class T, int Dim, class Exec>
struct PlaceNodesOfMesh {
  MeshOn<Dim, Exec> mesh;
  ListOn<const index_t, Exec> first;  // first place of each node
  ListOn<const double, Exec> basis;   // of the geometry at the nodes, [d1d, d1d of the geometry]
  int d1d, geometry_d1d;
  bool is_same;  // whether the geometry has the same nodes
  linear::Vector<T, Exec> x;

  KOKKOS_FUNCTION void operator()(index_t node) const {
    const int each = kolam::detail::power(d1d, Dim);
    const index_t e = first(node) / each;
    auto place = static_cast<int>(first(node) % each);
    const double* const nodes =
        mesh.nodes.data() + e * Dim * kolam::detail::power(geometry_d1d, Dim);
    double sum[Dim] = {};
    if (is_same) {
      for (int k = 0; k < Dim; ++k) sum[k] = nodes[Dim * place + k];
    } else {
      int at[3] = {};
      for (int k = 0; k < Dim; ++k, place /= d1d) at[k] = place % d1d;
      const int layers = Dim == 3 ? geometry_d1d : 1;
      for (int m = 0; m < layers; ++m) {
        const double of_layer = Dim == 3 ? basis(at[2] + d1d * m) : 1;
        for (int j = 0; j < geometry_d1d; ++j) {
          const double of_row = of_layer * basis(at[1] + d1d * j);
          const double* const row = nodes + Dim * geometry_d1d * (j + geometry_d1d * m);
          for (int i = 0; i < geometry_d1d; ++i)
            for (int k = 0; k < Dim; ++k)
              sum[k] += of_row * basis(at[0] + d1d * i) * row[Dim * i + k];
        }
      }
    }
    for (int k = 0; k < Dim; ++k)
      x(node + k * static_cast<index_t>(first.extent(0))) = static_cast<T>(sum[k]);
  }
};

// Returns the positions of the nodes, given the first place of each node in the elements.
template <class T, int Dim, ExecutionSpace Exec>
Array<T> positions_of_nodes(const Exec& exec, const char* label, const Mesh<Dim>& mesh,
                            const MeshOn<Dim, Exec>& on, int d1d,
                            const ListOn<const index_t, Exec>& first) {
  const auto count = static_cast<index_t>(first.extent(0));
  Array<T> x(label, count * Dim);
  const auto values = kolam::detail::to_space<double>(
      exec, "kolam::basis of the geometry",
      lagrange_basis(gauss_lobatto(mesh.order + 1).points, gauss_lobatto(d1d).points).values);
  forall(exec, "kolam::coordinates", count,
         PlaceNodesOfMesh<T, Dim, Exec>{on, first, values, d1d, mesh.order + 1,
                                        mesh.order + 1 == d1d, x.write(exec)});
  exec.fence("kolam::space: coordinates");
  return x;
}

// The numbering of nodes that no two elements share.
struct NodesOfElement {
  int count;
  KOKKOS_FUNCTION index_t operator()(index_t e, int i) const { return e * count + i; }
};
template <class Exec>
struct CountUp {
  ListOn<index_t, Exec> numbers;
  KOKKOS_FUNCTION void operator()(index_t n) const { numbers(n) = n; }
};
// Returns separate positions for every element: polynomials of `order`, with the quadrature points
// of `basis`.
template <class T, int Dim, ExecutionSpace Exec>
std::shared_ptr<const ElementPositions<T, Exec>> positions_of_elements(const Exec& exec,
                                                                       const Mesh<Dim>& mesh,
                                                                       const MeshOn<Dim, Exec>& on,
                                                                       int order,
                                                                       const ElementBasis& basis) {
  const int each = kolam::detail::power(order + 1, Dim);
  const index_t count = mesh.element_count() * each;
  const auto places =
      kolam::detail::allocate_view<ListOn<index_t, Exec>>(exec, "kolam::places", count);
  forall(exec, "kolam::places", count, CountUp<Exec>{places});
  return std::make_shared<const ElementPositions<T, Exec>>(ElementPositions<T, Exec>{
      element_of_order(order, basis),
      element_restriction<T>(exec, Dim, order + 1, mesh.element_count(), count,
                             NodesOfElement{each}),
      std::make_shared<const Array<T>>(positions_of_nodes<T, Dim, Exec>(
          exec, "coordinates of elements", mesh, on, order + 1, places))});
}

// most = the largest squared distance of a corner from the position of its vertex in the first
// element that has it, relative to the squared diagonal of the element.
template <int Dim, class Exec>
struct DistanceOfCorner {
  MeshOn<Dim, Exec> mesh;
  int order;
  ListOn<const index_t, Exec> first;  // first place of each vertex
  KOKKOS_FUNCTION const double* corner(index_t place) const {
    const index_t nodes = kolam::detail::power(order + 1, Dim);
    const auto c = static_cast<int>(place % (1 << Dim));
    return mesh.nodes.data() + Dim * (nodes * (place >> Dim) + place_of_corner(Dim, c, order));
  }
  KOKKOS_FUNCTION void operator()(index_t place, double& most) const {
    const double* const x = corner(place);
    const double* const y = corner(first(mesh.corners(place)));
    const double* const opposite = corner(place ^ ((1 << Dim) - 1));
    double apart = 0;
    double size = 0;
    for (int k = 0; k < Dim; ++k) {
      apart += (x[k] - y[k]) * (x[k] - y[k]);
      size += (x[k] - opposite[k]) * (x[k] - opposite[k]);
    }
    most = Kokkos::max(most, apart / size);
  }
};
// Returns whether elements that share a vertex have it at different positions (a periodic mesh).
template <int Dim, ExecutionSpace Exec>
bool are_apart(const Exec& exec, const Mesh<Dim>& mesh, const MeshOn<Dim, Exec>& on) {
  const EntitiesOn<Exec> vertices = entities_on(exec, on, 0);
  return max<double>(exec, "kolam::space: vertices", on.elements << Dim,
                     DistanceOfCorner<Dim, Exec>{on, mesh.order, vertices.first}) > 1e-6;
}

}  // namespace kolam::fem::detail
