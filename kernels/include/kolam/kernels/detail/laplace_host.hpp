// SPDX-License-Identifier: Apache-2.0
// The sweep on a processor with caches. Several rows are taken together, piece by piece, so that a
// row comes from memory once and again only from the second-level cache; the next piece of each is
// prefetched meanwhile. Fields larger than the caches are computed into a buffer that stays in the
// first-level cache, and streamed out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <kolam/core/forall.hpp>
#include <kolam/core/streaming.hpp>
#include <kolam/kernels/laplace_sweep.hpp>

namespace kolam::detail {

inline constexpr index_t laplace_host_rows = 8;
template <class T>
inline constexpr index_t laplace_host_piece = 512 / sizeof(T);  // columns at a time

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
                           const SweepControl<Exec>& control, bool stream) {
  constexpr index_t piece = laplace_host_piece<T>;
  const index_t groups = (grid.ny - 2 + laplace_host_rows - 1) / laplace_host_rows;
  forall(exec, "kolam::laplace_sweep", groups, [=](index_t group) {
    if (control.stop.data() != nullptr && control.stop() != 0) return;
    alignas(64) T buffer[piece];
    const index_t first = 1 + group * laplace_host_rows;
    const index_t last = std::min(first + laplace_host_rows, grid.ny - 1);
    double sum = 0;
    for (index_t begin = 0; begin < grid.nx; begin += piece) {
      const index_t end = std::min(begin + piece, grid.nx);
      const index_t from = std::max<index_t>(begin, 1);
      const index_t to = std::min(end, grid.nx - 1);
      for (index_t y = first; y < last; ++y) {
        const T* const row = u + y * grid.pitch;
        T* const new_row = new_u + y * grid.pitch + begin;
        T* const out = stream ? buffer : new_row;  // from column `begin`
        prefetch(row + end, std::min(piece, grid.nx - end));
        if (begin == 0) out[0] = row[0];
        if (end == grid.nx) out[end - 1 - begin] = row[end - 1];
        sum += laplace_piece(row, grid.pitch, out + (from - begin), from, to);
        if (stream) stream_out(new_row, out, end - begin);
        if (y == 1)
          std::copy_n(out + (from - begin), to - from, new_u + (grid.ny - 1) * grid.pitch + from);
        if (y == grid.ny - 2) std::copy_n(out + (from - begin), to - from, new_u + from);
      }
    }
    if (stream) stream_fence();
    if (control.partial_sums.extent(0) > 0) control.partial_sums(group) = sum;
  });
}

}  // namespace kolam::detail
