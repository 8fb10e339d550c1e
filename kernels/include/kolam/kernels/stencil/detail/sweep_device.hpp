// SPDX-License-Identifier: Apache-2.0
// The sweep on execution spaces whose blocks have threads. Bytes in flight per thread determine its
// speed, so a thread takes a short vector of columns (16 bytes) and several rows (in 3D: planes):
// it issues all its loads before it uses the first.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <kolam/core/error.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/short_vector.hpp>
#include <kolam/kernels/stencil/detail/bare_fields.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <limits>
#include <string>
#include <vector>

namespace kolam::detail {

template <class T, class Exec, int N>
struct StencilTile {
  static constexpr int lanes = 32;  // short vectors along x
  // Rows of threads along y, and blocks per multiprocessor: measured, and without spills.
  static constexpr int warps = std::same_as<Exec, HostTeams> ? 2 : 4;
  static constexpr int min_blocks = N == 3 ? (sizeof(T) == 4 ? 3 : 4) : sizeof(T) == 4 ? 5 : 6;
  static constexpr int rows = 4;  // rows per thread, along the slowest dimension
  using Shape = StaticShape<lanes, warps, 1, min_blocks>;
  // Returns the number of points of a tile along a dimension.
  KOKKOS_FUNCTION static constexpr int extent(int dimension) {
    if (dimension == 0) return lanes * ShortVector<T>::size;
    if (N == 2) return warps * rows;
    return dimension == 1 ? warps : rows;
  }

  // Returns the number of tiles, stacked along the slowest dimension, that one block sweeps.
  // (Memory is idle during the start of a block and its final reduction. Measured; in 2D without a
  // norm single tiles are faster. The number depends on the points alone, so that sums do not
  // depend on the device.)
  static index_t stack(const Box<N>& part, bool with_norm) {
    const index_t most = N == 3 ? 4 : with_norm ? 2 : 1;
    return std::clamp<index_t>(product(part, 1) / 8192, 1, most);
  }
  static index_t tiles(const Box<N>& part, bool with_norm) {
    return product(part, stack(part, with_norm));
  }

 private:
  static index_t product(const Box<N>& part, index_t stack) {
    index_t result = 1;
    for (int d = 0; d < N; ++d) {
      const index_t tile = extent(d) * (d == N - 1 ? stack : 1);
      result *= (std::max<index_t>(part[d].end - part[d].begin, 0) + tile - 1) / tile;
    }
    return result;
  }
};

// A part of the subdomain, for a kernel; its tiles are numbered from `first`.
template <int N>
struct SweepPart {
  unsigned first;
  unsigned across[N - 1];  // tiles in all dimensions but the slowest
  unsigned stack;
  int begin[N];
  int end[N];
};

// The parts of a sweep: at most as many as a subdomain has faces.
template <int N>
struct SweepParts {
  int count = 0;
  SweepPart<N> parts[2 * N] = {};
  index_t tiles = 0;

  template <class Tile>
  SweepParts(Tile, const std::vector<Box<N>>& boxes, bool with_norm) {
    if (boxes.size() > 2 * N) {
      throw InvalidArgument("stencil_sweep: " + std::to_string(boxes.size()) +
                            " parts; there may be " + std::to_string(2 * N) + " at most");
    }
    for (const Box<N>& box : boxes) {
      if (box.empty()) continue;
      SweepPart<N>& part = parts[count++];
      part.first = static_cast<unsigned>(tiles);
      part.stack = static_cast<unsigned>(Tile::stack(box, with_norm));
      tiles += Tile::tiles(box, with_norm);
      for (int d = 0; d < N; ++d) {
        const index_t extent = box[d].end - box[d].begin;
        if (box[d].end > std::numeric_limits<int>::max() ||
            tiles > std::numeric_limits<int>::max()) {
          throw InvalidArgument(
              "stencil_sweep: a part of " + std::to_string(extent) +
              " points along one dimension is beyond 32 bits; use more subdomains");
        }
        part.begin[d] = static_cast<int>(box[d].begin);
        part.end[d] = static_cast<int>(box[d].end);
        if (d < N - 1)
          part.across[d] = static_cast<unsigned>((extent + Tile::extent(d) - 1) / Tile::extent(d));
      }
    }
  }
};

// The registers around the rows that a thread updates: short vectors of columns, with the value
// before and after each. The compiler does not load values that the stencil does not read.
template <class T, int N, int Rows>
struct RowRegisters {
  static constexpr int lines = N == 3 ? 3 : 1;  // along y, in 3D

  ShortVector<T> columns[lines][Rows + 2];
  T befores[lines][Rows + 2];
  T afters[lines][Rows + 2];

  KOKKOS_FORCEINLINE_FUNCTION T at(int line, int row, int i) const {
    constexpr int size = ShortVector<T>::size;
    const T inside = columns[line][row][i & (size - 1)];  // (compilers see that this is in range)
    return i < 0 ? befores[line][row] : i < size ? inside : afters[line][row];
  }
};

template <class S, class T, class Exec, bool WithNorm>
struct StencilDeviceSweep {
  static constexpr int dims = S::dimensions;
  static constexpr int known_count = stencil_coefficients<S>;
  using Tile = StencilTile<T, Exec, dims>;
  static constexpr int slow = dims - 1;

  S stencil;
  index_t stride[dims - 1];  // of y, and z
  int layers;                // own points along the slowest dimension
  BareFields<S, T> fields;
  SweepParts<dims> parts;
  SweepControl<Exec> control;

  KOKKOS_FUNCTION void operator()(const kolam::Block<Exec, typename Tile::Shape>& block,
                                  index_t number) const {
    if (control.stop.data() != nullptr && control.stop() != 0) return;
    // (A tile's number fits into 32 bits, which divide faster.)
    const auto n = static_cast<unsigned>(number);
    int which = 0;
    while (which + 1 < parts.count && n >= parts.parts[which + 1].first) ++which;
    const SweepPart<dims>& part = parts.parts[which];
    double sum = 0;
    block.foreach_y(Tile::warps, [&](int warp) {
      block.foreach_x(Tile::lanes, [&](int lane) { sum += update_tile(part, n, warp, lane); });
    });
    if constexpr (WithNorm) {
      const double total = block.sum(sum);
      block.once([&] { control.partial_sums(number) = total; });
    }
  }

  // Does the work of one thread on a tile; returns its part of the sum.
  KOKKOS_FORCEINLINE_FUNCTION double update_tile(const SweepPart<dims>& part, unsigned n, int warp,
                                                 int lane) const {
    constexpr int height = Tile::extent(slow);
    unsigned rest = n - part.first;
    const auto x =
        part.begin[0] + static_cast<int>(rest % part.across[0] * Tile::lanes + unsigned(lane)) *
                            ShortVector<T>::size;
    rest /= part.across[0];
    int y = 0;  // in 3D
    if constexpr (dims == 3) {
      y = part.begin[1] + static_cast<int>(rest % part.across[1]) * Tile::extent(1) + warp;
      rest /= part.across[1];
      if (y >= part.end[1]) return 0;
    }
    if (x >= part.end[0]) return 0;
    const int first = part.begin[slow] + static_cast<int>(rest * part.stack) * height +
                      (dims == 2 ? warp * Tile::rows : 0);
    const int last = Kokkos::min(first + static_cast<int>(part.stack) * height, part.end[slow]);
    const bool whole = x + ShortVector<T>::size <= part.end[0];
    double sum = 0;
    for (int row = first; row < last; row += height) {
      const int end = Kokkos::min(row + Tile::rows, part.end[slow]);
      if (end - row == Tile::rows && whole) {
        sum += update<Tile::rows, true>(x, y, row, part.end[0]);
      } else {
        for (int r = row; r < end; ++r) sum += update<1, false>(x, y, r, part.end[0]);
      }
    }
    // The thread that wrote these values reads them back: rare, and the loop above needs no
    // registers for it.
    if (fields.low_ghosts != nullptr && first == 0) copy(x, y, 0, fields.low_ghosts, part.end[0]);
    if (fields.high_ghosts != nullptr) {
      const int distance = layers - 1 - first;
      if (distance >= 0 && distance < static_cast<int>(part.stack) * height &&
          distance % height < Tile::rows) {
        copy(x, y, layers - 1, fields.high_ghosts, part.end[0]);
      }
    }
    return sum;
  }

  KOKKOS_FORCEINLINE_FUNCTION index_t offset(int x, int y, int row) const {
    return dims == 2 ? x + row * stride[0] : x + y * stride[0] + row * stride[slow - 1];
  }

  // Updates columns from x on of rows row .. row + Rows - 1; Whole: all of them lie before `end`.
  // No condition separates the loads, so all are in flight together.
  template <int Rows, bool Whole>
  KOKKOS_FORCEINLINE_FUNCTION double update(int x, int y, int row, int end) const {
    constexpr int size = ShortVector<T>::size;
    using Registers = RowRegisters<T, dims, Rows>;
    Registers around;
    const index_t base = offset(x, y, row);
    const index_t next = stride[slow - 1];  // from row to row
    for (int j = 0; j < Rows + 2; ++j) {
      for (int line = 0; line < Registers::lines; ++line) {
        const T* from = fields.u + base + (j - 1) * next;
        if constexpr (dims == 3) from += (line - 1) * stride[0];
        around.columns[line][j] = load_short_vector(from);
        around.befores[line][j] = from[-1];
        around.afters[line][j] = from[size];
      }
    }
    ShortVector<T> known[known_count > 0 ? known_count : 1][Rows];
    for (int k = 0; k < known_count; ++k) {
      for (int j = 0; j < Rows; ++j)
        known[k][j] = load_short_vector(fields.coefficients[k] + base + j * next);
    }

    double sum = 0;
    for (int j = 0; j < Rows; ++j) {
      T* const to = fields.new_u + base + j * next;
      ShortVector<T> result;
      for (int i = 0; i < size; ++i) {
        const auto at = [&](int dx, int dy, int dz) {
          return dims == 2 ? around.at(0, j + 1 + dy, i + dx)
                           : around.at(1 + dy, j + 1 + dz, i + dx);
        };
        result[i] = update_point<T>(stencil, at, [&](int k) { return known[k][j][i]; });
        const bool inside = Whole || x + i < end;
        if constexpr (WithNorm) {
          const double change = inside ? result[i] - at(0, 0, 0) : T(0);
          sum += change * change;
        }
        if constexpr (!Whole) {
          if (inside) to[i] = result[i];
        }
      }
      if constexpr (Whole) store_short_vector(to, result);
    }
    return sum;
  }

  // Copies new values of a thread's columns of a row to a neighbour's ghosts.
  KOKKOS_FORCEINLINE_FUNCTION void copy(int x, int y, int from, T* to, int end) const {
    for (int i = 0; i < ShortVector<T>::size; ++i)
      if (x + i < end) to[offset(x + i, y, 0)] = fields.new_u[offset(x + i, y, from)];
  }
};

template <class T, class Exec, class S>
void sweep_on_device(const Exec& exec, const S& stencil,
                     const StencilOperands<S, T, Exec>& operands,
                     const std::vector<Box<S::dimensions>>& boxes,
                     const SweepControl<Exec>& control) {
  constexpr int dims = S::dimensions;
  using Tile = StencilTile<T, Exec, dims>;
  const bool with_norm = control.partial_sums.extent(0) > 0;
  const SweepParts<dims> parts(Tile{}, boxes, with_norm);
  const auto launch = [&]<bool WithNorm>() {
    const FieldLayout<dims>& layout = operands.layout;
    StencilDeviceSweep<S, T, Exec, WithNorm> sweep{
        stencil, {},     static_cast<int>(layout.own[dims - 1]), BareFields<S, T>(operands),
        parts,   control};
    for (std::size_t d = 1; d < dims; ++d) sweep.stride[d - 1] = layout.stride[d];
    forall_2d(exec, "kolam::stencil_sweep", parts.tiles, typename Tile::Shape{}, sweep);
  };
  if (with_norm) {
    launch.template operator()<true>();
  } else {
    launch.template operator()<false>();
  }
}

}  // namespace kolam::detail
