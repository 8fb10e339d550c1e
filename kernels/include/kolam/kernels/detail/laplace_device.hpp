// SPDX-License-Identifier: Apache-2.0
// The sweep where blocks have threads. Bytes in flight per thread decide its speed, so a thread takes one
// 16-byte pack of columns and several rows: all its loads are issued before the first is used.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/pack.hpp>
#include <kolam/kernels/laplace_sweep.hpp>

namespace kolam::detail {

template <class T>
struct LaplaceTile {
  static constexpr int lanes = 32;  // packs along x
  static constexpr int warps = 8;   // thread rows along y
  static constexpr int rows = 4;    // grid rows per thread
  static constexpr int width = lanes * Pack<T>::size;
  static constexpr int height = warps * rows;

  static index_t across(const Grid2d& grid) { return (grid.nx + width - 1) / width; }
  static index_t along(const Grid2d& grid) { return (grid.ny - 2 + height - 1) / height; }
};

template <class T, class Exec, bool WithNorm>
struct LaplaceDeviceSweep {
  using Tile = LaplaceTile<T>;
  using Shape = StaticShape<Tile::lanes, Tile::warps>;

  Grid2d grid;
  index_t tiles_across;
  const T* u;
  T* new_u;
  SweepControl<Exec> control;

  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t tile) const {
    if (control.stop.data() != nullptr && control.stop() != 0) return;
    double sum = 0;
    block.foreach_y(Tile::warps, [&](int warp) {
      block.foreach_x(Tile::lanes, [&](int lane) {
        const index_t x = (tile % tiles_across * Tile::lanes + lane) * Pack<T>::size;
        const index_t y = 1 + (tile / tiles_across * Tile::warps + warp) * Tile::rows;
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
    // Rows behind the last one repeat it; what they give is not stored.
    const auto row = [&](int j) {
      const index_t r = y + j < grid.ny ? y + j : grid.ny - 1;
      return u + r * grid.pitch + x;
    };
    Pack<T> packs[rows + 2];
    T lefts[rows];
    T rights[rows];
    for (int j = 0; j < rows + 2; ++j) packs[j] = load_pack(row(j - 1));
    for (int j = 0; j < rows; ++j) {
      lefts[j] = x > 0 ? row(j)[-1] : T(0);
      rights[j] = x + size < grid.pitch ? row(j)[size] : T(0);
    }

    double sum = 0;
    for (int j = 0; j < rows; ++j) {
      if (y + j >= grid.ny - 1) break;
      const Pack<T>& center = packs[j + 1];
      Pack<T> result;
      for (int i = 0; i < size; ++i) {
        const T left = i > 0 ? center[i > 0 ? i - 1 : 0] : lefts[j];
        const T right = i + 1 < size ? center[i + 1 < size ? i + 1 : 0] : rights[j];
        const T average = laplace_average(left, right, packs[j][i], packs[j + 2][i]);
        const bool inside = x + i > 0 && x + i < grid.nx - 1;
        result[i] = inside ? average : center[i];
        if constexpr (WithNorm) {
          const double change = result[i] - center[i];
          sum += change * change;
        }
      }
      T* const to = new_u + (y + j) * grid.pitch + x;
      store_pack(to, result);
      if (y + j == 1) store_inside(x, grid.ny - 1, result);
      if (y + j == grid.ny - 2) store_inside(x, 0, result);
    }
    return sum;
  }

  // The periodic image of a row; its fixed columns are its own.
  KOKKOS_FORCEINLINE_FUNCTION void store_inside(index_t x, index_t y, const Pack<T>& result) const {
    T* const to = new_u + y * grid.pitch + x;
    for (int i = 0; i < Pack<T>::size; ++i) {
      if (x + i > 0 && x + i < grid.nx - 1) to[i] = result[i];
    }
  }
};

template <class T, class Exec>
void laplace_sweep_on_device(const Exec& exec, const Grid2d& grid, const T* u, T* new_u,
                             const SweepControl<Exec>& control) {
  using Tile = LaplaceTile<T>;
  const index_t across = Tile::across(grid);
  const index_t tiles = across * Tile::along(grid);
  const auto launch = [&](const auto& sweep) {
    forall_2d(exec, "kolam::laplace_sweep", tiles, StaticShape<Tile::lanes, Tile::warps>{}, sweep);
  };
  if (control.partial_sums.extent(0) > 0) {
    launch(LaplaceDeviceSweep<T, Exec, true>{grid, across, u, new_u, control});
  } else {
    launch(LaplaceDeviceSweep<T, Exec, false>{grid, across, u, new_u, control});
  }
}

}  // namespace kolam::detail
