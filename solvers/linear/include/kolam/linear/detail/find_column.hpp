// SPDX-License-Identifier: Apache-2.0
// The search for an entry of a sparse matrix.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/index.hpp>

namespace kolam::linear::detail {

// Returns the index of `column` in [first, last) of ascending columns.
KOKKOS_FUNCTION inline index_t find_column(const int* columns, index_t first, index_t last,
                                           int column) {
  while (last - first > 1) {
    const index_t middle = first + (last - first) / 2;
    (columns[middle] <= column ? first : last) = middle;
  }
  return first;
}

}  // namespace kolam::linear::detail
