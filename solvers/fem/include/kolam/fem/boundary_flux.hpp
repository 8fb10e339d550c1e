// SPDX-License-Identifier: Apache-2.0
// Right-hand sides from a flux through the boundary (Neumann conditions).
//
//   // The flux 2 through the side at the upper end in x of a box (attribute 2):
//   kolam::fem::add_flux(space, kolam::fem::sides_of(mesh, kolam::fem::attribute_bits(2, {2})),
//                        kolam::Constant{2.0}, b);
#pragma once

#include <kolam/core/detail/allocate.hpp>
#include <kolam/fem/box_mesh.hpp>
#include <kolam/fem/detail/components.hpp>
#include <kolam/fem/mesh.hpp>
#include <kolam/fem/operator.hpp>
#include <vector>

namespace kolam::fem {

/// A quadrature point on the boundary.
template <class T, int Dim>
struct BoundaryPoint {
  index_t element;  ///< as ElementSide::element
  int side;         ///< as ElementSide::side
  T x[Dim];         ///< where it is
  T normal[Dim];    ///< outwards, of length 1
};

/// The sides of elements that lie on sides of a box: bits as attribute_bits gives them. Elements
/// ascend, attribute by attribute; of a part of a box, its own. Throws InvalidArgument for a mesh
/// that is none (see validate) and for bits that the box does not have.
template <int Dim>
std::vector<ElementSide> sides_of(const BoxMesh<Dim>& mesh, std::uint32_t attributes);

namespace detail {

// What adds up to the same unknown, in the order of faces.
struct FluxSums {
  std::vector<int> dofs;
  std::vector<double> sums;
};
FluxSums add_by_dof(const std::vector<int>& dofs, const std::vector<double>& values);
void require_sides(const std::vector<ElementSide>& sides, index_t elements, int dimensions);

// Faces of elements: their nodes, points and fluxes.
template <class T, int Dim, ExecutionSpace Exec>
struct Faces {
  static constexpr int directions = Dim - 1;

  kolam::detail::ElementLayout<T, Exec> layout;
  Kokkos::View<const int*, typename Exec::memory_space> nodes;
  Kokkos::View<const int*, typename Exec::memory_space> dofs;
  index_t node_count;
  linear::ConstVector<T, Exec> coordinates;
  Kokkos::View<const ElementSide*, typename Exec::memory_space> sides;
  Kokkos::View<const double*, typename Exec::memory_space> values;     // [q1d, d1d]
  Kokkos::View<const double*, typename Exec::memory_space> gradients;  // [q1d, d1d]
  Kokkos::View<const double*, typename Exec::memory_space> weights;    // [q1d]
  int q1d;

  // Node i of the face (those of the element whose coordinate across it is at the end).
  KOKKOS_FUNCTION int node(int side, int i) const {
    int index[Dim];
    index[side / 2] = side % 2 == 0 ? 0 : layout.d1d - 1;
    for (int a = 1; a < Dim; ++a, i /= layout.d1d) index[(side / 2 + a) % Dim] = i % layout.d1d;
    int result = 0;
    for (int k = Dim - 1; k >= 0; --k) result = result * layout.d1d + index[k];
    return result;
  }
  // Polynomial i of the face at point q, derived along `derived` (1 to Dim - 1; 0: not).
  KOKKOS_FUNCTION double polynomial(int i, int q, int derived) const {
    double product = 1;
    for (int a = 1; a < Dim; ++a, i /= layout.d1d, q /= q1d) {
      const int place = q % q1d + q1d * (i % layout.d1d);
      product *= a == derived ? gradients(place) : values(place);
    }
    return product;
  }
  // g weight |surface element| at point q of a face.
  template <class G>
  KOKKOS_FUNCTION double flux(index_t face, int q, const G& g) const {
    const ElementSide at = sides(face);
    double x[Dim] = {};
    double tangent[2][Dim] = {};
    for (int i = 0; i < kolam::detail::power(layout.d1d, directions); ++i) {
      const index_t place = nodes(layout.node(at.element, node(at.side, i)));
      for (int k = 0; k < Dim; ++k) {
        const double coordinate = coordinates(place + k * node_count);
        x[k] += coordinate * polynomial(i, q, 0);
        for (int a = 1; a < Dim; ++a) tangent[a - 1][k] += coordinate * polynomial(i, q, a);
      }
    }
    double area[Dim];  // the outward normal, as long as the surface element is large
    const auto& [t, u] = tangent;
    if constexpr (Dim == 2) {
      const double sign = at.side / 2 == 0 ? 1 : -1;
      area[0] = sign * t[1];
      area[1] = -sign * t[0];
    } else {
      for (int k = 0; k < 3; ++k)
        area[k] = t[(k + 1) % 3] * u[(k + 2) % 3] - t[(k + 2) % 3] * u[(k + 1) % 3];
    }
    double length = 0;
    for (int k = 0; k < Dim; ++k) length += area[k] * area[k];
    length = Kokkos::sqrt(length);
    BoundaryPoint<T, Dim> point;
    point.element = at.element;
    point.side = at.side;
    for (int k = 0; k < Dim; ++k) {
      point.x[k] = static_cast<T>(x[k]);
      point.normal[k] = static_cast<T>((at.side % 2 == 0 ? -1 : 1) * area[k] / length);
    }
    double weight = length;
    for (int a = 1; a < Dim; ++a, q /= q1d) weight *= weights(q % q1d);
    return weight * static_cast<double>(g(point));
  }
};

// at_points = the flux at each point of each side.
template <class T, int Dim, class Exec, class G>
struct FluxAtPoints {
  Faces<T, Dim, Exec> faces;
  int points;
  G g;
  Kokkos::View<double*, typename Exec::memory_space> at_points;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    at_points(n) = faces.flux(n / points, static_cast<int>(n % points), g);
  }
};

// values = what each node of each side gets of it; unknowns = whose it is.
template <class T, int Dim, class Exec>
struct FluxAtNodes {
  Faces<T, Dim, Exec> faces;
  int points, nodes;
  Kokkos::View<const double*, typename Exec::memory_space> at_points;
  Kokkos::View<double*, typename Exec::memory_space> values;
  Kokkos::View<int*, typename Exec::memory_space> dofs;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t face = n / nodes;
    const auto i = static_cast<int>(n % nodes);
    const ElementSide at = faces.sides(face);
    double sum = 0;
    for (int q = 0; q < points; ++q)
      sum += at_points(face * points + q) * faces.polynomial(i, q, 0);
    values(n) = sum;
    dofs(n) = faces.dofs(faces.layout.node(at.element, faces.node(at.side, i)));
  }
};

// b(places(n)) += values(n), for components first to last - 1.
template <class T, class Exec>
struct AddAt {
  Kokkos::View<const int*, typename Exec::memory_space> places;
  Kokkos::View<const double*, typename Exec::memory_space> values;
  index_t entries;
  int first, last;
  linear::Vector<T, Exec> b;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    for (int c = first; c < last; ++c) b(places(n) + c * entries) += static_cast<T>(values(n));
  }
};

// b += (g, v) on the sides, for these components. Waits.
template <class T, int Dim, ExecutionSpace Exec, class G>
void add_flux_of(const Exec& exec, const Faces<T, Dim, Exec>& faces, index_t dofs, const G& g,
                 int first, int last, const linear::Vector<T, Exec>& b) {
  const int points = kolam::detail::power(faces.q1d, Dim - 1);
  const int nodes = kolam::detail::power(faces.layout.d1d, Dim - 1);
  const auto count = static_cast<index_t>(faces.sides.extent(0));
  const auto numbers = [&](auto zero, index_t n) {
    return kolam::detail::allocate_view<Kokkos::View<decltype(zero)*, typename Exec::memory_space>>(
        exec, "kolam::flux", n);
  };
  const auto at_points = numbers(0.0, count * points);
  forall(exec, "kolam::add_flux: at points", count * points,
         FluxAtPoints<T, Dim, Exec, G>{faces, points, g, at_points});
  const auto values = numbers(0.0, count * nodes);
  const auto unknowns = numbers(0, count * nodes);
  forall(exec, "kolam::add_flux: at nodes", count * nodes,
         FluxAtNodes<T, Dim, Exec>{faces, points, nodes, at_points, values, unknowns});
  exec.fence("kolam::add_flux");
  const auto on_host = [](const auto& view) {
    const auto there = kolam::detail::readable_on_host(view);
    return std::vector(there.data(), there.data() + there.extent(0));
  };
  const FluxSums added = add_by_dof(on_host(unknowns), on_host(values));
  const auto places = kolam::detail::to_space<int>(exec, "kolam::unknowns", added.dofs);
  const auto sums = kolam::detail::to_space<double>(exec, "kolam::sums", added.sums);
  forall(exec, "kolam::add_flux", static_cast<index_t>(places.extent(0)),
         AddAt<T, Exec>{places, sums, dofs, first, last, b});
  exec.fence("kolam::add_flux: the sums end here");
}

}  // namespace detail

/// b += (g, v) on the sides, for each of `Components` components: the flux c grad u . n = g of a
/// problem -div(c grad u) = f, or the traction of an elastic one. g is a functor on
/// BoundaryPoint<T, Dim> that returns a number, the same for every component, or one for each (a
/// Kokkos::Array), called on the space's exec.
/// b: of space.vector(label, Components). Sides without g have the flux 0; nodes with a Dirichlet
/// condition take nothing. In one order, so the same bits always. Throws InvalidArgument for an
/// element or a side that does not exist and for a b that is too short. Set-up. Waits. All
/// processes of the space call it.
template <int Components = 1, class T, int Dim, ExecutionSpace Exec, class G>
void add_flux(const FunctionSpace<T, Dim, Exec>& space, const std::vector<ElementSide>& sides,
              const G& g, const std::type_identity_t<linear::WriteVector<T, Exec>>& b) {
  const Exec& exec = space.exec;
  const linear::Vector<T, Exec> sum = b.read_write(exec);
  detail::require_sides(sides, space.elements(), Dim);
  kolam::detail::require_length("b", sum.extent(0), space.dofs.entries, Components);
  const ElementBasis& basis = space.basis;
  const detail::Faces<T, Dim, Exec> faces{
      space.nodes.layout,
      space.nodes.map,
      space.dofs.map,
      space.nodes.entries,
      space.coordinates->read(space.exec),
      kolam::detail::to_space<ElementSide>(exec, "kolam::sides", sides),
      kolam::detail::to_space<double>(exec, "kolam::values", basis.values.values),
      kolam::detail::to_space<double>(exec, "kolam::gradients", basis.values.gradients),
      kolam::detail::to_space<double>(exec, "kolam::weights", basis.quadrature.weights),
      basis.q1d()};
  space.begin_sum(sum, Components);
  if constexpr (detail::has_components<G, BoundaryPoint<T, Dim>>) {
    for (int c = 0; c < Components; ++c)
      detail::add_flux_of(exec, faces, space.dofs.entries, detail::ComponentOf<G>{g, c}, c, c + 1,
                          sum);
  } else {
    detail::add_flux_of(exec, faces, space.dofs.entries, g, 0, Components, sum);
  }
  space.end_sum(sum, Components);
  exec.fence("kolam::add_flux");
}

}  // namespace kolam::fem
