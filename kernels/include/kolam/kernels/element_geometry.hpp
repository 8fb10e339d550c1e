// SPDX-License-Identifier: Apache-2.0
// Geometry that is computed at the points from a few numbers of each element, instead of stored for
// every point: affine elements (parallelograms, parallelepipeds) and trilinear ones (bilinear in
// two dimensions: any corners, straight edges). Kernels then read next to nothing but vectors.
//
//   const kolam::Constant<double> one{1};
//   kolam::DiffusionOn<1, kolam::AffineElements<double, 3, Exec>> laplace{
//       kolam::affine_elements<3>(exec, basis, nodes, coordinates, one, one)};
#pragma once

#include <kolam/core/detail/allocate.hpp>
#include <kolam/kernels/detail/element_lines.hpp>
#include <kolam/kernels/geometry.hpp>

namespace kolam {
namespace detail {

// `Count` numbers of each element, in the order in which kernels on Exec read them.
template <class T, int Count, ExecutionSpace Exec>
struct ElementNumbers {
  Kokkos::View<T*, typename Exec::memory_space> values;
  template <ExecutionSpace Other>
  ElementNumbers<T, Count, Other> on_space() const {
    return {values};
  }

  // Elements whose same number lies side by side: lanes, or threads of a warp.
  static constexpr int together = has_block_threads<Exec> ? 32 : lane_count<Exec, T>;

  // The place of number k of an element.
  KOKKOS_FORCEINLINE_FUNCTION static index_t place(index_t element, int k) {
    return element % together + together * (k + Count * (element / together));
  }
  // Number k of the elements that begin with one.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION V of(index_t element, int k) const {
    return load_lanes<V>(values.data() + place(element, k));
  }
};

// The corners of an element: bit d of `corner` says at which end of direction d.
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
  // x = sum of g[m] times the product of the reference coordinates whose bits m has.
  KOKKOS_FUNCTION void polynomial(index_t element, T (&g)[power(2, Dim)][Dim]) const {
    for (int m = 0; m < power(2, Dim); ++m)
      for (int i = 0; i < Dim; ++i) g[m][i] = corner(element, m, i);
    for (int d = 0; d < Dim; ++d)
      for (int m = 0; m < power(2, Dim); ++m)
        if (((m >> d) & 1) != 0)
          for (int i = 0; i < Dim; ++i) g[m][i] -= g[m - (1 << d)][i];
  }
  // The largest distance of a node, in a coordinate, from where the corners' polynomial (or what of
  // it is linear) puts it, over the largest coordinate of the element.
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

// The point in the middle of an element whose polynomial is g.
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

// The first element that is not of the shape.
template <class T, int Dim, class Exec>
struct FindWrongShape {
  ElementCorners<T, Dim, Exec> corners;
  bool linear;
  double tolerance;
  KOKKOS_FUNCTION void operator()(index_t e, index_t& first) const {
    if (!(corners.deviation(e, linear) <= tolerance)) first = Kokkos::min(first, e);
  }
};
// How far it is from it.
template <class T, int Dim, class Exec>
struct DeviationOf {
  ElementCorners<T, Dim, Exec> corners;
  bool linear;
  index_t element;
  KOKKOS_FUNCTION void operator()(index_t, double& most) const {
    most = Kokkos::max(most, corners.deviation(element, linear));
  }
};
template <class Elements, class T, int Dim, class Exec, class C, class D>
struct FillElements {
  ElementCorners<T, Dim, Exec> corners;
  index_t elements;
  C c;
  D d;
  decltype(Elements::numbers) numbers;
  KOKKOS_FUNCTION void operator()(index_t place) const {
    const index_t e = Kokkos::min(place, elements - 1);
    T g[power(2, Dim)][Dim];
    corners.polynomial(e, g);
    const MappedPoint<T, Dim> at = centre(e, g);
    T of_element[Elements::count];
    Elements::fill(g, at, static_cast<T>(c(at)), static_cast<T>(d(at)), of_element);
    for (int k = 0; k < Elements::count; ++k)
      numbers.values(numbers.place(place, k)) = of_element[k];
  }
};

template <class Elements, class T, int Dim, ExecutionSpace Exec, class C, class D>
Elements elements_of(const Exec& exec, const ElementBasis& basis,
                     const ElementRestriction<T, Exec>& nodes,
                     const Kokkos::View<const T*, typename Exec::memory_space>& coordinates,
                     const C& c, const D& d) {
  const ElementCorners<T, Dim, Exec> corners{nodes.layout, nodes.map, nodes.entries, coordinates,
                                             to_space<T>(exec, "kolam::nodes", basis.nodes)};
  // Rounding of coordinates, and of what is computed with them.
  const double tolerance = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());
  constexpr index_t none = std::numeric_limits<index_t>::max();
  const index_t bad = reduce<Kokkos::Min<index_t>>(
      exec, "kolam::elements_of", nodes.elements, none,
      FindWrongShape<T, Dim, Exec>{corners, Elements::linear, tolerance});
  if (bad != none) {
    const double deviation =
        reduce<Kokkos::Max<double>>(exec, "kolam::elements_of", 1, 0.0,
                                    DeviationOf<T, Dim, Exec>{corners, Elements::linear, bad});
    refuse_shape(Elements::shape, bad, deviation);
  }
  // Lanes take whole groups of elements: those that are none are as the last one.
  Elements result;
  constexpr index_t together = decltype(result.numbers)::together;
  const index_t places = (nodes.elements + together - 1) / together * together;
  result.numbers.values = allocate_view<Kokkos::View<T*, typename Exec::memory_space>>(
      exec, "kolam::geometry", places * Elements::count);
  if constexpr (!Elements::linear)
    result.points = to_space<T>(exec, "kolam::points", basis.quadrature.points);
  forall(exec, "kolam::elements_of", places,
         FillElements<Elements, T, Dim, Exec, C, D>{corners, nodes.elements, c, d, result.numbers});
  exec.fence("kolam::elements_of: the nodes end here");
  return result;
}

}  // namespace detail

/// Elements whose Jacobian is the same everywhere: parallelograms and parallelepipeds. 56 bytes an
/// element in three dimensions, 32 in two (double precision).
template <class T, int Dim, ExecutionSpace Exec>
struct AffineElements {
  static constexpr bool linear = true;                   ///< whether the map of an element is
  static constexpr const char* shape = "affine";         ///< for errors
  static constexpr int count = symmetric_size<Dim> + 1;  ///< numbers of an element

  detail::ElementNumbers<T, count, Exec> numbers;  ///< c det J^-1 J^-T, then d det
  /// See Integrand.
  template <ExecutionSpace Other>
  AffineElements<T, Dim, Other> on_space() const {
    return {numbers.template on_space<Other>()};
  }

  /// What the integrands below take of the points of a line along x.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION detail::AffineLine<V, Dim> on_line(index_t element,
                                                                 const int (&)[Dim]) const {
    detail::AffineLine<V, Dim> line;
    KOLAM_UNROLL
    for (int k = 0; k < count; ++k) line.numbers[k] = numbers.template of<V>(element, k);
    return line;
  }

  /// \cond
  // (For affine_elements.)
  KOKKOS_FUNCTION static void fill(const T (&)[detail::power(2, Dim)][Dim],
                                   const MappedPoint<T, Dim>& centre, T c, T d,
                                   T (&of_element)[count]) {
    detail::diffusion_numbers(centre, c, of_element);
    of_element[count - 1] = d * centre.determinant();
  }
  /// \endcond
};

/// Elements given by their corners: a polynomial of degree 1 in each direction. 184 bytes an
/// element in three dimensions, 64 in two (double precision), and about 60 operations a point.
template <class T, int Dim, ExecutionSpace Exec>
struct TrilinearElements {
  static constexpr bool linear = false;                    ///< whether the map of an element is
  static constexpr const char* shape = "trilinear";        ///< for errors
  static constexpr int terms = detail::power(2, Dim) - 1;  ///< of the polynomial, but the constant
  static constexpr int count = Dim * terms + 2;            ///< numbers of an element

  detail::ElementNumbers<T, count, Exec> numbers;              ///< [terms, Dim], then c and d
  Kokkos::View<const T*, typename Exec::memory_space> points;  ///< in a direction
  /// See Integrand.
  template <ExecutionSpace Other>
  TrilinearElements<T, Dim, Other> on_space() const {
    return {numbers.template on_space<Other>(), points};
  }

  /// As AffineElements' on_line.
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

  /// \cond
  // (For trilinear_elements.)
  KOKKOS_FUNCTION static void fill(const T (&g)[detail::power(2, Dim)][Dim],
                                   const MappedPoint<T, Dim>&, T c, T d, T (&of_element)[count]) {
    for (int m = 1; m <= terms; ++m)
      for (int i = 0; i < Dim; ++i) of_element[(m - 1) * Dim + i] = g[m][i];
    of_element[count - 2] = c;
    of_element[count - 1] = d;
  }
  /// \endcond
};

/// The geometry of elements that are affine, with coefficients that are constant on each: c of
/// diffusion and d of mass, functors on a MappedPoint, called once for each element with the point
/// in its middle (point -1, weight 1). Arguments as of mapped_data. Throws InvalidArgument that
/// names the first element that has another shape. Waits. Set-up.
template <int Dim, class T, ExecutionSpace Exec, class C, class D>
AffineElements<T, Dim, Exec> affine_elements(const Exec& exec, const ElementBasis& basis,
                                             const ElementRestriction<T, Exec>& nodes,
                                             const detail::Numbers<T, Exec>& coordinates,
                                             const C& c, const D& d) {
  return detail::elements_of<AffineElements<T, Dim, Exec>, T, Dim, Exec>(exec, basis, nodes,
                                                                         coordinates, c, d);
}

/// The same of elements whose nodes lie where polynomials of degree 1 in each direction put them.
template <int Dim, class T, ExecutionSpace Exec, class C, class D>
TrilinearElements<T, Dim, Exec> trilinear_elements(const Exec& exec, const ElementBasis& basis,
                                                   const ElementRestriction<T, Exec>& nodes,
                                                   const detail::Numbers<T, Exec>& coordinates,
                                                   const C& c, const D& d) {
  return detail::elements_of<TrilinearElements<T, Dim, Exec>, T, Dim, Exec>(exec, basis, nodes,
                                                                            coordinates, c, d);
}

namespace detail {

// Of AffineElements, TrilinearElements, or a line of one of them.
template <class Elements, class Point>
KOKKOS_FORCEINLINE_FUNCTION auto factors_at(const Elements& elements, const Point& at) {
  if constexpr (requires { elements.factors(at); }) {
    return elements.factors(at);
  } else {
    return elements.template on_line<typename Point::value_type>(at.element, at.index).factors(at);
  }
}

}  // namespace detail

/// Mass on AffineElements or TrilinearElements: (d u, v).
template <int Components, class Elements>
struct MassOn {
  static constexpr int components = Components;       ///< of the field
  static constexpr bool component_wise = true;        ///< each is for itself
  static constexpr auto reads = Evaluation::values;   ///< what it takes of the field
  static constexpr auto writes = Evaluation::values;  ///< what tests the result
  Elements elements;                                  ///< the geometry and the coefficients
  /// See Integrand.
  template <ExecutionSpace Other>
  auto on_space() const {
    const auto there = elements.template on_space<Other>();
    return MassOn<Components, std::remove_const_t<decltype(there)>>{there};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    const auto mass = detail::factors_at(elements, at).mass();
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) at.value[c] = mass * at.value[c];
  }
  /// The same for a line of points along x: see Integrand.
  template <class V, int Dim>
  KOKKOS_FORCEINLINE_FUNCTION auto on_line(index_t element, const int (&index)[Dim]) const {
    using Line = decltype(elements.template on_line<V>(element, index));
    return MassOn<Components, Line>{elements.template on_line<V>(element, index)};  // no copy
  }
};

/// Diffusion on them: (c grad u, grad v).
template <int Components, class Elements>
struct DiffusionOn {
  static constexpr int components = Components;          ///< of the field
  static constexpr bool component_wise = true;           ///< each is for itself
  static constexpr auto reads = Evaluation::gradients;   ///< what it takes of the field
  static constexpr auto writes = Evaluation::gradients;  ///< what tests the result
  Elements elements;                                     ///< the geometry and the coefficients
  /// See Integrand.
  template <ExecutionSpace Other>
  auto on_space() const {
    const auto there = elements.template on_space<Other>();
    return DiffusionOn<Components, std::remove_const_t<decltype(there)>>{there};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    const auto factors = detail::factors_at(elements, at);
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) factors.multiply(at.gradient[c]);
  }
  /// The same for a line of points along x: see Integrand.
  template <class V, int Dim>
  KOKKOS_FORCEINLINE_FUNCTION auto on_line(index_t element, const int (&index)[Dim]) const {
    using Line = decltype(elements.template on_line<V>(element, index));
    return DiffusionOn<Components, Line>{elements.template on_line<V>(element, index)};  // no copy
  }
};

/// Helmholtz on them: (c grad u, grad v) + (d u, v).
template <int Components, class Elements>
struct HelmholtzOn {
  static constexpr int components = Components;                     ///< of the field
  static constexpr bool component_wise = true;                      ///< each is for itself
  static constexpr auto reads = Evaluation::values_and_gradients;   ///< what it takes of the field
  static constexpr auto writes = Evaluation::values_and_gradients;  ///< what tests the result
  Elements elements;  ///< the geometry and the coefficients
  /// See Integrand.
  template <ExecutionSpace Other>
  auto on_space() const {
    const auto there = elements.template on_space<Other>();
    return HelmholtzOn<Components, std::remove_const_t<decltype(there)>>{there};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    const auto factors = detail::factors_at(elements, at);
    const auto mass = factors.mass();
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) {
      factors.multiply(at.gradient[c]);
      at.value[c] = mass * at.value[c];
    }
  }
  /// The same for a line of points along x: see Integrand.
  template <class V, int Dim>
  KOKKOS_FORCEINLINE_FUNCTION auto on_line(index_t element, const int (&index)[Dim]) const {
    using Line = decltype(elements.template on_line<V>(element, index));
    return HelmholtzOn<Components, Line>{elements.template on_line<V>(element, index)};  // no copy
  }
};

// Those of scalars, and of as many components as dimensions, are compiled in the library.
#define KOLAM_OPERATOR_ON(KOLAM_EXTERN, DIM, T, EXEC, OPERATOR, COMPONENTS)             \
  KOLAM_EXTERN KOLAM_APPLY_ELEMENTS(DIM, T, EXEC,                                       \
                                    OPERATOR<COMPONENTS, AffineElements<T, DIM, EXEC>>) \
      KOLAM_EXTERN KOLAM_APPLY_ELEMENTS(DIM, T, EXEC,                                   \
                                        OPERATOR<COMPONENTS, TrilinearElements<T, DIM, EXEC>>)
#define KOLAM_OPERATOR_ON_HOST(KOLAM_EXTERN, DIM, T, OPERATOR, COMPONENTS)                        \
  KOLAM_EXTERN KOLAM_APPLY_ON_HOST(DIM, T,                                                        \
                                   OPERATOR<COMPONENTS, AffineElements<T, DIM, detail::AnyHost>>) \
      KOLAM_EXTERN KOLAM_APPLY_ON_HOST(                                                           \
          DIM, T, OPERATOR<COMPONENTS, TrilinearElements<T, DIM, detail::AnyHost>>)
#define KOLAM_EXTERN_OPERATORS_ON(DIM, T, EXEC)             \
  KOLAM_OPERATOR_ON(extern, DIM, T, EXEC, MassOn, 1)        \
  KOLAM_OPERATOR_ON(extern, DIM, T, EXEC, MassOn, DIM)      \
  KOLAM_OPERATOR_ON(extern, DIM, T, EXEC, DiffusionOn, 1)   \
  KOLAM_OPERATOR_ON(extern, DIM, T, EXEC, DiffusionOn, DIM) \
  KOLAM_OPERATOR_ON(extern, DIM, T, EXEC, HelmholtzOn, 1)
#define KOLAM_EXTERN_ELEMENT_GEOMETRY(EXEC)  \
  KOLAM_EXTERN_OPERATORS_ON(2, float, EXEC)  \
  KOLAM_EXTERN_OPERATORS_ON(2, double, EXEC) \
  KOLAM_EXTERN_OPERATORS_ON(3, float, EXEC)  \
  KOLAM_EXTERN_OPERATORS_ON(3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_ELEMENT_GEOMETRY)
#define KOLAM_EXTERN_OPERATORS_ON_HOST(DIM, T)             \
  KOLAM_OPERATOR_ON_HOST(extern, DIM, T, MassOn, 1)        \
  KOLAM_OPERATOR_ON_HOST(extern, DIM, T, MassOn, DIM)      \
  KOLAM_OPERATOR_ON_HOST(extern, DIM, T, DiffusionOn, 1)   \
  KOLAM_OPERATOR_ON_HOST(extern, DIM, T, DiffusionOn, DIM) \
  KOLAM_OPERATOR_ON_HOST(extern, DIM, T, HelmholtzOn, 1)
KOLAM_EXTERN_OPERATORS_ON_HOST(2, float)
KOLAM_EXTERN_OPERATORS_ON_HOST(2, double)
KOLAM_EXTERN_OPERATORS_ON_HOST(3, float)
KOLAM_EXTERN_OPERATORS_ON_HOST(3, double)
#undef KOLAM_EXTERN_ELEMENT_GEOMETRY
#undef KOLAM_EXTERN_OPERATORS_ON
#undef KOLAM_EXTERN_OPERATORS_ON_HOST

}  // namespace kolam
