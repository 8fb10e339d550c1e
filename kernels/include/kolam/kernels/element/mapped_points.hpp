// SPDX-License-Identifier: Apache-2.0
// Quadrature points of elements in space. The map of an element takes the reference element
// [0, 1]^Dim to its position in space. It is a polynomial in each direction, given by the positions
// of the element's nodes, so elements may be curved.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/kernels/element/operator.hpp>

namespace kolam {
namespace detail {

// Returns the determinant of a Jacobian; [i][j]: derivative of x[i] along direction j.
template <class V, int Dim>
KOKKOS_FORCEINLINE_FUNCTION V determinant(const V (&j)[Dim][Dim]) {
  if constexpr (Dim == 2) return j[0][0] * j[1][1] - j[0][1] * j[1][0];
  if constexpr (Dim == 3) {
    return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
           j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
           j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
  }
}

}  // namespace detail

/// A quadrature point of one element, mapped to space.
template <class T, int Dim>
struct MappedPoint {
  index_t element;       ///< number of the element, from 0
  int point;             ///< number of the point in the element, x fastest
  T weight;              ///< quadrature weight on the reference element
  T x[Dim];              ///< position in space
  T jacobian[Dim][Dim];  ///< [i][j]: derivative of x[i] along direction j of the reference element

  /// Returns the determinant of the Jacobian: positive unless the element is inverted.
  KOKKOS_FUNCTION T determinant() const { return detail::determinant(jacobian); }
};

/// A constant coefficient. Any other coefficient is a functor on MappedPoint,
/// which may use the element, the point or the position.
template <class T>
struct Constant {
  T value;  ///< value at all points
  /// Returns the value, at any point.
  template <class Point>
  KOKKOS_FUNCTION T operator()(const Point&) const {
    return value;
  }
};
/// Deduction guide for Constant{1.0}, which clang before 17 needs.
template <class T>
Constant(T) -> Constant<T>;

namespace detail {

// One quadrature point of the mapped elements that Exec processes together.
template <class T, int Dim, ExecutionSpace Exec>
struct MappedLanes {
  static constexpr int lanes = simd_width<Exec, T>;
  index_t element;  // the first element
  int point, count;
  T weight[lanes], x[Dim][lanes], jacobian[Dim][Dim][lanes];

  KOKKOS_FUNCTION MappedPoint<T, Dim> operator[](int lane) const {
    MappedPoint<T, Dim> at;
    at.element = element + lane;
    at.point = point;
    at.weight = weight[lane];
    for (int i = 0; i < Dim; ++i) {
      at.x[i] = x[i][lane];
      for (int j = 0; j < Dim; ++j) at.jacobian[i][j] = jacobian[i][j][lane];
    }
    return at;
  }
};

// An integrand that calls visit(MappedLanes) at all points. The components of its field are the
// coordinates.
template <class T, int Dim, ExecutionSpace Exec, class Visit>
struct MappedPoints {
  static constexpr int components = Dim;
  static constexpr auto reads = Evaluation::values_and_gradients;
  static constexpr auto writes = Evaluation::none;
  using sizes = ElementSizeList<>;
  Visit visit;
  index_t elements;
  int q1d;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point& at) const {
    using Lanes = MappedLanes<T, Dim, Exec>;
    Lanes here;
    here.element = at.element;
    here.point = at.index[0] + q1d * (at.index[1] + (Dim == 3 ? q1d * at.index[Dim - 1] : 0));
    here.count = static_cast<int>(Kokkos::min<index_t>(Lanes::lanes, elements - at.element));
    store_simd(here.weight, at.weight);
    for (int i = 0; i < Dim; ++i) {
      store_simd(here.x[i], at.value[i]);
      for (int j = 0; j < Dim; ++j) store_simd(here.jacobian[i][j], at.gradient[i][j]);
    }
    visit(here);
  }
};

// Sets the data of points to the numbers that `fill` gives.
template <class T, int Dim, int Count, ExecutionSpace Exec, class Fill>
struct StoreNumbers {
  QuadratureData<T, Count, Exec> data;
  ElementLayout<T, Exec> layout;
  int q1d;
  Fill fill;
  template <class Lanes>
  KOKKOS_FUNCTION void operator()(const Lanes& points) const {
    for (int lane = 0; lane < points.count; ++lane) {
      T numbers[Count] = {};
      fill(points[lane], numbers);
      for (int k = 0; k < Count; ++k)
        data.values(layout.datum(points.element + lane, points.point, k, q1d, Count)) = numbers[k];
    }
  }
};

// On hosts `visit` is called through its address, so that the kernel is compiled once, in the
// library.
template <class T, int Dim>
struct AnyVisit {
  using Lanes = MappedLanes<T, Dim, AnyHost>;
  void (*call)(const void* visit, const Lanes& points);
  const void* visit;
  KOKKOS_FUNCTION void operator()(const Lanes& points) const { call(visit, points); }
};
template <class T, int Dim>
using MappedPointsOnHost = MappedPoints<T, Dim, AnyHost, AnyVisit<T, Dim>>;

// Calls `visit` with all points of the elements of `nodes`.
template <int Dim, class T, ExecutionSpace Exec, class Visit>
void visit_points(const Exec& exec, const ElementBasis& basis,
                  const ElementRestriction<T, Exec>& nodes,
                  const Kokkos::View<const T*, typename Exec::memory_space>& coordinates,
                  const Visit& visit) {
  const auto apply = [&](const auto& points) {
    apply_elements<Dim, T, Exec>(exec, basis, points, nodes, coordinates, nodes, {});
  };
  if constexpr (has_block_threads<Exec>) {
    apply(MappedPoints<T, Dim, Exec, Visit>{visit, nodes.elements, basis.q1d()});
  } else {
    const auto call = [](const void* any, const MappedLanes<T, Dim, AnyHost>& points) {
      (*static_cast<const Visit*>(any))(points);
    };
    apply(MappedPointsOnHost<T, Dim>{{call, &visit}, nodes.elements, basis.q1d()});
  }
}

struct Determinant {
  template <class T, int Dim>
  KOKKOS_FUNCTION void operator()(const MappedPoint<T, Dim>& at, T (&numbers)[1]) const {
    numbers[0] = at.determinant();
  }
};

// (Not deduced, so that a View<T*> is accepted.)
template <class T, ExecutionSpace Exec>
using Numbers = std::type_identity_t<Kokkos::View<const T*, typename Exec::memory_space>>;

[[noreturn]] void refuse_element(index_t element, int point, double determinant);

}  // namespace detail

/// Returns `Count` numbers for each quadrature point of all elements: calls `fill(point, numbers)`
/// on Exec with a MappedPoint<T, Dim> and T (&)[Count]. nodes: map of each element's nodes;
/// coordinates: [nodes.entries, Dim], entries fastest. For set-up: runs the generic kernel once.
/// Waits on hosts. Throws InvalidArgument as apply_elements does.
template <int Dim, int Count, class T, ExecutionSpace Exec, class Fill>
QuadratureData<T, Count, Exec> mapped_data(const Exec& exec, const ElementBasis& basis,
                                           const ElementRestriction<T, Exec>& nodes,
                                           const detail::Numbers<T, Exec>& coordinates,
                                           const Fill& fill) {
  const auto data = detail::empty_quadrature_data<Count>(exec, basis, nodes);
  detail::visit_points<Dim, T, Exec>(
      exec, basis, nodes, coordinates,
      detail::StoreNumbers<T, Dim, Count, Exec, Fill>{data, nodes.layout, basis.q1d(), fill});
  return data;
}

namespace detail {

// Finds the first point whose determinant is not positive.
template <class T, class Exec>
struct FindNotPositive {
  QuadratureData<T, 1, Exec> data;
  ElementLayout<T, Exec> layout;
  int q1d, points;
  KOKKOS_FUNCTION void operator()(index_t n, index_t& first) const {
    const T value = data.values(layout.datum(n / points, static_cast<int>(n % points), 0, q1d, 1));
    if (!(value > 0)) first = Kokkos::min(first, n);
  }
};

}  // namespace detail

/// Throws InvalidArgument if the determinant of an element's map is not positive at a quadrature
/// point (inverted, flat, or not a number), naming the first such element.
/// Waits.
template <int Dim, class T, ExecutionSpace Exec>
void require_positive_jacobian(const Exec& exec, const ElementBasis& basis,
                               const ElementRestriction<T, Exec>& nodes,
                               const detail::Numbers<T, Exec>& coordinates) {
  const auto data = mapped_data<Dim, 1>(exec, basis, nodes, coordinates, detail::Determinant{});
  const auto layout = nodes.layout;
  const int q1d = basis.q1d();
  const int points = detail::power(q1d, Dim);
  constexpr index_t none = std::numeric_limits<index_t>::max();
  const index_t bad =
      min<index_t>(exec, "kolam::require_positive_jacobian", nodes.elements * points,
                   detail::FindNotPositive<T, Exec>{data, layout, q1d, points});
  if (bad == none) return;
  const auto there = detail::readable_on_host(data.values);
  const auto point = static_cast<int>(bad % points);
  detail::refuse_element(bad / points, point, there(layout.datum(bad / points, point, 0, q1d, 1)));
}

// Compiled in the library.
#define KOLAM_EXTERN_MAPPED_POINTS(DIM, T) \
  extern KOLAM_HOST_PLAN(DIM, T, detail::MappedPointsOnHost<T, DIM>)
KOLAM_EXTERN_MAPPED_POINTS(2, float)
KOLAM_EXTERN_MAPPED_POINTS(2, double)
KOLAM_EXTERN_MAPPED_POINTS(3, float)
KOLAM_EXTERN_MAPPED_POINTS(3, double)
#undef KOLAM_EXTERN_MAPPED_POINTS

}  // namespace kolam
