// SPDX-License-Identifier: Apache-2.0
// Physics on elements: an integrand combines physics (the operation at a point in space) with a
// geometry (the positions of the elements). Geometry is stored for every point, or computed at the
// points from a few numbers per element: for affine elements (parallelograms, parallelepipeds) and
// for trilinear ones (bilinear in two dimensions: any corners, straight edges). With a computed
// geometry, kernels read little more than the vectors.
//
//   const kolam::Diffusion<> laplace;
//   const auto f =
//       kolam::on_affine<3>(exec, basis, nodes, coordinates, laplace, kolam::Constant{1.0});
//   kolam::apply_elements<3>(exec, basis, f, nodes, x, nodes, y);
#pragma once

#include <kolam/kernels/element/detail/geometry_factors.hpp>
#include <kolam/kernels/element/detail/geometry_numbers.hpp>
#include <kolam/kernels/element/physics.hpp>
#include <utility>

namespace kolam {
namespace detail {

// `Count` numbers per point for the physics, in addition to a computed geometry.
template <class T, int Count, ExecutionSpace Exec>
struct PointData {
  QuadratureData<T, Count, Exec> data;
  template <ExecutionSpace Other>
  PointData<T, Count, Other> on_space() const {
    return {data.template on_space<Other>()};
  }
};
template <class T, ExecutionSpace Exec>
struct PointData<T, 0, Exec> {
  template <ExecutionSpace Other>
  PointData<T, 0, Other> on_space() const {
    return {};
  }
};

// The terms that physics needs at a point, and for an affine element.
template <class P>
inline constexpr Terms terms_of =
    is_isotropic<P>() ? static_cast<Terms>(static_cast<int>(P::reads) | static_cast<int>(P::writes))
                      : Terms::jacobian;
template <class P>
inline constexpr Terms affine_terms_of =
    is_isotropic<P>() ? Terms::metric_and_mass : Terms::jacobian;

}  // namespace detail

/// Geometry of elements of any shape, stored for every quadrature point: first the `Coefficients`
/// numbers of the physics, then the numbers of Terms: 1 for mass, Dim (Dim + 1) / 2 for isotropic
/// gradients, or a whole Jacobian, Dim^2 + 1.
template <class T, int Dim, detail::Terms What, int Coefficients, ExecutionSpace Exec>
struct StoredGeometry {
  static constexpr int dimensions = Dim;   ///< 2 or 3
  static constexpr bool by_lines = false;  ///< whether points of a line share work

  QuadratureData<T, Coefficients + detail::term_count<Dim>(What), Exec> data;  ///< at points
  /// See Integrand.
  template <ExecutionSpace Other>
  StoredGeometry<T, Dim, What, Coefficients, Other> on_space() const {
    return {data.template on_space<Other>()};
  }

  /// Returns the geometric factors for the physics at this point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION auto factors(const Point& at) const {
    using V = typename Point::value_type;
    const V* const numbers = at.data + Coefficients;
    if constexpr (What == detail::Terms::jacobian) {
      return detail::JacobianFactors<V, Dim>::of(numbers, numbers[Dim * Dim]);
    } else {
      return detail::MetricFactors<V, Dim, What>{numbers};
    }
  }
};

/// Geometry of elements with a constant Jacobian: parallelograms and parallelepipeds. In double
/// precision it takes 56 bytes per element for isotropic physics in three dimensions, 80 for other
/// physics.
template <class T, int Dim, detail::Terms What, int Coefficients, ExecutionSpace Exec>
struct AffineGeometry : detail::PointData<T, Coefficients, Exec> {
  static constexpr int dimensions = Dim;  ///< 2 or 3
  static constexpr bool by_lines = true;  ///< whether points of a line share work
  static constexpr int count = detail::term_count<Dim>(What);  ///< per element

  detail::ElementNumbers<T, count, Exec> numbers;  ///< numbers of Terms, for a point of weight 1
  /// See Integrand.
  template <ExecutionSpace Other>
  AffineGeometry<T, Dim, What, Coefficients, Other> on_space() const {
    return {detail::PointData<T, Coefficients, Exec>::template on_space<Other>(),
            numbers.template on_space<Other>()};
  }

  /// Returns the data shared by the points of a line along x.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION detail::AffineLine<V, Dim, What> on_line(index_t element,
                                                                       const int (&)[Dim]) const {
    detail::AffineLine<V, Dim, What> line;
    KOLAM_UNROLL
    for (int k = 0; k < count; ++k) line.numbers[k] = numbers.template of<V>(element, k);
    return line;
  }
};

/// Geometry of elements given by their corners: a polynomial of degree 1 in each direction. Takes
/// 184 bytes per element in three dimensions, 64 in two (double precision), and about 60 operations
/// per point.
template <class T, int Dim, int Coefficients, ExecutionSpace Exec>
struct TrilinearGeometry : detail::PointData<T, Coefficients, Exec> {
  static constexpr int dimensions = Dim;  ///< 2 or 3
  static constexpr bool by_lines = true;  ///< whether points of a line share work
  static constexpr int count = detail::CornerNumbers<T, Dim>::count;  ///< per element

  detail::ElementNumbers<T, count, Exec> numbers;              ///< see CornerNumbers
  Kokkos::View<const T*, typename Exec::memory_space> points;  ///< in one direction
  /// See Integrand.
  template <ExecutionSpace Other>
  TrilinearGeometry<T, Dim, Coefficients, Other> on_space() const {
    return {detail::PointData<T, Coefficients, Exec>::template on_space<Other>(),
            numbers.template on_space<Other>(), points};
  }

  /// Returns the data shared by the points of a line along x.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION detail::TrilinearLine<T, V, Dim> on_line(
      index_t element, const int (&index)[Dim]) const {
    detail::TrilinearLine<T, V, Dim> line;
    line.points = points.data();
    line.c = numbers.template of<V>(element, count - 2);
    line.d = numbers.template of<V>(element, count - 1);
    const V y = V(points(index[1]));
    KOLAM_UNROLL
    for (int i = 0; i < Dim; ++i) {
      const auto term = [&](int m) { return numbers.template of<V>(element, (m - 1) * Dim + i); };
      if constexpr (Dim == 2) {
        line.constant[0][i] = term(2);
        line.slope[0][i] = term(3);
        line.first[i] = multiply_add(y, term(3), term(1));
      } else {
        const V z = V(points(index[Dim - 1]));
        line.constant[0][i] = multiply_add(z, term(6), term(2));
        line.slope[0][i] = multiply_add(z, term(7), term(3));
        line.constant[Dim - 2][i] = multiply_add(y, term(6), term(4));
        line.slope[Dim - 2][i] = multiply_add(y, term(7), term(5));
        line.first[i] = multiply_add(z, line.slope[Dim - 2][i], multiply_add(y, term(3), term(1)));
      }
    }
    return line;
  }
};

namespace detail {

// Applies physics at a point, between the reference element and space. (The mass factor comes
// first, then gradient and value of each component in turn: with another order, some kernels need
// up to 8 more registers, or spill.)
template <class P, class Factors, class Point>
KOKKOS_FORCEINLINE_FUNCTION void act(const P& physics, const Factors& factors, Point& at) {
  if constexpr (!is_isotropic<P>() && has_gradients(P::reads)) {
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) factors.to_space(at.gradient[c]);
  }
  physics(at);
  const auto scale = [&](int c) {
    if constexpr (has_gradients(P::writes) && is_isotropic<P>()) factors.multiply(at.gradient[c]);
    if constexpr (has_gradients(P::writes) && !is_isotropic<P>())
      factors.to_reference(at.gradient[c]);
  };
  if constexpr (has_values(P::writes)) {
    const auto mass = factors.mass();
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) {
      scale(c);
      at.value[c] = mass * at.value[c];
    }
  } else {
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) scale(c);
  }
}

// Physics with the data shared by the points of a line along x.
template <class P, class Line>
struct OnLine {
  Line line;
  P physics;
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    act(physics, line.factors(at), at);
  }
};

}  // namespace detail

/// An Integrand made of physics on a geometry.
template <Physics P, class Geometry>
struct OnElements : Geometry {
  static constexpr int components = P::components;                        ///< as P's
  static constexpr bool component_wise = detail::is_component_wise<P>();  ///< as P's
  static constexpr auto reads = P::reads;                                 ///< as P's
  static constexpr auto writes = P::writes;                               ///< as P's

  P physics;  ///< operation at a point in space

  /// Returns the geometry of the elements.
  KOKKOS_FORCEINLINE_FUNCTION const Geometry& geometry() const { return *this; }
  /// See Integrand.
  template <ExecutionSpace Other>
  auto on_space() const {
    using There = decltype(std::declval<const Geometry&>().template on_space<Other>());
    return OnElements<P, There>{geometry().template on_space<Other>(), physics};
  }

  /// Applies the integrand at a point; called by apply_elements.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    if constexpr (Geometry::by_lines) {
      const auto& line =
          geometry().template on_line<typename Point::value_type>(at.element, at.index);
      detail::act(physics, line.factors(at), at);
    } else {
      detail::act(physics, geometry().factors(at), at);
    }
  }
  /// Returns the function for the points of a line along x: see Integrand.
  template <class V, int Dim>
    requires(Geometry::by_lines)  // (nvcc 13 takes no expression on Geometry for true here)
  KOKKOS_FORCEINLINE_FUNCTION auto on_line(index_t element, const int (&index)[Dim]) const {
    using Line = decltype(std::declval<const Geometry&>().template on_line<V>(element, index));
    return detail::OnLine<P, Line>{geometry().template on_line<V>(element, index), physics};
  }
};
// (The physics' own sizes, if it has them.)
namespace detail {
template <class P, class Geometry, class Exec>
  requires requires { typename P::sizes; }
struct SizesOf<OnElements<P, Geometry>, Exec> {
  using type = typename P::sizes;
};
}  // namespace detail

///@{
/// Integrands of physics on each of the geometries.
template <Physics P, class T, int Dim, ExecutionSpace Exec>
using OnStored =
    OnElements<P,
               StoredGeometry<T, Dim, detail::terms_of<P>, detail::coefficient_count<P>(), Exec>>;
template <Physics P, class T, int Dim, ExecutionSpace Exec>
using OnAffine = OnElements<
    P, AffineGeometry<T, Dim, detail::affine_terms_of<P>, detail::coefficient_count<P>(), Exec>>;
template <Physics P, class T, int Dim, ExecutionSpace Exec>
using OnTrilinear = OnElements<P, TrilinearGeometry<T, Dim, detail::coefficient_count<P>(), Exec>>;
///@}

namespace detail {

// Returns F = OnElements<P, a computed geometry>; Kind is AffineNumbers or CornerNumbers.
template <class F, class Kind, class T, int Dim, ExecutionSpace Exec, class P, class C, class D>
F on_computed(const Exec& exec, const ElementBasis& basis, const ElementRestriction<T, Exec>& nodes,
              const Kokkos::View<const T*, typename Exec::memory_space>& coordinates,
              const P& physics, const C& c, const D& d) {
  F result{{}, physics};
  if constexpr (is_isotropic<P>()) {
    result.numbers = element_numbers<Kind>(exec, basis, nodes, coordinates, coefficient_of<T>(c),
                                           coefficient_of<T>(d));
  } else {  // the physics has its own coefficients
    result.numbers = element_numbers<Kind>(exec, basis, nodes, coordinates, unit<T>(), unit<T>());
  }
  if constexpr (!Kind::linear)
    result.points = to_space<T>(exec, "kolam::points", basis.quadrature.points);
  constexpr int own = coefficient_count<P>();
  if constexpr (own > 0)
    result.data =
        mapped_data<Dim, own>(exec, basis, nodes, coordinates, OwnNumbers<P, C>{physics, c});
  exec.fence("kolam::geometry: the nodes end here");
  return result;
}

}  // namespace detail

///@{
/// Returns the integrand of `physics` on elements of any shape (`on_stored`) or of the named shape.
/// With a named shape, coefficients are constant on an element: c and d are called at its centre
/// (point -1, weight 1). For isotropic physics, c is the coefficient of gradients and d that of
/// values, both functors on MappedPoint. Other physics has its own coefficients; c(point, numbers)
/// fills them if the physics does not set them itself. Other arguments and errors are those of
/// mapped_data. Throws InvalidArgument, naming the first element, if elements have another shape.
/// Waits. For set-up.
template <int Dim, class T, ExecutionSpace Exec, Physics P, class C = Constant<T>,
          class D = Constant<T>>
OnStored<P, T, Dim, Exec> on_stored(const Exec& exec, const ElementBasis& basis,
                                    const ElementRestriction<T, Exec>& nodes,
                                    const detail::Numbers<T, Exec>& coordinates, const P& physics,
                                    const C& c = detail::unit<T>(),
                                    const D& d = detail::unit<T>()) {
  constexpr detail::Terms what = detail::terms_of<P>;
  constexpr int count = detail::coefficient_count<P>() + detail::term_count<Dim>(what);
  const auto numbers = detail::stored_numbers<what, T>(physics, c, d);
  return {{mapped_data<Dim, count>(exec, basis, nodes, coordinates, numbers)}, physics};
}
template <int Dim, class T, ExecutionSpace Exec, Physics P, class C = Constant<T>,
          class D = Constant<T>>
OnAffine<P, T, Dim, Exec> on_affine(const Exec& exec, const ElementBasis& basis,
                                    const ElementRestriction<T, Exec>& nodes,
                                    const detail::Numbers<T, Exec>& coordinates, const P& physics,
                                    const C& c = detail::unit<T>(),
                                    const D& d = detail::unit<T>()) {
  using Numbers = detail::AffineNumbers<T, Dim, detail::affine_terms_of<P>>;
  return detail::on_computed<OnAffine<P, T, Dim, Exec>, Numbers, T, Dim>(
      exec, basis, nodes, coordinates, physics, c, d);
}
template <int Dim, class T, ExecutionSpace Exec, Physics P, class C = Constant<T>,
          class D = Constant<T>>
OnTrilinear<P, T, Dim, Exec> on_trilinear(const Exec& exec, const ElementBasis& basis,
                                          const ElementRestriction<T, Exec>& nodes,
                                          const detail::Numbers<T, Exec>& coordinates,
                                          const P& physics, const C& c = detail::unit<T>(),
                                          const D& d = detail::unit<T>()) {
  using Numbers = detail::CornerNumbers<T, Dim>;
  return detail::on_computed<OnTrilinear<P, T, Dim, Exec>, Numbers, T, Dim>(
      exec, basis, nodes, coordinates, physics, c, d);
}
///@}

/// Returns whether all elements are affine. Arguments are as for mapped_data. Waits. For set-up.
template <int Dim, class T, ExecutionSpace Exec>
bool are_affine(const Exec& exec, const ElementBasis& basis,
                const ElementRestriction<T, Exec>& nodes,
                const detail::Numbers<T, Exec>& coordinates) {
  return detail::ElementShapes<Dim, T, Exec>(exec, basis, nodes, coordinates).first_other(true) ==
         std::numeric_limits<index_t>::max();
}

}  // namespace kolam

#include <kolam/kernels/element/detail/compiled_integrands.hpp>
