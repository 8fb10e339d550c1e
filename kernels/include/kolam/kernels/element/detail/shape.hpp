// SPDX-License-Identifier: Apache-2.0
// The shapes of elements: whether the corners of an element determine all its nodes.
#pragma once

#include <kolam/core/detail/allocate.hpp>
#include <kolam/kernels/element/mapped_points.hpp>

namespace kolam::detail {

// The corners of an element: bit d of `corner` selects the end of direction d.
template <class T, int Dim, ExecutionSpace Exec>
struct ElementCorners {
  ElementLayout<T, Exec> layout;
  Kokkos::View<const int*, typename Exec::memory_space> map;
  index_t entries;
  Kokkos::View<const T*, typename Exec::memory_space> coordinates;
  Kokkos::View<const T*, typename Exec::memory_space> positions;  // of nodes in a direction

  KOKKOS_FUNCTION T coordinate(index_t element, int node, int i) const {
    return coordinates(map(layout.node(element, node)) + i * entries);
  }
  KOKKOS_FUNCTION T corner(index_t element, int corner, int i) const {
    int node = 0;
    for (int d = Dim - 1; d >= 0; --d)
      node = node * layout.d1d + ((corner >> d) & 1) * (layout.d1d - 1);
    return coordinate(element, node, i);
  }
  // Sets g so that x = sum of g[m] times the product of the reference coordinates whose bits m has.
  KOKKOS_FUNCTION void polynomial(index_t element, T (&g)[power(2, Dim)][Dim]) const {
    for (int m = 0; m < power(2, Dim); ++m)
      for (int i = 0; i < Dim; ++i) g[m][i] = corner(element, m, i);
    for (int d = 0; d < Dim; ++d)
      for (int m = 0; m < power(2, Dim); ++m)
        if (((m >> d) & 1) != 0)
          for (int i = 0; i < Dim; ++i) g[m][i] -= g[m - (1 << d)][i];
  }
  // Returns the largest distance of a node, in a coordinate, from its position by the corners'
  // polynomial (or by its linear part), divided by the largest coordinate of the element.
  KOKKOS_FUNCTION double deviation(index_t element, bool linear) const {
    T g[power(2, Dim)][Dim];
    polynomial(element, g);
    double most = 0;
    double size = 0;
    for (int node = 0; node < layout.nodes(); ++node) {
      T at[Dim];
      for (int d = 0, rest = node; d < Dim; ++d, rest /= layout.d1d)
        at[d] = positions(rest % layout.d1d);
      for (int i = 0; i < Dim; ++i) {
        T x = 0;
        for (int m = 0; m < power(2, Dim); ++m) {
          if (linear && (m & (m - 1)) != 0) continue;
          T term = g[m][i];
          for (int d = 0; d < Dim; ++d)
            if (((m >> d) & 1) != 0) term *= at[d];
          x += term;
        }
        const T is = coordinate(element, node, i);
        most = Kokkos::max(most, Kokkos::abs(static_cast<double>(x) - is));
        size = Kokkos::max(size, Kokkos::abs(static_cast<double>(is)));
      }
    }
    return most / size;
  }
};

// Returns the centre of an element whose polynomial is g.
template <class T, int Dim>
KOKKOS_FUNCTION MappedPoint<T, Dim> centre(index_t element, const T (&g)[power(2, Dim)][Dim]) {
  MappedPoint<T, Dim> at;
  at.element = element;
  at.point = -1;
  at.weight = 1;
  for (int i = 0; i < Dim; ++i) {
    at.x[i] = 0;
    for (int d = 0; d < Dim; ++d) at.jacobian[i][d] = 0;
    for (int m = 0; m < power(2, Dim); ++m) {
      T term = g[m][i];
      for (int d = 0; d < Dim; ++d)
        if (((m >> d) & 1) != 0) term /= 2;
      at.x[i] += term;
      for (int d = 0; d < Dim; ++d)
        if (((m >> d) & 1) != 0) at.jacobian[i][d] += 2 * term;
    }
  }
  return at;
}

[[noreturn]] void refuse_shape(const char* shape, index_t element, double deviation);

// Finds the first element that is not of the shape.
template <class T, int Dim, class Exec>
struct FindWrongShape {
  ElementCorners<T, Dim, Exec> corners;
  bool linear;
  double tolerance;
  KOKKOS_FUNCTION void operator()(index_t e, index_t& first) const {
    if (!(corners.deviation(e, linear) <= tolerance)) first = Kokkos::min(first, e);
  }
};
// Finds how far an element is from the shape.
template <class T, int Dim, class Exec>
struct DeviationOf {
  ElementCorners<T, Dim, Exec> corners;
  bool linear;
  index_t element;
  KOKKOS_FUNCTION void operator()(index_t, double& most) const {
    most = Kokkos::max(most, corners.deviation(element, linear));
  }
};

// The shapes of all elements of `nodes`. The queries wait.
template <int Dim, class T, ExecutionSpace Exec>
class ElementShapes {
 public:
  ElementShapes(const Exec& exec, const ElementBasis& basis,
                const ElementRestriction<T, Exec>& nodes,
                const Kokkos::View<const T*, typename Exec::memory_space>& coordinates)
      : exec_(exec),
        elements_(nodes.elements),
        corners_{nodes.layout, nodes.map, nodes.entries, coordinates,
                 to_space<T>(exec, "kolam::nodes", basis.nodes)} {}

  const ElementCorners<T, Dim, Exec>& corners() const { return corners_; }
  // Returns the first element that is not given by its corners (`linear`: by a linear map), or the
  // greatest index if all are.
  index_t first_other(bool linear) const;
  // Throws InvalidArgument unless all elements are of the shape.
  void require(bool linear) const;

 private:
  Exec exec_;
  index_t elements_;
  ElementCorners<T, Dim, Exec> corners_;
};

template <int Dim, class T, ExecutionSpace Exec>
index_t ElementShapes<Dim, T, Exec>::first_other(bool linear) const {
  // Allows for rounding of coordinates and of values computed from them.
  const double tolerance = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());
  return min<index_t>(exec_, "kolam::element_shapes", elements_,
                      FindWrongShape<T, Dim, Exec>{corners_, linear, tolerance});
}

template <int Dim, class T, ExecutionSpace Exec>
void ElementShapes<Dim, T, Exec>::require(bool linear) const {
  const index_t bad = first_other(linear);
  if (bad == std::numeric_limits<index_t>::max()) return;
  refuse_shape(linear ? "affine" : "trilinear", bad,
               reduce<Kokkos::Max<double>>(exec_, "kolam::element_shapes", 1, 0.0,
                                           DeviationOf<T, Dim, Exec>{corners_, linear, bad}));
}

}  // namespace kolam::detail
