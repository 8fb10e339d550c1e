// SPDX-License-Identifier: Apache-2.0
// Several fused steps on a processor with caches. A thread sweeps along the slowest dimension of a
// tile, a band of rows (in 3D: of planes) that is small enough for the layers of all steps to stay
// in the second-level cache. When a layer of the old field arrives, every step advances by one
// layer, one layer after the step before it; three layers of each step are kept. Neighbouring tiles
// recompute the values around a tile's own points.
#pragma once

#include <algorithm>
#include <kolam/core/forall.hpp>
#include <kolam/core/non_temporal.hpp>
#include <kolam/core/scratch.hpp>
#include <kolam/kernels/stencil/detail/bare_fields.hpp>
#include <kolam/kernels/stencil/detail/rows.hpp>
#include <kolam/kernels/stencil/detail/sum_of_squares.hpp>
#include <kolam/kernels/stencil/operands.hpp>

namespace kolam::detail {

// Cuts a subdomain into tiles: enough of them for many threads, but with many more own points than
// redundant ones. (The cut depends on the points alone, so that sums do not depend on the number of
// threads.)
template <class T, int N>
struct HostFusedTiling {
  // Most columns of a tile, and columns kept free on each side; with both, rows stay aligned.
  static constexpr index_t width = (N == 2 ? 8192 : 4096) / sizeof(T);
  static constexpr index_t rim = N == 2 ? 64 : 128 / sizeof(T);

  Box<N> part;
  PerDimension<index_t, N> size;    // of a tile
  PerDimension<index_t, N> across;  // tiles

  explicit HostFusedTiling(const Box<N>& points) : part(points) {
    const auto extent = [&](std::size_t d) { return part[d].end - part[d].begin; };
    size[0] = width;
    if constexpr (N == 2) {
      size[1] = std::clamp<index_t>(extent(1) / 32, 256, 1024);
    } else {
      // (Nearly square blocks of a plane would compute less redundantly, but rows should be long.)
      const index_t columns = std::clamp<index_t>(extent(0), 1, width);
      size[1] = std::clamp<index_t>(plane_values / columns, 16, 128);
      size[2] = std::clamp<index_t>(extent(2) / 8, 32, 128);
    }
    for (std::size_t d = 0; d < N; ++d) across[d] = (extent(d) + size[d] - 1) / size[d];
  }
  index_t tiles() const {
    index_t product = 1;
    for (std::size_t d = 0; d < N; ++d) product *= across[d];
    return product;
  }
  Box<N> tile(index_t number) const {
    Box<N> tile;
    for (std::size_t d = 0; d < N; ++d) {
      tile[d].begin = part[d].begin + number % across[d] * size[d];
      tile[d].end = std::min(tile[d].begin + size[d], part[d].end);
      number /= across[d];
    }
    return tile;
  }

 private:
  static constexpr index_t plane_values = 65536 / sizeof(T);  // of a tile
};

// The rows of one tile at all steps, three layers of each step. Step 0 is the old field itself.
template <class T, int Steps, int N>
class FusedRows {
 public:
  FusedRows(const T* u, const FieldLayout<N>& layout, const Box<N>& tile)
      : u_(u),
        stride_(layout.stride),
        first_column_(tile[0].begin),
        first_row_(tile[1].begin - Steps),
        rows_(N == 3 ? tile[1].end - tile[1].begin + 2 * Steps : 1),
        row_size_(lines(tile[0].end - tile[0].begin) + 2 * HostFusedTiling<T, N>::rim) {
    // (Memory of this thread, aligned to 64 bytes.)
    const index_t values = index_t{Steps - 1} * 3 * rows_ * row_size_;
    memory_ = static_cast<T*>(host_scratch(static_cast<std::size_t>(values) * sizeof(T)));
    // (Registers also read beside their columns: clears values of earlier work there.)
    constexpr index_t rim = HostFusedTiling<T, N>::rim;
    for (index_t begin = 0; begin < values; begin += row_size_) {
      std::fill_n(memory_ + begin, rim, T(0));
      std::fill_n(memory_ + begin + row_size_ - rim, rim, T(0));
    }
  }

  // Returns the address of column 0 of a row after `step` steps.
  const T* row(int step, index_t y, index_t z) const {
    if (step == 0) return u_ + y * stride_[1] + (N == 3 ? z * stride_[N - 1] : 0);
    return writable(step, y, z);
  }
  T* writable(int step, index_t y, index_t z) const {
    // (Layer numbers may be a little below zero.)
    const index_t layer = (step - 1) * 3 + ((N == 3 ? z : y) + index_t{3} * Steps) % 3;
    const index_t row = layer * rows_ + (N == 3 ? y - first_row_ : 0);
    return memory_ + row * row_size_ + (HostFusedTiling<T, N>::rim - first_column_);
  }

 private:
  // Rounds the number of values up to whole cache lines.
  static constexpr index_t lines(index_t values) {
    constexpr auto line = static_cast<index_t>(64 / sizeof(T));
    return (values + line - 1) / line * line;
  }

  const T* u_;
  PerDimension<index_t, N> stride_;
  index_t first_column_;
  index_t first_row_;
  index_t rows_;      // of a layer
  index_t row_size_;  // values
  T* memory_;
};

template <class T, int Steps, class S>
class HostFusedSteps {
 public:
  static constexpr int dims = S::dimensions;
  using Rows = FusedRows<T, Steps, dims>;

  S stencil;
  FieldLayout<dims> layout;
  FixedSides<dims> fixed;
  BareFields<S, T> fields;
  bool non_temporal;

  // Updates the own points of a tile; adds the squares of each step's changes to `sums`.
  void run(const Box<dims>& tile, double* sums) const {
    constexpr int slow = dims - 1;
    SumOfSquares<T> squares[Steps];
    const Rows rows(fields.u, layout, tile);
    const index_t count = tile[0].end - tile[0].begin;
    for (index_t at = tile[slow].begin - Steps + 2; at < tile[slow].end + Steps; ++at) {
      if constexpr (dims == 2) {
        // (In portions, because prefetches issued all at once would wait for each other.)
        for (int s = 0; s < Steps; ++s) {
          const index_t first = count * s / Steps;
          prefetch_to_cache(rows.row(0, at + 1, 0) + tile[0].begin + first,
                            count * (s + 1) / Steps - first);
          advance(rows, tile, s, at - s - 1, 0, squares[s]);
        }
      } else {
        // Row by row, with each step also one row after the step before it. So memory is read while
        // later steps compute, and rows just made are still in the first-level cache.
        for (index_t y = tile[1].begin - Steps + 1; y < tile[1].end + Steps - 1; ++y) {
          prefetch_to_cache(rows.row(0, y + 1, at + 1) + tile[0].begin, count);
          for (int s = 0; s < Steps; ++s) advance(rows, tile, s, y - s, at - s - 1, squares[s]);
        }
      }
    }
    if (non_temporal) non_temporal_fence();
    for (int s = 0; s < Steps; ++s) sums[s] += squares[s].total();
  }

 private:
  // Makes a row of step s + 1, if this tile needs it.
  void advance(const Rows& rows, const Box<dims>& tile, int s, index_t y, index_t z,
               SumOfSquares<T>& sum) const {
    const std::array<index_t, 3> place{0, y, z};
    const index_t beyond = Steps - 1 - s;  // layers that later steps need
    bool own = true;
    bool outside = false;
    for (std::size_t d = 1; d < dims; ++d) {
      const index_t at = place[d];
      if (at < tile[d].begin - beyond || at >= tile[d].end + beyond) return;
      own = own && at >= tile[d].begin && at < tile[d].end;
      outside = outside || (fixed[d][0] && at < 0) || (fixed[d][1] && at >= layout.own[d]);
    }
    const bool last = s == Steps - 1;
    const index_t in_field = y * layout.stride[1] + (dims == 3 ? z * layout.stride[dims - 1] : 0);
    alignas(64) T buffer[HostFusedTiling<T, dims>::width];
    T* const to = !last          ? rows.writable(s + 1, y, z)
                  : non_temporal ? buffer - tile[0].begin
                                 : fields.new_u + in_field;
    const T* const old = rows.row(s, y, z);
    // Columns that later steps need, with the boundary's column if it is among them.
    const bool left = fixed[0][0] && tile[0].begin < beyond;
    const bool right = fixed[0][1] && tile[0].end + beyond > layout.own[0];
    const index_t from = left ? -1 : tile[0].begin - beyond;
    const index_t until = right ? layout.own[0] + 1 : tile[0].end + beyond;
    if (outside) {
      std::copy(old + from, old + until, to + from);
      return;
    }
    const HostRows<T> around = rows_around(rows, s, y, z);
    // Next to the tile, whole registers are updated, with some columns that are not used.
    const index_t before = (beyond + host_lanes<T> - 1) / host_lanes<T> * host_lanes<T>;
    if (from + left < tile[0].begin)
      update_registers(stencil, around, fields, in_field, to, tile[0].begin - before,
                       tile[0].begin);
    if (tile[0].end < until - right)
      update_registers(stencil, around, fields, in_field, to, tile[0].end, until - right);
    SumOfSquares<T> of_others;  // sums that other tiles add up themselves
    update_segment<1, false>(stencil, around, fields, in_field, 0, NewRows<T>{to + tile[0].begin},
                             tile[0].begin, tile[0].end, 0, own ? sum : of_others);
    if (left) to[-1] = old[-1];
    if (right) to[layout.own[0]] = old[layout.own[0]];
    if (last) finish(tile, y, z, in_field, to + tile[0].begin);
  }

  static HostRows<T> rows_around(const Rows& rows, int s, index_t y, index_t z) {
    if constexpr (dims == 2) {
      return HostRows<T>(rows.row(s, y - 1, 0), rows.row(s, y, 0), rows.row(s, y + 1, 0));
    } else {
      HostRows<T> around(nullptr, nullptr, nullptr);
      for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy) around.rows[dz + 1][dy + 1] = rows.row(s, y + dy, z + dz);
      return around;
    }
  }

  // Stores a row of the last step, also in the neighbours' ghosts.
  void finish(const Box<dims>& tile, index_t y, index_t z, index_t in_field, const T* row) const {
    const index_t count = tile[0].end - tile[0].begin;
    const index_t place = in_field + tile[0].begin;
    if (non_temporal) store_non_temporal(fields.new_u + place, row, count);
    const index_t layer = dims == 3 ? z : y;
    const index_t high = layout.own[dims - 1] - Steps;  // the first layer that goes to high_ghosts
    if (fields.low_ghosts != nullptr && layer < Steps)
      std::copy_n(row, count, fields.low_ghosts + place);
    if (fields.high_ghosts != nullptr && layer >= high)
      std::copy_n(row, count, fields.high_ghosts + (place - high * layout.stride[dims - 1]));
  }
};

template <class T, int Steps, class Exec, class S>
void fused_on_host(const Exec& exec, const S& stencil, const StencilOperands<S, T, Exec>& operands,
                   const FixedSides<S::dimensions>& fixed,
                   const HostFusedTiling<T, S::dimensions>& tiling,
                   const FusedSums<Exec>& partial_sums) {
  const FieldLayout<S::dimensions>& layout = operands.layout;
  const auto bytes = static_cast<std::uint64_t>(layout.size) * sizeof(T);
  const HostFusedSteps<T, Steps, S> steps{stencil, layout, fixed, BareFields<S, T>(operands),
                                          exceeds_cache((2 + stencil_coefficients<S>)*bytes)};
  forall(exec, "kolam::fused_steps", tiling.tiles(), [=](index_t number) {
    const FlushToZero flush;
    double sums[Steps] = {};
    steps.run(tiling.tile(number), sums);
    for (int s = 0; s < Steps; ++s) partial_sums(number, s) = sums[s];
  });
}

}  // namespace kolam::detail
