// SPDX-License-Identifier: Apache-2.0
// The sweep where blocks have threads. Bytes in flight per thread decide its speed, so a thread
// takes one 16-byte pack of columns and several rows: all its loads are issued before the first is
// used.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/pack.hpp>
#include <kolam/kernels/laplace_sweep.hpp>

namespace kolam::detail {

template <class T, class Exec>
struct LaplaceTile {
  static constexpr int lanes = 32;  // packs along x
  // Thread rows along y, and blocks a multiprocessor: measured, and without spills.
  static constexpr int warps = std::same_as<Exec, HostTeams> ? 2 : sizeof(T) == 4 ? 8 : 4;
  static constexpr int min_blocks = sizeof(T) == 4 ? 4 : 6;
  static constexpr int rows = 4;  // grid rows per thread
  // Columns inside the grid have code of their own, without the conditions at its edges: fewer
  // registers, and so more blocks at once in double; in float it costs more than it gives.
  static constexpr bool split_interior = sizeof(T) == 8;
  using Shape = StaticShape<lanes, warps, 1, min_blocks>;
  static constexpr int width = lanes * Pack<T>::size;
  static constexpr int height = warps * rows;

  unsigned across;  // tiles along x
  unsigned along;   // tiles along y
  unsigned stack;   // tiles, one above the other, that one block sweeps

  // The start and the end of a block, its reduction, keep no memory busy: on large grids blocks
  // take several tiles. (How many depends on the grid alone, so that sums do not depend on the
  // device.)
  explicit LaplaceTile(const Grid2d& grid)
      : across(static_cast<unsigned>((grid.nx + width - 1) / width)),
        along(static_cast<unsigned>((grid.ny - 2 + height - 1) / height)),
        stack(static_cast<unsigned>(std::clamp<index_t>(index_t{across} * along / 8192, 1, 2))) {}

  [[nodiscard]] index_t blocks() const { return index_t{across} * ((along + stack - 1) / stack); }
};

template <class T, class Exec, bool WithNorm>
struct LaplaceDeviceSweep {
  using Tile = LaplaceTile<T, Exec>;

  Grid2d grid;
  Tile tile;
  const T* u;
  T* new_u;
  SweepControl<Exec> control;

  KOKKOS_FUNCTION void operator()(const Block<Exec, typename Tile::Shape>& block,
                                  index_t number) const {
    if (control.stop.data() != nullptr && control.stop() != 0) return;
    double sum = 0;
    block.foreach_y(Tile::warps, [&](int warp) {
      block.foreach_x(Tile::lanes, [&](int lane) {
        // (A block's number fits 32 bits wherever a field fits memory, and divides faster.)
        const auto n = static_cast<unsigned>(number);
        const index_t x = (index_t{n % tile.across} * Tile::lanes + lane) * Pack<T>::size;
        const index_t row = index_t{n / tile.across} * tile.stack * Tile::warps + warp;
        const index_t first = 1 + row * Tile::rows;
        const index_t end = Kokkos::min(first + tile.stack * Tile::height, grid.ny - 1);
        if (x >= grid.nx) return;
        for (index_t y = first; y < end; y += Tile::height) sum += update(x, y);
        // Read back by the thread that wrote them: rare, and out of the way of the others'
        // registers.
        if (first == 1) wrap(x, 1, grid.ny - 1);
        if (has_last_row(first)) wrap(x, grid.ny - 2, 0);
      });
    });
    if constexpr (WithNorm) {
      const double total = block.sum(sum);
      block.once([&] { control.partial_sums(number) = total; });
    }
  }

  // Whether row ny-2 is among the rows of the thread that starts at row `first`.
  KOKKOS_FORCEINLINE_FUNCTION bool has_last_row(index_t first) const {
    const index_t distance = grid.ny - 2 - first;
    return distance >= 0 && distance < index_t{tile.stack} * Tile::height &&
           distance % Tile::height < Tile::rows;
  }

  // Updates columns x .. of a tile's rows y .. and returns its part of the sum.
  KOKKOS_FORCEINLINE_FUNCTION double update(index_t x, index_t y) const {
    double sum = 0;
    const index_t end = Kokkos::min(y + Tile::rows, grid.ny - 1);
    const bool inside = !Tile::split_interior || (x > 0 && x + Pack<T>::size < grid.nx);
    if (end - y == Tile::rows && inside) {
      sum = update_rows<Tile::rows, Tile::split_interior>(x, y);
    } else {
      for (index_t row = y; row < end; ++row) sum += update_rows<1, false>(x, row);
    }
    return sum;
  }

  // No condition stands between one load and the next, so all are in flight together.
  template <int Rows, bool Interior>
  KOKKOS_FORCEINLINE_FUNCTION double update_rows(index_t x, index_t y) const {
    constexpr int size = Pack<T>::size;
    const int begin = x == 0 ? 1 : 0;  // the columns to update
    const int end = static_cast<int>(Kokkos::min<index_t>(size, grid.nx - 1 - x));
    const bool behind = x + size < grid.pitch;

    Pack<T> packs[Rows + 2];
    T lefts[Rows];
    T rights[Rows];
    for (int j = 0; j < Rows + 2; ++j) {
      const T* const row = u + (y + j - 1) * grid.pitch + x;
      packs[j] = load_pack(row);
      if (j > 0 && j <= Rows) {
        lefts[j - 1] = !Interior && begin > 0 ? T(0) : row[-1];
        rights[j - 1] = Interior || behind ? row[size] : T(0);
      }
    }

    double sum = 0;
    T* const to = new_u + y * grid.pitch + x;
    for (int j = 0; j < Rows; ++j) {
      const Pack<T>& center = packs[j + 1];
      Pack<T> result;
      for (int i = 0; i < size; ++i) {
        const T before = i > 0 ? center[i > 0 ? i - 1 : 0] : lefts[j];
        const T after = i + 1 < size ? center[i + 1 < size ? i + 1 : 0] : rights[j];
        const T average = laplace_average(before, after, packs[j][i], packs[j + 2][i]);
        const bool inside = Interior || (i >= begin && i < end);
        result[i] = inside ? average : center[i];
        if constexpr (WithNorm) {
          const double change = inside ? average - center[i] : T(0);
          sum += change * change;
        }
      }
      store_pack(to + j * grid.pitch, result);
    }
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
  const LaplaceTile<T, Exec> tile(grid);
  const auto launch = [&](const auto& sweep) {
    forall_2d(exec, "kolam::laplace_sweep", tile.blocks(), typename LaplaceTile<T, Exec>::Shape{},
              sweep);
  };
  if (control.partial_sums.extent(0) > 0) {
    launch(LaplaceDeviceSweep<T, Exec, true>{grid, tile, u, new_u, control});
  } else {
    launch(LaplaceDeviceSweep<T, Exec, false>{grid, tile, u, new_u, control});
  }
}

}  // namespace kolam::detail
