// SPDX-License-Identifier: Apache-2.0
// Kernels on sides of elements: their nodes, quadrature points and integrands.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/fem/function_space.hpp>
#include <kolam/fem/mesh.hpp>
#include <vector>

namespace kolam::fem {

/// A quadrature point on the boundary.
template <class T, int Dim>
struct BoundaryPoint {
  index_t element;  ///< element of the side, see ElementSide
  int side;         ///< number of the side, see ElementSide
  T x[Dim];         ///< position
  T normal[Dim];    ///< outward unit normal
};

namespace detail {

// Throws InvalidArgument, in the name of `who`, for a side that does not exist.
void require_sides(const char* who, const std::vector<ElementSide>& sides, index_t elements,
                   int dimensions);

// The basis functions of elements on their faces, at quadrature points.
template <class T, int Dim, ExecutionSpace Exec>
struct FacePolynomials {
  kolam::detail::ElementLayout<T, Exec> layout;
  Kokkos::View<const double*, typename Exec::memory_space> values;     // [q1d, d1d]
  Kokkos::View<const double*, typename Exec::memory_space> gradients;  // [q1d, d1d]
  int q1d;

  // Returns the number of nodes of a face.
  KOKKOS_FUNCTION int count() const { return kolam::detail::power(layout.d1d, Dim - 1); }
  // Returns the index of node i of the face in the map of the element restriction.
  KOKKOS_FUNCTION index_t node(const ElementSide& at, int i) const {
    int index[Dim];
    index[at.side / 2] = at.side % 2 == 0 ? 0 : layout.d1d - 1;
    for (int a = 1; a < Dim; ++a, i /= layout.d1d) index[(at.side / 2 + a) % Dim] = i % layout.d1d;
    int result = 0;
    for (int k = Dim - 1; k >= 0; --k) result = result * layout.d1d + index[k];
    return layout.node(at.element, result);
  }
  // Returns the basis function of node i at point q, or its derivative along `derived`
  // (1 to Dim - 1; 0: none).
  KOKKOS_FUNCTION double at(int i, int q, int derived) const {
    double product = 1;
    for (int a = 1; a < Dim; ++a, i /= layout.d1d, q /= q1d) {
      const int place = q % q1d + q1d * (i % layout.d1d);
      product *= a == derived ? gradients(place) : values(place);
    }
    return product;
  }
};
template <class T, int Dim, ExecutionSpace Exec>
FacePolynomials<T, Dim, Exec> face_polynomials(
    const Exec& exec, const ElementBasis& basis,
    const kolam::detail::ElementLayout<T, Exec>& layout) {
  return {layout, kolam::detail::to_space<double>(exec, "kolam::values", basis.values.values),
          kolam::detail::to_space<double>(exec, "kolam::gradients", basis.values.gradients),
          basis.q1d()};
}

// Faces of elements with the nodes, geometry and quadrature of their space.
template <class T, int Dim, ExecutionSpace Exec>
struct Faces {
  FacePolynomials<T, Dim, Exec> field;
  Kokkos::View<const int*, typename Exec::memory_space> nodes;
  Kokkos::View<const int*, typename Exec::memory_space> dofs;
  FacePolynomials<T, Dim, Exec> geometry;
  Kokkos::View<const int*, typename Exec::memory_space> geometry_nodes;
  index_t geometry_count;
  linear::ConstVector<T, Exec> coordinates;
  Kokkos::View<const ElementSide*, typename Exec::memory_space> sides;
  Kokkos::View<const double*, typename Exec::memory_space> weights;  // [q1d]

  // Returns the number of quadrature points of a face.
  KOKKOS_FUNCTION int points() const { return kolam::detail::power(field.q1d, Dim - 1); }
  // Returns g * weight * |surface element| at point q of a face.
  template <class G>
  KOKKOS_FUNCTION double flux(index_t face, int q, const G& g) const {
    const ElementSide at = sides(face);
    double x[Dim] = {};
    double tangent[2][Dim] = {};
    for (int i = 0; i < geometry.count(); ++i) {
      const index_t place = geometry_nodes(geometry.node(at, i));
      for (int k = 0; k < Dim; ++k) {
        const double coordinate = coordinates(place + k * geometry_count);
        x[k] += coordinate * geometry.at(i, q, 0);
        for (int a = 1; a < Dim; ++a) tangent[a - 1][k] += coordinate * geometry.at(i, q, a);
      }
    }
    double area[Dim];  // normal with the length of the surface element
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
    for (int a = 1; a < Dim; ++a, q /= field.q1d) weight *= weights(q % field.q1d);
    return weight * static_cast<double>(g(point));
  }
};

// Returns the faces of a space at these sides, which must exist.
template <class T, int Dim, ExecutionSpace Exec>
Faces<T, Dim, Exec> faces_of(const FunctionSpace<T, Dim, Exec>& space,
                             const std::vector<ElementSide>& sides) {
  const Exec& exec = space.exec;
  const ElementPositions<T, Exec> positions = space.positions();
  return {face_polynomials<T, Dim>(exec, space.basis, space.nodes.layout),
          space.nodes.map,
          space.dofs.map,
          face_polynomials<T, Dim>(exec, positions.basis, positions.nodes.layout),
          positions.nodes.map,
          positions.nodes.entries,
          positions.coordinates->read(exec),
          kolam::detail::to_space<ElementSide>(exec, "kolam::sides", sides),
          kolam::detail::to_space<double>(exec, "kolam::weights", space.basis.quadrature.weights)};
}

// at_points = the flux at each point of each side.
template <class T, int Dim, class Exec, class G>
struct FluxAtPoints {
  Faces<T, Dim, Exec> faces;
  G g;
  Kokkos::View<double*, typename Exec::memory_space> at_points;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const int points = faces.points();
    at_points(n) = faces.flux(n / points, static_cast<int>(n % points), g);
  }
};

}  // namespace detail
}  // namespace kolam::fem
