// SPDX-License-Identifier: Apache-2.0
// Several steps in one pass on a processor with caches. A thread streams down a tile: a band of
// rows, as many columns as leave the rows of all steps in the first or second-level cache. When a
// row of the old field arrives, every step advances by one row, each a row behind the one before;
// three rows of each are kept. What a tile computes beside its own columns and rows, its neighbours
// compute again.
#pragma once

#include <algorithm>
#include <kolam/core/forall.hpp>
#include <kolam/core/streaming.hpp>
#include <kolam/kernels/detail/stencil_host.hpp>
#include <kolam/kernels/stencil_operands.hpp>
#include <utility>

namespace kolam::detail {

inline constexpr index_t pass_rim =
    64;  // columns kept free beside a tile's own; keeps rows aligned

template <class T>
struct HostPassTiling {
  static constexpr index_t width = 8192 / sizeof(T);  // columns of a tile

  index_t across;
  index_t along;
  index_t band;

  template <class Exec>
  HostPassTiling(const Exec&, const FieldLayout<2>& layout)
      : across((layout.own[0] + width - 1) / width) {
    // Enough tiles for many threads, but much higher than what they compute in vain. (Not the
    // number of threads: sums shall not depend on it.)
    band = std::clamp<index_t>(layout.own[1] / 64, 128, 1024);
    along = (layout.own[1] + band - 1) / band;
  }
  [[nodiscard]] index_t tiles() const { return across * along; }
};

// The rows of one tile at all steps. Step 0 is the old field itself.
template <class T, int Steps>
class PassRows {
 public:
  PassRows(const T* u, index_t pitch, index_t first_column)
      : u_(u), pitch_(pitch), first_column_(first_column) {}

  // Column 0 of row y after `step` steps.
  [[nodiscard]] const T* row(int step, index_t y) const {
    return step == 0 ? u_ + y * pitch_ : slot(step, y);
  }
  [[nodiscard]] T* writable(int step, index_t y) { return const_cast<T*>(slot(step, y)); }

 private:
  static constexpr index_t row_size = HostPassTiling<T>::width + 2 * pass_rim;

  [[nodiscard]] const T* slot(int step, index_t y) const {
    // (y is not far below zero.)
    return rows_[step - 1][(y + index_t{3} * Steps) % 3] + (pass_rim - first_column_);
  }

  const T* u_;
  index_t pitch_;
  index_t first_column_;
  alignas(64) T rows_[Steps > 1 ? Steps - 1 : 1][3][row_size];
};

template <class T, int Steps, class S>
class HostPass {
 public:
  static constexpr int known_count = stencil_coefficients<S>;

  S stencil;
  FieldLayout<2> layout;
  FixedSides<2> fixed;
  const T* u;  // these point at the first own point
  T* new_u;
  std::array<const T*, known_count + 1> coefficients;
  T* low_ghosts;  // as in StencilOperands
  T* high_ghosts;
  bool stream;

  // Own columns and rows of a tile; adds the squares of each step's changes to `sums`.
  void run(const Points<2>& tile, double* sums) const {
    PassRows<T, Steps> rows(u, layout.stride[1], tile.begin[0]);
    for (index_t y = tile.begin[1] - Steps + 2; y < tile.end[1] + Steps; ++y) {
      prefetch(u + (y + 1) * layout.stride[1] + tile.begin[0], tile.end[0] - tile.begin[0]);
      for (int s = 0; s < Steps; ++s) advance(rows, tile, s, y - s - 1, sums[s]);
    }
    if (stream) stream_fence();
  }

 private:
  // Makes row y of step s + 1, if this tile wants it.
  void advance(PassRows<T, Steps>& rows, const Points<2>& tile, int s, index_t y,
               double& sum) const {
    const index_t beyond = Steps - 1 - s;  // layers that later steps need
    if (y < tile.begin[1] - beyond || y >= tile.end[1] + beyond) return;
    const index_t begin = tile.begin[0] - beyond;
    const index_t end = tile.end[0] + beyond;
    const bool last = s == Steps - 1;
    alignas(64) T buffer[HostPassTiling<T>::width];
    T* const to = !last    ? rows.writable(s + 1, y)
                  : stream ? buffer - tile.begin[0]
                           : new_u + y * layout.stride[1];
    const T* const old = rows.row(s, y);
    const bool outside = (fixed[1][0] && y < 0) || (fixed[1][1] && y >= layout.own[1]);
    const index_t from = fixed[0][0] ? std::max<index_t>(begin, 0) : begin;
    const index_t until = fixed[0][1] ? std::min(end, layout.own[0]) : end;
    const bool left = from > begin;  // the boundary is in reach
    const bool right = until < end;
    if (outside) {
      std::copy(old + from - left, old + until + right, to + from - left);
      return;
    }
    if (left) to[from - 1] = old[from - 1];
    if (right) to[until] = old[until];
    const HostRows<T> around(rows.row(s, y - 1), old, rows.row(s, y + 1));
    std::array<const T*, known_count + 1> known{};
    std::transform(coefficients.begin(), coefficients.end() - 1, known.begin(),
                   [&](const T* coefficient) { return coefficient + y * layout.stride[1]; });
    const auto piece = [&](index_t a, index_t b) {
      if (a >= b) return 0.0;
      return update_piece<T>(stencil, around, known.data(), to + a, a, b,
                             std::make_index_sequence<static_cast<std::size_t>(known_count)>{});
    };
    piece(from, tile.begin[0]);
    const double own = piece(tile.begin[0], tile.end[0]);
    piece(tile.end[0], until);
    if (y >= tile.begin[1] && y < tile.end[1]) sum += own;
    if (!last) return;
    const index_t columns = tile.end[0] - tile.begin[0];
    if (stream) stream_out(new_u + y * layout.stride[1] + tile.begin[0], buffer, columns);
    const auto copy_to = [&](T* ghosts, index_t layer) {
      std::copy_n(to + tile.begin[0], columns, ghosts + layer * layout.stride[1] + tile.begin[0]);
    };
    if (low_ghosts != nullptr && y < Steps) copy_to(low_ghosts, y);
    const index_t first_high = layout.own[1] - Steps;
    if (high_ghosts != nullptr && y >= first_high) copy_to(high_ghosts, y - first_high);
  }
};

template <class T, int Steps, class Exec, class S>
void pass_on_host(
    const Exec& exec, const S& stencil, const StencilOperands<S, T, Exec>& operands,
    const FixedSides<2>& fixed,
    const Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space>& partial_sums) {
  constexpr int known_count = stencil_coefficients<S>;
  const FieldLayout<2>& layout = operands.layout;
  const HostPassTiling<T> tiling(exec, layout);
  HostPass<T, Steps, S> pass{
      stencil,
      layout,
      fixed,
      operands.u.data() + layout.origin,
      operands.new_u.data() + layout.origin,
      {},
      operands.low_ghosts,
      operands.high_ghosts,
      exceeds_cache((2 + known_count) * static_cast<std::uint64_t>(layout.size) * sizeof(T))};
  std::transform(operands.coefficients.begin(), operands.coefficients.end(),
                 pass.coefficients.begin(),
                 [&](const auto& view) { return view.data() + layout.origin; });
  forall(exec, "kolam::stencil_pass", tiling.tiles(), [=](index_t number) {
    Points<2> tile;
    tile.begin[0] = number % tiling.across * tiling.width;
    tile.end[0] = std::min(tile.begin[0] + tiling.width, pass.layout.own[0]);
    tile.begin[1] = number / tiling.across * tiling.band;
    tile.end[1] = std::min(tile.begin[1] + tiling.band, pass.layout.own[1]);
    double sums[Steps] = {};
    pass.run(tile, sums);
    for (int s = 0; s < Steps; ++s) partial_sums(number, s) = sums[s];
  });
}

}  // namespace kolam::detail
