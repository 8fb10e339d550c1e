// SPDX-License-Identifier: Apache-2.0
// A rectangle of grid points in memory.
#pragma once

#include <kolam/core/index.hpp>

namespace kolam {

/// nx x ny points, x fastest; rows are `pitch` values apart, pitch >= nx. Point (ix, iy) is value
/// ix + pitch iy.
struct Grid2d {
  index_t nx;
  index_t ny;
  index_t pitch;

  /// Values that a field on this grid takes. Throws InvalidArgument past 2^63 - 1.
  [[nodiscard]] index_t size() const { return checked_product("grid of pitch x ny", {pitch, ny}); }
};

/// A grid whose rows start at multiples of 128 bytes, so that every access of a warp or a vector
/// unit to a row is aligned. `value_size` is sizeof(T) of the field.
[[nodiscard]] Grid2d padded_grid(index_t nx, index_t ny, std::size_t value_size);

}  // namespace kolam
