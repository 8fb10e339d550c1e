// SPDX-License-Identifier: Apache-2.0
// The integrands that come with kolam: bilinear forms whose coefficients and geometry are stored as
// quadrature data. (geometry.hpp fills them.) With several components, each for itself.
#pragma once

#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/lanes.hpp>
#include <kolam/kernels/element_operator.hpp>

namespace kolam {

/// (c u, v), CEED's BP1 and with Components > 1 BP2. Data: c weight |det J|.
template <class T, int Components, ExecutionSpace Exec>
struct Mass {
  static constexpr int components = Components;       ///< of the field
  static constexpr bool component_wise = true;        ///< each is for itself
  static constexpr auto reads = Evaluation::values;   ///< what it takes of the field
  static constexpr auto writes = Evaluation::values;  ///< what tests the result
  QuadratureData<T, 1, Exec> data;                    ///< of mass_data
  /// See Integrand.
  template <ExecutionSpace Other>
  Mass<T, Components, Other> on_space() const {
    return {data.template on_space<Other>()};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) at.value[c] = at.data[0] * at.value[c];
  }
};

/// (f, v), a right-hand side, the same for every component. Data: f weight |det J|.
template <class T, int Components, ExecutionSpace Exec>
struct Source {
  static constexpr int components = Components;       ///< of the field
  static constexpr bool component_wise = true;        ///< each is for itself
  static constexpr auto reads = Evaluation::none;     ///< what it takes of the field
  static constexpr auto writes = Evaluation::values;  ///< what tests the result
  using sizes = ElementSizeList<>;                    ///< none are compiled: it is for set-up
  QuadratureData<T, 1, Exec> data;                    ///< of mass_data with f
  /// See Integrand.
  template <ExecutionSpace Other>
  Source<T, Components, Other> on_space() const {
    return {data.template on_space<Other>()};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    for (int c = 0; c < Point::components; ++c) at.value[c] = at.data[0];
  }
};

/// Numbers of a symmetric matrix of Dim rows: xx, xy, (xz,) yy, (yz, zz).
template <int Dim>
inline constexpr int symmetric_size = Dim * (Dim + 1) / 2;

namespace detail {

// g = S g, S symmetric.
template <class V, int Dim>
KOKKOS_FORCEINLINE_FUNCTION void multiply_symmetric(const V* s, V (&g)[Dim]) {
  if constexpr (Dim == 3) {
    const V x = multiply_add(s[2], g[2], multiply_add(s[1], g[1], s[0] * g[0]));
    const V y = multiply_add(s[4], g[2], multiply_add(s[3], g[1], s[1] * g[0]));
    g[2] = multiply_add(s[5], g[2], multiply_add(s[4], g[1], s[2] * g[0]));
    g[0] = x;
    g[1] = y;
  } else {
    const V x = multiply_add(s[1], g[1], s[0] * g[0]);
    g[1] = multiply_add(s[2], g[1], s[1] * g[0]);
    g[0] = x;
  }
}

}  // namespace detail

/// (c grad u, grad v), BP3 and BP5, with Components > 1 BP4 and BP6. Data: the symmetric matrix
/// c weight |det J| J^-1 J^-T.
template <class T, int Dim, int Components, ExecutionSpace Exec>
struct Diffusion {
  static constexpr int components = Components;          ///< of the field
  static constexpr bool component_wise = true;           ///< each is for itself
  static constexpr auto reads = Evaluation::gradients;   ///< what it takes of the field
  static constexpr auto writes = Evaluation::gradients;  ///< what tests the result
  QuadratureData<T, symmetric_size<Dim>, Exec> data;     ///< of diffusion_data
  /// See Integrand.
  template <ExecutionSpace Other>
  Diffusion<T, Dim, Components, Other> on_space() const {
    return {data.template on_space<Other>()};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) detail::multiply_symmetric(at.data, at.gradient[c]);
  }
};

/// (c grad u, grad v) + (d u, v). Data: those of Diffusion, then those of Mass.
template <class T, int Dim, int Components, ExecutionSpace Exec>
struct Helmholtz {
  static constexpr int components = Components;                     ///< of the field
  static constexpr bool component_wise = true;                      ///< each is for itself
  static constexpr auto reads = Evaluation::values_and_gradients;   ///< what it takes of the field
  static constexpr auto writes = Evaluation::values_and_gradients;  ///< what tests the result
  QuadratureData<T, symmetric_size<Dim> + 1, Exec> data;            ///< of helmholtz_data
  /// See Integrand.
  template <ExecutionSpace Other>
  Helmholtz<T, Dim, Components, Other> on_space() const {
    return {data.template on_space<Other>()};
  }

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) {
      detail::multiply_symmetric(at.data, at.gradient[c]);
      at.value[c] = at.data[symmetric_size<Dim>] * at.value[c];
    }
  }
};

namespace detail {

template <class Operator>
struct LineWithCoefficient {
  Operator on;

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    on(at);
    KOLAM_UNROLL
    for (int c = 0; c < Point::components; ++c) {
      if constexpr (has_values(Operator::writes)) at.value[c] = at.data[0] * at.value[c];
      if constexpr (has_gradients(Operator::writes)) {
        KOLAM_UNROLL
        for (int d = 0; d < Point::dimensions; ++d)
          at.gradient[c][d] = at.data[0] * at.gradient[c][d];
      }
    }
  }
};

}  // namespace detail

/// An integrand without data of its own (those of element_geometry.hpp) times a coefficient that
/// varies inside elements: one number a point, made by mapped_data<Dim, 1>.
template <class Operator, class T, ExecutionSpace Exec>
struct WithCoefficient {
  static constexpr int components = Operator::components;                        ///< as Operator's
  static constexpr bool component_wise = detail::is_component_wise<Operator>();  ///< as Operator's
  static constexpr auto reads = Operator::reads;                                 ///< as Operator's
  static constexpr auto writes = Operator::writes;                               ///< as Operator's
  Operator on;                      ///< what is multiplied
  QuadratureData<T, 1, Exec> data;  ///< the coefficient

  /// What apply_elements calls at each point.
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point& at) const {
    detail::LineWithCoefficient<Operator>{on}(at);
  }
  /// The same for a line of points along x: see Integrand.
  template <class V, int Dim>
  KOKKOS_FORCEINLINE_FUNCTION auto on_line(index_t element, const int (&index)[Dim]) const {
    using Line = std::remove_cvref_t<decltype(detail::function_on_line<V>(on, element, index))>;
    return detail::LineWithCoefficient<Line>{detail::function_on_line<V>(on, element, index)};
  }
};

// With one component or as many as dimensions, operators on Kokkos' execution spaces are compiled
// in the library; the kernels of hosts once for all execution spaces of hosts.
#define KOLAM_APPLY_ELEMENTS(DIM, T, EXEC, ...)                                                 \
  template void apply_elements<DIM, T, EXEC, __VA_ARGS__>(                                      \
      const EXEC&, const ElementBasis&, const __VA_ARGS__&, const ElementRestriction<T, EXEC>&, \
      const Kokkos::View<const T*, EXEC::memory_space>&, const ElementRestriction<T, EXEC>&,    \
      const Kokkos::View<T*, EXEC::memory_space>&);
#define KOLAM_APPLY_ON_HOST(DIM, T, ...)                                 \
  template void detail::apply_on_host<DIM, T, __VA_ARGS__>(              \
      const ElementBasis&, const __VA_ARGS__&,                           \
      const detail::ApplyOnHost<DIM, T, __VA_ARGS__>::Vectors&, index_t, \
      const detail::MatricesOfAnySize<T>*, const detail::LoopOnHost&);
#define KOLAM_EXTERN_APPLY_ELEMENTS(...) extern KOLAM_APPLY_ELEMENTS(__VA_ARGS__)
#define KOLAM_EXTERN_INTEGRANDS_OF(DIM, T, EXEC)                          \
  KOLAM_EXTERN_APPLY_ELEMENTS(DIM, T, EXEC, Mass<T, 1, EXEC>)             \
  KOLAM_EXTERN_APPLY_ELEMENTS(DIM, T, EXEC, Mass<T, DIM, EXEC>)           \
  KOLAM_EXTERN_APPLY_ELEMENTS(DIM, T, EXEC, Diffusion<T, DIM, 1, EXEC>)   \
  KOLAM_EXTERN_APPLY_ELEMENTS(DIM, T, EXEC, Diffusion<T, DIM, DIM, EXEC>) \
  KOLAM_EXTERN_APPLY_ELEMENTS(DIM, T, EXEC, Helmholtz<T, DIM, 1, EXEC>)
#define KOLAM_EXTERN_INTEGRANDS(EXEC)         \
  KOLAM_EXTERN_INTEGRANDS_OF(2, float, EXEC)  \
  KOLAM_EXTERN_INTEGRANDS_OF(2, double, EXEC) \
  KOLAM_EXTERN_INTEGRANDS_OF(3, float, EXEC)  \
  KOLAM_EXTERN_INTEGRANDS_OF(3, double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_EXTERN_INTEGRANDS)
#define KOLAM_EXTERN_APPLY_ON_HOST(...) extern KOLAM_APPLY_ON_HOST(__VA_ARGS__)
#define KOLAM_EXTERN_ON_HOST(DIM, T)                                          \
  KOLAM_EXTERN_APPLY_ON_HOST(DIM, T, Source<T, 1, detail::AnyHost>)           \
  KOLAM_EXTERN_APPLY_ON_HOST(DIM, T, Mass<T, 1, detail::AnyHost>)             \
  KOLAM_EXTERN_APPLY_ON_HOST(DIM, T, Mass<T, DIM, detail::AnyHost>)           \
  KOLAM_EXTERN_APPLY_ON_HOST(DIM, T, Diffusion<T, DIM, 1, detail::AnyHost>)   \
  KOLAM_EXTERN_APPLY_ON_HOST(DIM, T, Diffusion<T, DIM, DIM, detail::AnyHost>) \
  KOLAM_EXTERN_APPLY_ON_HOST(DIM, T, Helmholtz<T, DIM, 1, detail::AnyHost>)
KOLAM_EXTERN_ON_HOST(2, float)
KOLAM_EXTERN_ON_HOST(2, double)
KOLAM_EXTERN_ON_HOST(3, float)
KOLAM_EXTERN_ON_HOST(3, double)
#undef KOLAM_EXTERN_INTEGRANDS_OF
#undef KOLAM_EXTERN_APPLY_ELEMENTS
#undef KOLAM_EXTERN_INTEGRANDS
#undef KOLAM_EXTERN_ON_HOST
#undef KOLAM_EXTERN_APPLY_ON_HOST

}  // namespace kolam
