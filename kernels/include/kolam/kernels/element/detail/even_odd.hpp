// SPDX-License-Identifier: Apache-2.0
// Products with the matrices of a basis whose nodes and points are symmetric. One half of such a
// matrix is the mirror image of the other. So the even and odd parts of a vector each need only
// half of the matrix, and a product takes half of the multiplications (Solomonoff 1992; Kronbichler
// and Kormann 2019).
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/simd.hpp>
#include <kolam/kernels/element/basis.hpp>

namespace kolam::detail {

// M(Rows - 1 - r, Columns - 1 - c) is M(r, c) for values (same), or -M(r, c) for derivatives
// (opposite).
enum class Mirror { same, opposite };

// The even and odd parts of M: even = (M(r, c) + M(r, Columns - 1 - c)) / 2, odd is half of the
// difference. [row, column] of the first quarter, including the middle row and column.
template <class T, int Rows, int Columns>
struct EvenOdd {
  static constexpr int half_rows = (Rows + 1) / 2;
  static constexpr int half_columns = (Columns + 1) / 2;
  T even[half_rows * half_columns];
  T odd[half_rows * half_columns];

  EvenOdd() = default;
  // `entry(r, c)` is M(r, c).
  template <class Entry>
  explicit EvenOdd(const Entry& entry) {
    for (int r = 0; r < half_rows; ++r) {
      KOLAM_UNROLL
      for (int c = 0; c < half_columns; ++c) {
        const double here = entry(r, c);
        const double across = entry(r, Columns - 1 - c);
        even[r * half_columns + c] = static_cast<T>((here + across) / 2);
        odd[r * half_columns + c] = static_cast<T>((here - across) / 2);
      }
    }
  }
};

// Returns M(r, c).
template <Mirror M, class T, int Rows, int Columns>
KOKKOS_INLINE_FUNCTION T entry(const EvenOdd<T, Rows, Columns>& matrix, int r, int c) {
  constexpr int half_rows = EvenOdd<T, Rows, Columns>::half_rows;
  constexpr int half_columns = EvenOdd<T, Rows, Columns>::half_columns;
  const bool mirrored = r >= half_rows;
  if (mirrored) r = Rows - 1 - r;
  if (mirrored) c = Columns - 1 - c;
  const bool across = c >= half_columns;
  const int n = r * half_columns + (across ? Columns - 1 - c : c);
  const T here = across ? matrix.even[n] - matrix.odd[n] : matrix.even[n] + matrix.odd[n];
  return mirrored && M == Mirror::opposite ? -here : here;
}

// Matrices of one direction: from nodes to points, and derivatives from points to points.
template <class T, int D, int Q, bool Collocated>
struct LineBasis {
  EvenOdd<T, Q, D> values;
  EvenOdd<T, Q, Q> gradients;
};
template <class T, int D, int Q>
struct LineBasis<T, D, Q, true> {
  EvenOdd<T, Q, Q> gradients;
};

// Sets out = M in, or out = M^T in. Takes (Rows Columns + Rows + Columns) / 2 multiplications and
// about Rows + Columns additions more.
template <bool Transposed, Mirror M, class T, int Rows, int Columns, class V, int In, int Out>
KOKKOS_FORCEINLINE_FUNCTION void contract(const EvenOdd<T, Rows, Columns>& matrix,
                                          const V (&in)[In], V (&out)[Out]) {
  static_assert(In == (Transposed ? Rows : Columns) && Out == (Transposed ? Columns : Rows));
  constexpr int half = In / 2;
  // In the transpose of an opposite mirror image, the even and odd parts are exchanged.
  constexpr bool exchange = Transposed && M == Mirror::opposite;
  const auto entry = [](const T* part, int r, int c) {
    return part[Transposed ? c * EvenOdd<T, Rows, Columns>::half_columns + r
                           : r * EvenOdd<T, Rows, Columns>::half_columns + c];
  };
  const T* const even = exchange ? matrix.odd : matrix.even;
  const T* const odd = exchange ? matrix.even : matrix.odd;
  V sums[half + In % 2];
  V differences[half > 0 ? half : 1];
  KOLAM_UNROLL
  for (int c = 0; c < half; ++c) {
    sums[c] = in[c] + in[In - 1 - c];
    differences[c] = in[c] - in[In - 1 - c];
  }
  if constexpr (In % 2 == 1) sums[half] = in[half];
  KOLAM_UNROLL
  for (int r = 0; r < Out / 2; ++r) {
    V a = V(0);
    V b = V(0);
    KOLAM_UNROLL
    for (int c = 0; c < half + In % 2; ++c)
      a = c == 0 ? entry(even, r, c) * sums[c] : multiply_add(entry(even, r, c), sums[c], a);
    KOLAM_UNROLL
    for (int c = 0; c < half; ++c)
      b = c == 0 ? entry(odd, r, c) * differences[c]
                 : multiply_add(entry(odd, r, c), differences[c], b);
    out[r] = a + b;
    out[Out - 1 - r] = M == Mirror::same ? a - b : b - a;
  }
  if constexpr (Out % 2 == 1) {  // the middle row is itself even or odd
    constexpr int r = Out / 2;
    V a = V(0);
    if constexpr (M == Mirror::same) {
      KOLAM_UNROLL
      for (int c = 0; c < half + In % 2; ++c) a = multiply_add(entry(even, r, c), sums[c], a);
    } else {
      KOLAM_UNROLL
      for (int c = 0; c < half; ++c) a = multiply_add(entry(odd, r, c), differences[c], a);
    }
    out[r] = a;
  }
}

// Adds M in, or M^T in, to out.
template <bool Transposed, Mirror M, class Matrix, class V, int In, int Out>
KOKKOS_FORCEINLINE_FUNCTION void contract_onto(const Matrix& matrix, const V (&in)[In],
                                               V (&out)[Out]) {
  V part[Out];
  contract<Transposed, M>(matrix, in, part);
  KOLAM_UNROLL
  for (int i = 0; i < Out; ++i) out[i] += part[i];
}

}  // namespace kolam::detail
