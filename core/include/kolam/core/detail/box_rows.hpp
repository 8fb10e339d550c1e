// SPDX-License-Identifier: Apache-2.0
// The points of a box row by row, and calls of a body at a point.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/index_box.hpp>
#include <type_traits>

namespace kolam::detail {

// body(i, j[, k], values...)
template <int N, class Body, class... Values>
KOKKOS_FORCEINLINE_FUNCTION void call_at(const Body& body, index_t i, index_t j,
                                         [[maybe_unused]] index_t k, Values&... values) {
  if constexpr (N == 2) {
    body(i, j, values...);
  } else {
    body(i, j, k, values...);
  }
}

template <int N, class Body, class... Values>
constexpr bool is_called_at_points = [] {
  if constexpr (N == 2) {
    return std::is_invocable_v<const Body&, index_t, index_t, Values&...>;
  } else {
    return std::is_invocable_v<const Body&, index_t, index_t, index_t, Values&...>;
  }
}();

// A box with numbered rows along the first dimension.
template <int N>
struct BoxRows {
  static_assert(N == 2 || N == 3, "loops over boxes are two- or three-dimensional");
  Box<N> box;
  index_t row_size, plane_rows, rows;

  explicit BoxRows(const Box<N>& of)
      : box(of),
        row_size(of[0].end - of[0].begin),
        plane_rows(of[1].end - of[1].begin),
        rows(plane_rows * (N == 3 ? of[N - 1].end - of[N - 1].begin : 1)) {
    if (of.empty()) row_size = plane_rows = rows = 0;
  }
  index_t points() const { return row_size * rows; }

  // The position of a row.
  struct Row {
    index_t j, k;
  };
  KOKKOS_FORCEINLINE_FUNCTION Row row(index_t number) const {
    if constexpr (N == 2) return {box[1].begin + number, 0};
    if constexpr (N == 3)
      return {box[1].begin + number % plane_rows, box[N - 1].begin + number / plane_rows};
  }
  KOKKOS_FORCEINLINE_FUNCTION void go_on(Row& row) const {
    ++row.j;
    if constexpr (N == 3) {
      if (row.j < box[1].end) return;
      row.j = box[1].begin;
      ++row.k;
    }
  }
};

}  // namespace kolam::detail
