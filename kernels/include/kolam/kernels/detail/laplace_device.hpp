// SPDX-License-Identifier: Apache-2.0
// The sweep where blocks have threads. Bytes in flight per thread decide its speed, so a thread
// takes one 16-byte pack of columns and several rows: all its loads are issued before the first is
// used.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/pack.hpp>
#include <kolam/kernels/laplace_sweep.hpp>

namespace kolam::detail {

template <class T, class Exec>
struct LaplaceTile {
  static constexpr int lanes = 32;                                     // packs along x
  static constexpr int warps = std::same_as<Exec, HostTeams> ? 2 : 8;  // thread rows along y
  static constexpr int rows = 4;                                       // grid rows per thread
  // As many blocks a multiprocessor as the registers of one thread's rows allow without spilling.
  using Shape = StaticShape<lanes, warps, 1, sizeof(T) == 4 ? 4 : 3>;
  static constexpr int width = lanes * Pack<T>::size;
  static constexpr int height = warps * rows;

  static index_t across(const Grid2d& grid) { return (grid.nx + width - 1) / width; }
  static index_t along(const Grid2d& grid) { return (grid.ny - 2 + height - 1) / height; }
};

template <class T, class Exec, bool WithNorm>
struct LaplaceDeviceSweep {
  using Tile = LaplaceTile<T, Exec>;
  using Shape = typename Tile::Shape;

  Grid2d grid;
  unsigned tiles_across;
  const T* u;
  T* new_u;
  SweepControl<Exec> control;

  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t tile) const {
    if (control.stop.data() != nullptr && control.stop() != 0) return;
    double sum = 0;
    block.foreach_y(Tile::warps, [&](int warp) {
      block.foreach_x(Tile::lanes, [&](int lane) {
        // (A tile's number fits 32 bits wherever a field fits memory, and divides faster.)
        const auto number = static_cast<unsigned>(tile);
        const index_t x = (index_t{number % tiles_across} * Tile::lanes + lane) * Pack<T>::size;
        const index_t y = 1 + (index_t{number / tiles_across} * Tile::warps + warp) * Tile::rows;
        if (x < grid.nx && y < grid.ny - 1) sum += update(x, y);
      });
    });
    if constexpr (WithNorm) {
      const double total = block.sum(sum);
      block.once([&] { control.partial_sums(tile) = total; });
    }
  }

  // Updates columns x .. of rows y .. y + rows - 1 and returns its part of the sum.
  KOKKOS_FORCEINLINE_FUNCTION double update(index_t x, index_t y) const {
    constexpr int size = Pack<T>::size;
    constexpr int rows = Tile::rows;
    const int here = static_cast<int>(Kokkos::min<index_t>(rows, grid.ny - 1 - y));  // rows to do
    const int begin = x == 0 ? 1 : 0;  // columns to do
    const int end = static_cast<int>(Kokkos::min<index_t>(size, grid.nx - 1 - x));
    const bool behind = x + size < grid.pitch;

    Pack<T> packs[rows + 2];
    T lefts[rows];
    T rights[rows];
    const T* row = u + (y - 1) * grid.pitch + x;
    for (int j = 0; j < rows + 2; ++j) {
      packs[j] = load_pack(row);
      if (j > 0 && j <= rows) {
        lefts[j - 1] = begin > 0 ? T(0) : row[-1];
        rights[j - 1] = behind ? row[size] : T(0);
      }
      if (j <= here) row += grid.pitch;  // rows behind the last one repeat it, and are not stored
    }

    double sum = 0;
    T* to = new_u + y * grid.pitch + x;
    for (int j = 0; j < rows; ++j) {
      if (j < here) {
        const Pack<T>& center = packs[j + 1];
        Pack<T> result;
        for (int i = 0; i < size; ++i) {
          const T left = i > 0 ? center[i > 0 ? i - 1 : 0] : lefts[j];
          const T right = i + 1 < size ? center[i + 1 < size ? i + 1 : 0] : rights[j];
          const T average = laplace_average(left, right, packs[j][i], packs[j + 2][i]);
          const bool inside = i >= begin && i < end;
          result[i] = inside ? average : center[i];
          if constexpr (WithNorm) {
            const double change = inside ? average - center[i] : T(0);
            sum += change * change;
          }
        }
        store_pack(to, result);
        to += grid.pitch;
      }
    }
    // Read back by the thread that wrote them: rare, and out of the way of the others' registers.
    if (y == 1) wrap(x, 1, grid.ny - 1);
    if (y + here == grid.ny - 1) wrap(x, grid.ny - 2, 0);
    return sum;
  }

  // Makes row `to` of new_u the periodic image of row `from`; its fixed columns are its own.
  KOKKOS_FORCEINLINE_FUNCTION void wrap(index_t x, index_t from, index_t to) const {
    for (int i = 0; i < Pack<T>::size; ++i) {
      if (x + i > 0 && x + i < grid.nx - 1) {
        new_u[to * grid.pitch + x + i] = new_u[from * grid.pitch + x + i];
      }
    }
  }
};

template <class T, class Exec>
void laplace_sweep_on_device(const Exec& exec, const Grid2d& grid, const T* u, T* new_u,
                             const SweepControl<Exec>& control) {
  using Tile = LaplaceTile<T, Exec>;
  const auto across = static_cast<unsigned>(Tile::across(grid));
  const index_t tiles = across * Tile::along(grid);
  const auto launch = [&](const auto& sweep) {
    forall_2d(exec, "kolam::laplace_sweep", tiles, typename Tile::Shape{}, sweep);
  };
  if (control.partial_sums.extent(0) > 0) {
    launch(LaplaceDeviceSweep<T, Exec, true>{grid, across, u, new_u, control});
  } else {
    launch(LaplaceDeviceSweep<T, Exec, false>{grid, across, u, new_u, control});
  }
}

}  // namespace kolam::detail
