// SPDX-License-Identifier: Apache-2.0
// Geometry that is computed at the points, line by line. See element_geometry.hpp.
#pragma once

#include <kolam/kernels/geometry.hpp>

namespace kolam::detail {

template <class V, int Dim>
struct AffineFactors;

// What points of a line along x have in common, and what diffusion and mass take of one of them.
template <class V, int Dim>
struct AffineLine {
  V numbers[symmetric_size<Dim> + 1];

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION AffineFactors<V, Dim> factors(const Point& at) const {
    return {*this, at.weight};
  }
};
template <class V, int Dim>
struct AffineFactors {
  AffineLine<V, Dim> line;
  V weight;

  // g = c weight det J^-1 J^-T g
  KOKKOS_FORCEINLINE_FUNCTION void multiply(V (&g)[Dim]) const {
    multiply_symmetric(line.numbers, g);
    KOLAM_UNROLL
    for (int d = 0; d < Dim; ++d) g[d] = weight * g[d];
  }
  // d weight det
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
    KOLAM_UNROLL
    for (int i = 0; i < Dim; ++i) {
      x[i] = adjugate[0][i] * g[0];
      KOLAM_UNROLL
      for (int r = 1; r < Dim; ++r) x[i] = multiply_add(adjugate[r][i], g[r], x[i]);
    }
    const V scale = c * weight / determinant;
    KOLAM_UNROLL
    for (int r = 0; r < Dim; ++r) {
      V sum = adjugate[r][0] * x[0];
      KOLAM_UNROLL
      for (int i = 1; i < Dim; ++i) sum = multiply_add(adjugate[r][i], x[i], sum);
      g[r] = scale * sum;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION V mass() const { return d * weight * determinant; }
};

// The first column of the Jacobian is the same along the line, the others are constant + slope x.
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

}  // namespace kolam::detail
