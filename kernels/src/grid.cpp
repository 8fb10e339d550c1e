// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/error.hpp>
#include <kolam/kernels/grid.hpp>
#include <limits>

namespace kolam {

Grid2d padded_grid(index_t nx, index_t ny, std::size_t value_size) {
  const auto line = static_cast<index_t>(128 / value_size);
  if (nx < 0 || ny < 0 || nx > std::numeric_limits<index_t>::max() - line) {
    throw InvalidArgument("grid of " + std::to_string(nx) + " x " + std::to_string(ny) +
                          " points: sizes must be between 0 and 2^63 - " +
                          std::to_string(line + 1));
  }
  return {nx, ny, (nx + line - 1) / line * line};
}

}  // namespace kolam
