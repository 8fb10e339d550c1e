// SPDX-License-Identifier: Apache-2.0
// The geometric factors that physics needs from the map of an element: stored at the points, or
// computed line by line. See geometry.hpp.
//
// Factors of a point provide, for isotropic physics, multiply(g): g = c weight det J^-1 J^-T g, and
// mass(): d weight det. For all other physics they provide to_space(g): g = J^-T g,
// to_reference(g): g = weight det J^-1 g, and mass(): weight det.
#pragma once

#include <kolam/kernels/element/mapped_points.hpp>

namespace kolam {

/// Numbers of a symmetric matrix of Dim rows: xx, xy, (xz,) yy, (yz, zz).
template <int Dim>
inline constexpr int symmetric_size = Dim * (Dim + 1) / 2;

namespace detail {

// The numbers that a point stores: for mass() alone, multiply() alone, both, or a whole Jacobian.
enum class Terms { mass = 1, metric = 2, metric_and_mass = 3, jacobian = 4 };
KOKKOS_FUNCTION constexpr bool has_metric(Terms t) { return (static_cast<int>(t) & 2) != 0; }
template <int Dim>
KOKKOS_FUNCTION constexpr int term_count(Terms t) {
  if (t == Terms::jacobian) return Dim * Dim + 1;
  return (has_metric(t) ? symmetric_size<Dim> : 0) + (t == Terms::metric ? 0 : 1);
}

// Computes the adjugate det(J) J^-1.
template <class V, int Dim>
KOKKOS_FORCEINLINE_FUNCTION void adjugate_of(const V (&j)[Dim][Dim], V (&adjugate)[Dim][Dim]) {
  if constexpr (Dim == 2) {
    adjugate[0][0] = j[1][1];
    adjugate[0][1] = -j[0][1];
    adjugate[1][0] = -j[1][0];
    adjugate[1][1] = j[0][0];
  } else {
    KOLAM_UNROLL
    for (int r = 0; r < 3; ++r) {
      KOLAM_UNROLL
      for (int s = 0; s < 3; ++s) {  // cofactors, transposed: signs come with the cyclic indices
        const int a = (s + 1) % 3;
        const int b = (s + 2) % 3;
        const int d = (r + 1) % 3;
        const int e = (r + 2) % 3;
        adjugate[r][s] = j[a][d] * j[b][e] - j[a][e] * j[b][d];
      }
    }
  }
}

// Sets the numbers of a point for `What`, with coefficients c and d.
template <Terms What, class T, int Dim>
KOKKOS_FUNCTION void set_terms(const MappedPoint<T, Dim>& at, T c, T d, T* numbers) {
  T adjugate[Dim][Dim];
  adjugate_of(at.jacobian, adjugate);
  const T determinant = at.determinant();
  if constexpr (What == Terms::jacobian) {
    for (int r = 0; r < Dim; ++r)
      for (int i = 0; i < Dim; ++i) *numbers++ = adjugate[r][i] / determinant;
    *numbers = at.weight * determinant;
  } else if constexpr (has_metric(What)) {
    const T scale = c * at.weight / determinant;
    for (int r = 0; r < Dim; ++r) {
      for (int s = r; s < Dim; ++s) {
        T sum = adjugate[r][0] * adjugate[s][0];
        for (int i = 1; i < Dim; ++i) sum = multiply_add(adjugate[r][i], adjugate[s][i], sum);
        *numbers++ = scale * sum;
      }
    }
  }
  if constexpr (What == Terms::mass || What == Terms::metric_and_mass)
    *numbers = d * at.weight * determinant;
}

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

// out[i] = sum over r of m[r][i] g[r], or of m[i][r] g[r]
template <bool Transposed, class V, int Dim>
KOKKOS_FORCEINLINE_FUNCTION void multiply_matrix(const V (&m)[Dim][Dim], const V (&g)[Dim],
                                                 V (&out)[Dim]) {
  KOLAM_UNROLL
  for (int i = 0; i < Dim; ++i) {
    out[i] = (Transposed ? m[0][i] : m[i][0]) * g[0];
    KOLAM_UNROLL
    for (int r = 1; r < Dim; ++r)
      out[i] = multiply_add(Transposed ? m[r][i] : m[i][r], g[r], out[i]);
  }
}

// Factors from the terms metric and mass, which lie in memory or registers.
template <class V, int Dim, Terms What>
struct MetricFactors {
  const V* numbers;
  KOKKOS_FORCEINLINE_FUNCTION void multiply(V (&g)[Dim]) const { multiply_symmetric(numbers, g); }
  KOKKOS_FORCEINLINE_FUNCTION V mass() const {
    return numbers[has_metric(What) ? symmetric_size<Dim> : 0];
  }
};

template <class V, int Dim>
struct JacobianFactors {
  V inverse[Dim][Dim];  // [r][i]: derivative of direction r of the reference element along x[i]
  V scale;              // weight det J

  KOKKOS_FORCEINLINE_FUNCTION static JacobianFactors of(const V* numbers, const V& scale) {
    JacobianFactors result;
    KOLAM_UNROLL
    for (int r = 0; r < Dim; ++r) {
      KOLAM_UNROLL
      for (int i = 0; i < Dim; ++i) result.inverse[r][i] = numbers[r * Dim + i];
    }
    result.scale = scale;
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION void to_space(V (&g)[Dim]) const {
    V x[Dim];
    multiply_matrix<true>(inverse, g, x);
    KOLAM_UNROLL
    for (int i = 0; i < Dim; ++i) g[i] = x[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void to_reference(V (&g)[Dim]) const {
    V x[Dim];
    multiply_matrix<false>(inverse, g, x);
    KOLAM_UNROLL
    for (int r = 0; r < Dim; ++r) g[r] = scale * x[r];
  }
  KOKKOS_FORCEINLINE_FUNCTION V mass() const { return scale; }
};

template <class V, int Dim>
struct AffineFactors;

// Numbers shared by the points of a line along x: terms metric and mass, or jacobian, of weight 1.
template <class V, int Dim, Terms What>
struct AffineLine {
  V numbers[term_count<Dim>(What)];

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION auto factors(const Point& at) const {
    if constexpr (What == Terms::jacobian) {
      return JacobianFactors<V, Dim>::of(numbers, at.weight * numbers[Dim * Dim]);
    } else {
      return AffineFactors<V, Dim>{*this, at.weight};
    }
  }
};
template <class V, int Dim>
struct AffineFactors {
  AffineLine<V, Dim, Terms::metric_and_mass> line;
  V weight;

  KOKKOS_FORCEINLINE_FUNCTION void multiply(V (&g)[Dim]) const {
    multiply_symmetric(line.numbers, g);
    KOLAM_UNROLL
    for (int d = 0; d < Dim; ++d) g[d] = weight * g[d];
  }
  KOKKOS_FORCEINLINE_FUNCTION V mass() const { return weight * line.numbers[symmetric_size<Dim>]; }
};

template <class V, int Dim>
struct TrilinearFactors {
  V adjugate[Dim][Dim];  // of the Jacobian
  V determinant;
  V c;
  V d;
  V weight;

  KOKKOS_FORCEINLINE_FUNCTION void multiply(V (&g)[Dim]) const {
    V x[Dim];
    multiply_matrix<true>(adjugate, g, x);
    const V scale = c * weight / determinant;
    multiply_matrix<false>(adjugate, x, g);
    KOLAM_UNROLL
    for (int r = 0; r < Dim; ++r) g[r] = scale * g[r];
  }
  KOKKOS_FORCEINLINE_FUNCTION V mass() const { return d * weight * determinant; }
  KOKKOS_FORCEINLINE_FUNCTION void to_space(V (&g)[Dim]) const {
    V x[Dim];
    multiply_matrix<true>(adjugate, g, x);
    const V inverse = V(1) / determinant;
    KOLAM_UNROLL
    for (int i = 0; i < Dim; ++i) g[i] = inverse * x[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void to_reference(V (&g)[Dim]) const {
    V x[Dim];
    multiply_matrix<false>(adjugate, g, x);
    KOLAM_UNROLL
    for (int r = 0; r < Dim; ++r) g[r] = weight * x[r];
  }
};

// The first column of the Jacobian is constant along the line; the others are constant + slope x.
template <class T, class V, int Dim>
struct TrilinearLine {
  const T* points;
  V c;
  V d;
  V first[Dim];
  V constant[Dim - 1][Dim];
  V slope[Dim - 1][Dim];

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION TrilinearFactors<V, Dim> factors(const Point& at) const {
    const V x = V(points[at.index[0]]);
    V jacobian[Dim][Dim];
    KOLAM_UNROLL
    for (int i = 0; i < Dim; ++i) {
      jacobian[i][0] = first[i];
      KOLAM_UNROLL
      for (int k = 1; k < Dim; ++k)
        jacobian[i][k] = multiply_add(x, slope[k - 1][i], constant[k - 1][i]);
    }
    TrilinearFactors<V, Dim> result;
    adjugate_of(jacobian, result.adjugate);
    result.determinant = first[0] * result.adjugate[0][0];
    KOLAM_UNROLL
    for (int i = 1; i < Dim; ++i)
      result.determinant = multiply_add(first[i], result.adjugate[0][i], result.determinant);
    result.c = c;
    result.d = d;
    result.weight = at.weight;
    return result;
  }
};

}  // namespace detail
}  // namespace kolam
