// SPDX-License-Identifier: Apache-2.0
// The fields with ghosts of stencil operators, filled from vectors and functors.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/kernels/stencil/detail/stencil_matrix.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <kolam/linear/operator.hpp>

namespace kolam::grid::detail {

// Returns the layout without padding between rows, as in vectors; padding would be read with them.
template <int N>
FieldLayout<N> without_padding(FieldLayout<N> layout) {
  layout.origin = 0;
  index_t stride = 1;
  for (std::size_t d = 0; d < N; ++d) {
    layout.stride[d] = stride;
    layout.origin += layout.depth * stride;
    stride *= layout.own[d] + 2 * layout.depth;
  }
  layout.size = stride;
  return layout;
}

// Sets a coefficient, its ghosts included, from its index in the whole grid.
template <class Matrix, class T, class G>
struct SetCoefficient {
  Matrix matrix;
  T* values;
  G g;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, Matrix::N> at{index...};
    values[matrix.field_offset(at)] = kolam::detail::value_at<T>(g, matrix.sides.in_grid(at));
  }
};

// Sets a field beyond the sides of the grid to the value of the nearest point, or of the other end
// of a periodic dimension.
template <class Matrix, class T>
struct ExtendBeyondSides {
  Matrix matrix;
  T* field;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, Matrix::N> at{index...};
    auto from = at;
    bool beyond = false;
    for (std::size_t d = 0; d < Matrix::N; ++d) {
      const index_t last = matrix.sides.own[d] - 1;
      if (from[d] >= 0 && from[d] <= last) continue;
      const Boundary boundary = matrix.sides.boundaries[d][from[d] < 0 ? 0 : 1];
      if (boundary == Boundary::neighbour) continue;
      beyond = true;
      from[d] = (from[d] < 0) == (boundary == Boundary::periodic) ? last : 0;
    }
    if (beyond) field[matrix.field_offset(at)] = field[matrix.field_offset(from)];
  }
};

// Sets a vector from the index in the whole grid, and from the field if there are several.
template <class Matrix, class T, class G>
struct SetValues {
  Matrix matrix;
  T* x;
  G g;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, Matrix::N> at{index...};
    const auto in_grid = matrix.sides.in_grid(at);
    if constexpr (Matrix::fields == 1) {
      x[matrix.row_of(at)] = kolam::detail::value_at<T>(g, in_grid);
    } else {
      for (std::size_t field = 0; field < Matrix::fields; ++field)
        x[matrix.first_row(field) + matrix.row_of(at)] =
            kolam::detail::value_at<T>(g, in_grid, static_cast<int>(field));
    }
  }
};

// Pseudo-random numbers that depend only on the point and the field.
template <class T, int N>
struct RandomValues {
  PerDimension<index_t, N> extents;  // of the whole grid
  template <class... Index>
  KOKKOS_FUNCTION T operator()(Index... index) const {
    constexpr std::size_t count = sizeof...(Index);  // N, or N + 1 with the field
    const Kokkos::Array<index_t, count> at{index...};
    index_t number = count > N ? at[0] : 0;
    for (std::size_t d = N; d-- > 0;) number = number * extents[d] + at[count - N + d];
    return linear::detail::number_of<T>(static_cast<std::uint64_t>(number));
  }
};

}  // namespace kolam::grid::detail
