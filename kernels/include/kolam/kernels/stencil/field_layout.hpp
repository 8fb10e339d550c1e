// SPDX-License-Identifier: Apache-2.0
// The memory layout of a subdomain's points and ghosts.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/core/index_box.hpp>

namespace kolam {

/// One value for each of N dimensions, x first, on host and device.
template <class V, int N>
using PerDimension = Kokkos::Array<V, static_cast<std::size_t>(N)>;

/// The memory layout of a field on one subdomain: `own` points in each dimension (x first, fastest)
/// and `depth` layers of ghosts around them. Every row of own points starts at a multiple of 128
/// bytes from the start of the memory, so that the accesses of a warp or a vector unit are aligned;
/// its ghosts lie before it, after padding. (There is also space after the last row, because
/// kernels read whole short vectors.)
template <int N>
struct FieldLayout {
  PerDimension<index_t, N> own;     ///< points in each dimension, without ghosts
  PerDimension<index_t, N> stride;  ///< in values; stride[0] is 1
  index_t depth;                    ///< layers of ghosts at each end of each dimension
  index_t origin;                   ///< offset of the first own point
  index_t size;                     ///< values in memory, with ghosts and padding

  /// Returns the box of all own points. Indices in fields count own points from 0; ghosts before
  /// them have negative indices.
  Box<N> all() const {
    Box<N> box{};
    for (std::size_t d = 0; d < N; ++d) box[d].end = own[d];
    return box;
  }
  /// Returns the number of own points.
  index_t points() const {
    index_t product = 1;
    for (std::size_t d = 0; d < N; ++d) product *= own[d];
    return product;
  }
};

/// Returns the layout for values of `value_size` bytes. Throws InvalidArgument for negative sizes
/// and for fields of more than 2^63 - 1 values.
template <int N>
FieldLayout<N> field_layout(const std::array<index_t, N>& own, index_t depth,
                            std::size_t value_size);

}  // namespace kolam
