// SPDX-License-Identifier: Apache-2.0
// The sweep on a processor with caches. Four rows are taken together, so that a row comes from
// memory once and from the second-level cache once more; each piece of a row is computed into a
// buffer in the first-level cache and streamed out, and the rows of the next piece are prefetched
// meanwhile.
#pragma once

#include <algorithm>
#include <kolam/core/forall.hpp>
#include <kolam/core/streaming.hpp>
#include <kolam/kernels/laplace_sweep.hpp>

namespace kolam::detail {

inline constexpr index_t laplace_host_rows = 4;
inline constexpr index_t laplace_host_piece = 1024;  // columns per buffer

// Columns [begin, end) of one row into `to`; returns the sum of (new - old)^2. u points at column
// 0.
template <class T>
double laplace_piece(const T* u, index_t pitch, T* to, index_t begin, index_t end) {
  const T* const below = u - pitch;
  const T* const above = u + pitch;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (index_t x = begin; x < end; ++x) {
    const T average = laplace_average(u[x - 1], u[x + 1], below[x], above[x]);
    const double change = average - u[x];
    to[x - begin] = average;
    sum += change * change;
  }
  return sum;
}

template <class T, class Exec>
void laplace_sweep_on_host(const Exec& exec, const Grid2d& grid, const T* u, T* new_u,
                           const SweepControl<Exec>& control) {
  const index_t groups = (grid.ny - 2 + laplace_host_rows - 1) / laplace_host_rows;
  forall(exec, "kolam::laplace_sweep", groups, [=](index_t group) {
    if (control.stop.data() != nullptr && control.stop() != 0) return;
    alignas(64) T buffer[laplace_host_piece];
    const index_t first = 1 + group * laplace_host_rows;
    const index_t last = std::min(first + laplace_host_rows, grid.ny - 1);
    double sum = 0;
    for (index_t begin = 0; begin < grid.nx; begin += laplace_host_piece) {
      const index_t end = std::min(begin + laplace_host_piece, grid.nx);
      for (index_t y = first; y < last; ++y) {
        const T* const row = u + y * grid.pitch;
        if (end < grid.nx) prefetch(row + end, std::min(laplace_host_piece, grid.nx - end));
        // The fixed columns are copied, so that whole lines are streamed.
        if (begin == 0) buffer[0] = row[0];
        if (end == grid.nx) buffer[end - 1 - begin] = row[end - 1];
        const index_t from = std::max<index_t>(begin, 1);
        const index_t to = std::min(end, grid.nx - 1);
        const T* const inside = buffer + (from - begin);
        sum += laplace_piece(row, grid.pitch, buffer + (from - begin), from, to);
        stream_out(new_u + y * grid.pitch + begin, buffer, end - begin);
        if (y == 1) stream_out(new_u + (grid.ny - 1) * grid.pitch + from, inside, to - from);
        if (y == grid.ny - 2) stream_out(new_u + from, inside, to - from);
      }
    }
    stream_fence();
    if (control.partial_sums.extent(0) > 0) control.partial_sums(group) = sum;
  });
}

}  // namespace kolam::detail
