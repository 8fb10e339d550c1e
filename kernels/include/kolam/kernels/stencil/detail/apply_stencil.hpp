// SPDX-License-Identifier: Apache-2.0
// Products of a stencil's matrix with vectors.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/stencil/detail/apply_stencil_host.hpp>

namespace kolam::detail {

template <class Matrix, class T, bool Add>
struct ApplyInside {
  Matrix matrix;
  const T* x;
  T* y;
  template <class... Last>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(index_t i, index_t j, Last... k) const {
    const PerDimension<index_t, Matrix::N> point{i, j, k...};
    const index_t row = matrix.row_of(point);
    const auto& own = matrix.sides.own;
    put<Add>(y[row], matrix.at(point, PlainNeighbours<T>{x + row, own[0], own[0] * own[1]}));
  }
};

template <class Matrix, class T, bool Add>
struct ApplyAtRim {
  Matrix matrix;
  const T* x;
  T* y;
  RimPoints<Matrix::N> rim;
  KOKKOS_FUNCTION void operator()(index_t number) const {
    const auto point = rim.point(number);
    put<Add>(y[matrix.row_of(point)],
             product_at(matrix, VectorValues<Matrix, T>{matrix, x}, point));
  }
};

// y = A x, or y += A x, in some rows.
template <bool Add, class Exec, class Matrix, class T>
void apply_stencil(const Exec& exec, const Matrix& matrix, const T* x, T* y, StencilRows which) {
  constexpr int N = Matrix::N;
  if constexpr (has_block_threads<Exec>) {
    if (which != StencilRows::rim) {
      Box<N> inside{};
      for (std::size_t d = 0; d < N; ++d) inside[d] = {1, matrix.sides.own[d] - 1};
      for_each(exec, "kolam::stencil: y = A x", inside, ApplyInside<Matrix, T, Add>{matrix, x, y});
    }
    if (which != StencilRows::inside) {
      const RimPoints<N> rim(matrix.sides.own);
      forall(exec, "kolam::stencil: y = A x at sides", rim.count(),
             ApplyAtRim<Matrix, T, Add>{matrix, x, y, rim});
    }
  } else {
    using Apply = HostApply<Matrix, T, Add>;
    const BoxRows<N> rows(matrix.layout.all());
    const index_t parts = std::min<index_t>(rows.points(), exec.concurrency());
    Kokkos::parallel_for("kolam::stencil: y = A x", FlatPolicy<Exec, Apply>(exec, 0, parts),
                         Apply{{rows, parts}, matrix, x, y, which});
  }
}

}  // namespace kolam::detail
