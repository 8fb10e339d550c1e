// SPDX-License-Identifier: Apache-2.0
// Several fused steps on execution spaces whose blocks have threads. A warp sweeps down a band of
// rows, a few columns per lane. When a row of the old field arrives, every step advances by one
// row, one row after the step before it; a step keeps two rows of its input in registers. Left and
// right neighbours come from neighbouring lanes. The columns at the rim of the warp become wrong,
// one more with each step; they belong to the neighbouring warps.
//
// Registers and issued instructions limit the speed (docs/decisions/0019-several-steps-a-pass.md).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/short_vector.hpp>
#include <kolam/kernels/stencil/detail/bare_fields.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <limits>

namespace kolam::detail {

// The compiler would move the squares of all steps past the last one, and run out of registers. In
// CUDA volatile assembly keeps their order; elsewhere the compiler decides.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION double widen_in_order(T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 4) {
    double wide;
    asm volatile("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(value));
    return wide;
  }
#endif
  return value;
}
KOKKOS_FORCEINLINE_FUNCTION void add_square_in_order(double& sum, double value) {
#if defined(__CUDA_ARCH__)
  asm volatile("fma.rn.f64 %0, %1, %1, %0;" : "+d"(sum) : "d"(value));
#else
  sum += value * value;
#endif
}

// Prefetches the memory at `address` into the cache that all multiprocessors share.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_on_device([[maybe_unused]] const T* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

template <class T, class Exec, int Steps>
struct FusedTiling {
  static constexpr int lanes = 32;
  static constexpr int width = 16 / sizeof(T);             // columns of a lane
  static constexpr int rim = (Steps + width - 1) / width;  // lanes
  static constexpr int warps = std::same_as<Exec, HostTeams> ? 1 : 4;
  // Registers limit the number of blocks on a multiprocessor: measured. (Nearly all of the few
  // spills are in the code for edges.)
  static constexpr int min_blocks = Steps <= 3 ? 5 : Steps <= 6 ? 4 : 3;
  using Shape = StaticShape<lanes, warps, 1, min_blocks>;
  static constexpr int warp_columns = (lanes - 2 * rim) * width;  // own columns of a warp

  Box<2> part;
  int across;  // blocks along x
  int band;    // rows of a band
  int bands;

  FusedTiling(const Exec& exec, const Box<2>& points) : part(points) {
    const int columns = warp_columns * warps;
    const int rows = static_cast<int>(part[1].end - part[1].begin);
    across = static_cast<int>((part[0].end - part[0].begin + columns - 1) / columns);
    // Two waves of blocks (measured; blocks at the ends of rows take twice as long), as long as bands
    // have many more own rows than redundant ones.
    int resident = 1;
    if constexpr (requires { exec.concurrency(); })
      resident = exec.concurrency() / 2048 * min_blocks;
    const int most = std::max(2 * resident / (across + 2), 1);
    band = std::max((rows + most - 1) / most, std::min(4 * Steps, rows));
    bands = (rows + band - 1) / band;
  }
  index_t tiles() const { return index_t{across} * bands; }
};

template <class S, class T, class Exec, int Steps>
struct DeviceFusedSteps {
  using Tiling = FusedTiling<T, Exec, Steps>;
  using BlockType = kolam::Block<Exec, typename Tiling::Shape>;
  static constexpr int width = Tiling::width;
  static constexpr int known_count = stencil_coefficients<S>;
  // Rows in one segment of code: fewer with coefficients, because registers are short.
  static constexpr int rows_together = known_count > 0 ? 2 : 4;
  using Columns = ShortVector<T, width>;

  // Columns and rows count from the first of the part.
  S stencil;
  int across;
  int band;
  int nx;
  int ny;
  int last_column;  // last column that a lane loads
  index_t pitch;
  index_t ahead;  // distance from the next row to the row that is prefetched
  int low[2];     // columns and rows before `low` and from `high` on keep their values
  int high[2];
  int low_rows;  // rows before this one also go to the neighbour's ghosts,
  int high_row;  // and so do rows from this one on
  BareFields<S, T> fields;
  FusedSums<Exec> partial_sums;

  // State of a thread during its sweep: its position, and two rows of each step's input.
  struct Stream {
    int x;       // its first column
    int column;  // the same, or the last one in memory
    int begin;   // rows of the band
    int end;
    bool owner;           // whether at least some of its columns are its own
    bool outside[width];  // columns that keep their values
    Columns older[Steps];
    Columns newer[Steps];
    double sums[Steps];
    const T* from;  // address of the next row of the old field, and destination of the
    T* to;          // row that is finished next; away from edges only
    // Changes whose squares belong to the step before: added one step later, after their
    // conversion.
    double changes[width];
  };

  KOKKOS_FUNCTION void operator()(const BlockType& block, index_t number) const {
    double sums[Steps] = {};
    block.foreach_y(Tiling::warps, [&](int warp) {
      block.foreach_x(Tiling::lanes, [&](int lane) {
        sweep(block, place_of(static_cast<int>(number)), warp, lane, sums);
      });
    });
    for (int s = 0; s < Steps; ++s) {
      const double total = block.sum(sums[s]);
      block.once([&] { partial_sums(number, s) = total; });
    }
  }

  // Blocks at the ends of rows take longest and come first.
  KOKKOS_FORCEINLINE_FUNCTION int place_of(int number) const {
    if (across < 3) return number;
    const int bands = (ny + band - 1) / band;
    if (number < 2 * bands) return number / 2 * across + number % 2 * (across - 1);
    const int inner = number - 2 * bands;
    return inner / (across - 2) * across + 1 + inner % (across - 2);
  }

  KOKKOS_FORCEINLINE_FUNCTION void sweep(const BlockType& block, int number, int warp, int lane,
                                         double* sums) const {
    Stream t;
    const int first = (number % across * Tiling::warps + warp) * Tiling::warp_columns;
    t.x = first + (lane - Tiling::rim) * width;
    // (Ghosts begin far enough before the first own point. After the last column a lane has no
    // work, but takes part in the exchange.)
    t.column = Kokkos::min(t.x, last_column);
    t.owner = lane >= Tiling::rim && lane < Tiling::lanes - Tiling::rim && t.x < nx;
    t.begin = number / across * band;
    t.end = Kokkos::min(t.begin + band, ny);
    for (int i = 0; i < width; ++i) t.outside[i] = t.x + i < low[0] || t.x + i >= high[0];
    for (int i = 0; i < width; ++i) t.changes[i] = 0;
    for (int s = 0; s < Steps; ++s) {
      t.sums[s] = 0;
      for (int i = 0; i < width; ++i) t.older[s][i] = t.newer[s][i] = T(0);
    }
    // Inner rows, the same for all lanes: rows at which no step is at an end of the band or the
    // field, if the warp is not at an end of the rows.
    const bool at_side =
        first - Tiling::rim * width < 0 || first + Tiling::warp_columns + Tiling::rim * width > nx;
    const int end = t.end + Steps;
    const int inner_begin = at_side ? end : Kokkos::max(t.begin, Steps) + Steps;
    const int inner_end = Kokkos::min(t.end, ny - 1) - (rows_together - 2);
    Columns next = load_short_vector(row(t, t.begin - Steps));
    for (int y = t.begin - Steps; y < end;) {
      // (Two loops, each without the other's code: otherwise registers would be copied between
      // them.)
      for (; y < end && (y < inner_begin || y >= inner_end); y += 2)
        two_rows<true>(block, t, y, next);
      t.from = address(fields.u, t.column, y + 1);
      t.to = address(fields.new_u, t.x, y - Steps);
      for (; y >= inner_begin && y < inner_end; y += rows_together) {
        two_rows<false>(block, t, y, next);
        if constexpr (rows_together > 2) two_rows<false>(block, t, y + 2, next);
      }
    }
    for (int i = 0; i < width; ++i) add_square_in_order(t.sums[Steps - 1], t.changes[i]);
    for (int s = 0; s < Steps; ++s) sums[s] = t.owner ? t.sums[s] : 0;
  }

  template <bool Edge>
  KOKKOS_FORCEINLINE_FUNCTION void two_rows(const BlockType& block, Stream& t, int y,
                                            Columns& next) const {
    advance<Edge>(block, t, t.older, t.newer, y, next);
    advance<Edge>(block, t, t.newer, t.older, y + 1, next);
  }

  template <class Field>
  KOKKOS_FORCEINLINE_FUNCTION Field* address(Field* field, int x, int y) const {
    return field + (y * pitch + x);
  }
  // Returns the address of a row of the old field; rows past the last one of the band are that one.
  KOKKOS_FORCEINLINE_FUNCTION const T* row(const Stream& t, int y) const {
    return address(fields.u, t.column, Kokkos::min(y, t.end + Steps - 1));
  }

  // Takes row y, loads the next one, and makes row y - s - 1 of each step s: from row y - s - 2 in
  // `older`, row y - s - 1 in `newer`, and the row that the step before has just made. Afterwards
  // `older` holds the newest rows.
  template <bool Edge>
  KOKKOS_FORCEINLINE_FUNCTION void advance(const BlockType& block, Stream& t, Columns* older,
                                           Columns* newer, int y, Columns& next) const {
    Columns arrived = next;
    next = load_short_vector(Edge ? row(t, y + 1) : t.from);
    prefetch_on_device(Edge ? row(t, y + 4) : t.from + ahead);
    for (int s = 0; s < Steps; ++s) {
      const int r = y - s - 1;
      const Columns& center = newer[s];
      Columns result =
          update(block, t, older[s], center, arrived, !Edge ? r : Kokkos::max(r, t.begin - Steps));
      if constexpr (Edge) {
        const bool row_outside = r < low[1] || r >= high[1];
        for (int i = 0; i < width; ++i)
          if (row_outside || t.outside[i]) result[i] = center[i];
      }
      const bool counts = !Edge || (r >= t.begin && r < t.end);
      for (int i = 0; i < width; ++i) {
        add_square_in_order(t.sums[s > 0 ? s - 1 : Steps - 1], t.changes[i]);
        const bool is_own = !Edge || t.x + i < nx;
        t.changes[i] = widen_in_order(counts && is_own ? result[i] - center[i] : T(0));
      }
      older[s] = arrived;
      arrived = result;
    }
    if constexpr (Edge) {
      store_at_edge(t, y - Steps, arrived);
    } else {
      if (t.owner) store_short_vector(t.to, arrived);
      t.from += pitch;
      t.to += pitch;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_at_edge(const Stream& t, int y,
                                                 const Columns& values) const {
    if (!t.owner || y < t.begin || y >= t.end) return;
    store_own(t, address(fields.new_u, t.x, y), values);
    if (fields.low_ghosts != nullptr && y < low_rows)
      store_own(t, address(fields.low_ghosts, t.x, y), values);
    if (fields.high_ghosts != nullptr && y >= high_row)
      store_own(t, address(fields.high_ghosts, t.x, y - high_row), values);
  }
  // Stores own columns: the last lane's columns may lie past the last own one.
  KOKKOS_FORCEINLINE_FUNCTION void store_own(const Stream& t, T* to, const Columns& values) const {
    if (t.x + width <= nx) {
      store_short_vector(to, values);
    } else {
      for (int i = 0; i < width; ++i)
        if (t.x + i < nx) to[i] = values[i];
    }
  }

  // Returns one step of row `row_number`, whose input is `center`.
  KOKKOS_FORCEINLINE_FUNCTION Columns update(const BlockType& block, const Stream& t,
                                             const Columns& below, const Columns& center,
                                             const Columns& above, int row_number) const {
    const Columns* const rows[3] = {&below, &center, &above};
    T befores[3];
    T afters[3];
    for (int j = 0; j < 3; ++j) {
      if (j != 1 && !stencil_corners<S>) continue;
      befores[j] = block.shift_x((*rows[j])[width - 1], -1);
      afters[j] = block.shift_x((*rows[j])[0], 1);
    }
    Columns known[known_count > 0 ? known_count : 1];
    for (int k = 0; k < known_count; ++k)
      known[k] = load_short_vector(address(fields.coefficients[k], t.column, row_number));
    Columns result;
    for (int i = 0; i < width; ++i) {
      const auto at = [&](int dx, int dy, int) {
        const int column = i + dx;
        if (column < 0) return befores[dy + 1];
        if (column >= width) return afters[dy + 1];
        const int in_range = column & (width - 1);  // (shows compilers that it is in range)
        return dy < 0 ? below[in_range] : dy > 0 ? above[in_range] : center[in_range];
      };
      result[i] = update_point<T>(stencil, at, [&](int k) { return known[k][i]; });
    }
    return result;
  }
};

template <class T, int Steps, class Exec, class S>
void fused_on_device(const Exec& exec, const S& stencil,
                     const StencilOperands<S, T, Exec>& operands, const FixedSides<2>& fixed,
                     const FusedTiling<T, Exec, Steps>& tiling,
                     const FusedSums<Exec>& partial_sums) {
  using Kernel = DeviceFusedSteps<S, T, Exec, Steps>;
  const FieldLayout<2>& layout = operands.layout;
  int begin[2];
  int own[2];
  for (std::size_t d = 0; d < 2; ++d) {
    begin[d] = static_cast<int>(tiling.part[d].begin);
    own[d] = static_cast<int>(layout.own[d]) - begin[d];
  }
  constexpr int far = std::numeric_limits<int>::max();
  BareFields<S, T> fields(operands);
  fields.shift(begin[0] + begin[1] * layout.stride[1], begin[0]);
  forall_2d(exec, "kolam::fused_steps", tiling.tiles(), typename Kernel::Tiling::Shape{},
            Kernel{stencil,
                   tiling.across,
                   tiling.band,
                   static_cast<int>(tiling.part[0].end) - begin[0],
                   static_cast<int>(tiling.part[1].end) - begin[1],
                   (own[0] + static_cast<int>(layout.depth) - 1) / Kernel::width * Kernel::width,
                   layout.stride[1],
                   std::min(3, Steps - 1) * layout.stride[1],
                   {fixed[0][0] ? -begin[0] : -far, fixed[1][0] ? -begin[1] : -far},
                   {fixed[0][1] ? own[0] : far, fixed[1][1] ? own[1] : far},
                   Steps - begin[1],
                   own[1] - Steps,
                   fields,
                   partial_sums});
}

}  // namespace kolam::detail
