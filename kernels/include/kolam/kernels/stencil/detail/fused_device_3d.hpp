// SPDX-License-Identifier: Apache-2.0
// Several fused steps in three dimensions, on execution spaces whose blocks have threads. A block
// owns a tile of the x-y plane, a few columns and rows per thread, and sweeps along z through a
// slab of planes. When a plane of the old field arrives, every step advances by one plane, one
// plane after the step before it. Left and right neighbours come from neighbouring lanes, rows of
// the warps below and above from scratch. The points at the rim of the tile become wrong, one more
// with each step; they belong to the neighbouring tiles.
//
// A plane that arrives or is computed goes into scratch. One arrival later it is the middle plane,
// and other warps read its rows. So two alternating slots and one barrier per arrival are enough;
// the plane before is in registers. (With corners other warps read all three planes: there are
// three slots, a barrier before every step, and one more barrier if there is only one step.)
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/short_vector.hpp>
#include <kolam/kernels/stencil/detail/bare_fields.hpp>
#include <kolam/kernels/stencil/detail/fused_device.hpp>
#include <kolam/kernels/stencil/detail/sweep_device.hpp>
#include <kolam/kernels/stencil/operands.hpp>

namespace kolam::detail {

// Bytes of scratch that Kokkos gives a block, less those of its reductions.
inline constexpr int fused_scratch = 47 << 10;

template <class T, class Exec, int Steps, bool Corners>
struct Fused3dTiling {
  static constexpr bool in_turns = std::same_as<Exec, HostTeams>;
  static constexpr int lanes = 32;
  static constexpr int width = 16 / sizeof(T);             // columns of a lane
  static constexpr int rim = (Steps + width - 1) / width;  // lanes
  static constexpr int rows = 2;                           // of a thread, at most 2
  static constexpr int slots = Corners ? 3 : 2;            // planes of each step in scratch
  // Scratch and registers limit the number of warps on a multiprocessor: two small blocks hide each
  // other's barriers. (HostTeams use the fewest warps that have rows of their own.)
  static constexpr int most_warps = fused_scratch / (lanes * 16) / (slots * Steps * rows);
  static constexpr int warps =
      in_turns ? (2 * Steps + rows - 1) / rows + 1 : std::min(most_warps, 8);
  static constexpr int min_blocks = Steps <= 2 ? 2 : 1;
  static_assert(warps * rows > 2 * Steps, "no rows of its own");
  using Shape = StaticShape<lanes, warps, 1, min_blocks>;
  static constexpr int own_columns = (lanes - 2 * rim) * width;
  static constexpr int all_rows = warps * rows;
  static constexpr int own_rows = all_rows - 2 * Steps;

  int begin[3];  // own points
  int end[3];
  int across[2];  // tiles
  int band;       // planes of a slab
  int slabs;

  Fused3dTiling(const Exec& exec, const Box<3>& part) {
    for (std::size_t d = 0; d < 3; ++d) {
      begin[d] = static_cast<int>(part[d].begin);
      end[d] = static_cast<int>(part[d].end);
    }
    across[0] = (end[0] - begin[0] + own_columns - 1) / own_columns;
    across[1] = (end[1] - begin[1] + own_rows - 1) / own_rows;
    const int planes = std::max(end[2] - begin[2], 1);
    // The number of slabs that takes the least time: full waves of blocks, but slabs with many more
    // own planes than redundant ones.
    index_t resident = 2;
    if constexpr (requires { exec.concurrency(); })
      resident = std::max<index_t>(index_t{exec.concurrency() / 2048} * min_blocks, 1);
    int best = 1;
    const auto time = [&](int count) {
      const index_t waves = (index_t{across[0]} * across[1] * count + resident - 1) / resident;
      return waves * ((planes + count - 1) / count + 2 * Steps);
    };
    for (int count = 2; count <= std::min(planes, 64); ++count)
      if (time(count) < time(best)) best = count;
    band = (planes + best - 1) / best;
    slabs = (end[2] - begin[2] + band - 1) / band;
  }
  index_t tiles() const { return index_t{across[0]} * across[1] * slabs; }
};

template <class S, class T, class Exec, int Steps>
struct DeviceFusedSteps3d {
  using Tiling = Fused3dTiling<T, Exec, Steps, stencil_corners<S>>;
  using BlockType = kolam::Block<Exec, typename Tiling::Shape>;
  static constexpr int width = Tiling::width;
  static constexpr int rows = Tiling::rows;
  static constexpr bool corners = stencil_corners<S>;
  static constexpr int known_count = stencil_coefficients<S>;
  using Columns = ShortVector<T, width>;
  using Around = RowRegisters<T, 3, rows>;  // lines along z

  struct Plane {
    Columns row[rows];
  };
  // The last planes of each step's input: [slots, Steps, rows].
  struct Shared {
    Columns row[Tiling::slots * Steps * Tiling::all_rows][Tiling::lanes];
  };

  S stencil;
  Tiling tiling;
  int nx;
  int ny;
  int nz;
  int last_column;  // last column that a lane loads
  int last_row;
  index_t pitch;
  index_t plane;
  FixedSides<3> fixed;
  BareFields<S, T> fields;
  FusedSums<Exec> partial_sums;

  // State of a thread during its sweep: its position, and the next plane of the old field.
  struct Stream {
    int begin;  // planes of the slab
    int end;
    index_t place;             // offset of its first point in the field, in the arriving plane
    index_t row_step;          // to its next row, or 0 if that is not in memory
    Columns* scratch;          // its first row of slot 0 and step 0
    int slots[Tiling::slots];  // of the arriving plane, and of those before
    Plane oldest[Tiling::slots < 3 ? Steps : 1];
    // The rows before and after its own, in the neighbouring warps. At the rim of the tile, where
    // they do not matter, they are its own rows.
    int below;
    int above;
    unsigned own;      // own points, one bit each
    unsigned outside;  // points that keep their values, one bit each
    Plane next;
    double sums[Steps];
    // Changes whose squares are added one row later, after their conversion.
    double changes[width];
  };

  KOKKOS_FUNCTION void operator()(const BlockType& block, Shared& shared, index_t number) const {
    double sums[Steps] = {};
    block.foreach_y(Tiling::warps, [&](int warp) {
      block.foreach_x(Tiling::lanes, [&](int lane) {
        sweep(block, shared, static_cast<unsigned>(number), warp, lane, sums);
      });
    });
    for (int s = 0; s < Steps; ++s) {
      const double total = block.sum(sums[s]);
      block.once([&] { partial_sums(number, s) = total; });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void sweep(const BlockType& block, Shared& shared, unsigned number,
                                         int warp, int lane, double* sums) const {
    const auto tiles_along_x = static_cast<unsigned>(tiling.across[0]);
    const auto tiles_along_y = static_cast<unsigned>(tiling.across[1]);
    const int first =
        tiling.begin[0] + static_cast<int>(number % tiles_along_x) * Tiling::own_columns;
    number /= tiles_along_x;
    const int first_row =
        tiling.begin[1] + static_cast<int>(number % tiles_along_y) * Tiling::own_rows;
    Stream t;
    t.begin = tiling.begin[2] + static_cast<int>(number / tiles_along_y) * tiling.band;
    t.end = Kokkos::min(t.begin + tiling.band, tiling.end[2]);
    const int x = first + (lane - Tiling::rim) * width;
    const int y = first_row - Steps + warp * rows;
    // (Ghosts begin far enough before the first own point. After the last point a thread has no
    // work, but takes part in the exchange.)
    t.place =
        (t.begin - Steps) * plane + Kokkos::min(y, last_row) * pitch + Kokkos::min(x, last_column);
    t.row_step = y < last_row ? pitch : 0;
    t.scratch = &shared.row[warp * rows][lane];
    t.below = warp > 0 ? -1 : 0;
    t.above = warp < Tiling::warps - 1 ? rows : rows - 1;
    for (int k = 0; k < Tiling::slots; ++k) t.slots[k] = k * slot_size;
    const bool own_lane = lane >= Tiling::rim && lane < Tiling::lanes - Tiling::rim;
    mark_points(t, own_lane, x, y, first_row);
    for (int i = 0; i < width; ++i) t.changes[i] = 0;
    for (int s = 0; s < Steps; ++s) t.sums[s] = 0;
    load(fields.u + t.place, t, t.next);
    for (int z = t.begin - Steps; z < t.end + Steps; ++z) advance(block, t, z);
    for (int i = 0; i < width; ++i) add_square_in_order(t.sums[Steps - 1], t.changes[i]);
    for (int s = 0; s < Steps; ++s) sums[s] = t.own != 0 ? t.sums[s] : 0;
    // The thread that wrote these values reads them back: the loop above needs no registers for it.
    for (int z = t.begin; z < t.end; ++z) {
      t.place = z * plane + y * pitch + x;
      if (fields.low_ghosts != nullptr && z < Steps) copy(t, fields.low_ghosts);
      if (fields.high_ghosts != nullptr && z >= nz - Steps)
        copy(t, fields.high_ghosts - (nz - Steps) * plane);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void mark_points(Stream& t, bool own_lane, int x, int y,
                                               int first_row) const {
    t.own = t.outside = 0;
    for (int j = 0; j < rows; ++j) {
      const int row = y + j;
      const bool own_row = own_lane && row >= first_row && row < first_row + Tiling::own_rows;
      const bool row_outside = (fixed[1][0] && row < 0) || (fixed[1][1] && row >= ny);
      for (int i = 0; i < width; ++i) {
        const int column = x + i;
        if (own_row && row < tiling.end[1] && column < tiling.end[0]) t.own |= bit(j, i);
        if (row_outside || (fixed[0][0] && column < 0) || (fixed[0][1] && column >= nx))
          t.outside |= bit(j, i);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned bit(int j, int i) {
    return 1U << (j * width + i);
  }
  // Returns the bits of all points of a row.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned row_bits(int j) {
    return (bit(1, 0) - 1) << (j * width);
  }

  KOKKOS_FORCEINLINE_FUNCTION void load(const T* from, const Stream& t, Plane& to) const {
    for (int j = 0; j < rows; ++j) to.row[j] = load_short_vector(from + j * t.row_step);
  }
  // Prefetches a plane that is needed later.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const T* from, const Stream& t) const {
    for (int j = 0; j < rows; ++j) prefetch_on_device(from + j * t.row_step);
  }

  // Makes plane z - s - 1 of each step s, after plane z has arrived: from planes z - s - 2 and
  // z - s - 1 of its input, and from the plane that the step before has just made.
  KOKKOS_FORCEINLINE_FUNCTION void advance(const BlockType& block, Stream& t, int z) const {
    const int last = t.end + Steps - 1;
    const index_t ahead = t.place + (z + 3 <= last ? 3 * plane : 0);
    prefetch(fields.u + ahead, t);
    const index_t known_ahead = t.place + (z + 1 <= last ? plane : 0);
    for (int k = 0; k < known_count; ++k) prefetch(fields.coefficients[k] + known_ahead, t);
    advance_from<0>(block, t, z, t.next);
    if constexpr (!corners || Steps == 1) block.sync();
    t.place += plane;
    const int oldest = t.slots[Tiling::slots - 1];
    for (int k = Tiling::slots - 1; k > 0; --k) t.slots[k] = t.slots[k - 1];
    t.slots[0] = oldest;
  }

  // Advances step s and the later steps. (The compiler does not unroll a loop here by itself.)
  template <int s>
  KOKKOS_FORCEINLINE_FUNCTION void advance_from(const BlockType& block, Stream& t, int z,
                                                const Plane& arrived) const {
    for (int j = 0; j < rows; ++j) scratch_row(t, 0, s, j) = arrived.row[j];
    if constexpr (corners) block.sync();
    Plane made;
    update(t, s, z - s - 1, gather(block, t, s, arrived), made);
    if constexpr (s == 0) {
      if (z + 1 < t.end + Steps) load(fields.u + (t.place + plane), t, t.next);
    }
    if constexpr (s + 1 < Steps) {
      advance_from<s + 1>(block, t, z, made);
    } else {
      store(t, z - Steps, made);
    }
  }

  static constexpr int slot_size = Steps * Tiling::all_rows * Tiling::lanes;
  // Returns row j, counted from the thread's own, of step s's input plane of `age` arrivals ago.
  KOKKOS_FORCEINLINE_FUNCTION Columns& scratch_row(const Stream& t, int age, int s, int j) const {
    return t.scratch[t.slots[age] + (s * Tiling::all_rows + j) * Tiling::lanes];
  }

  // Returns three planes with the rows and columns around the thread's own, as far as the stencil
  // reads them.
  KOKKOS_FORCEINLINE_FUNCTION Around gather(const BlockType& block, Stream& t, int s,
                                            const Plane& arrived) const {
    Around around;
    for (int j = 0; j < rows; ++j) {
      around.columns[1][j + 1] = scratch_row(t, 1, s, j);
      if constexpr (Tiling::slots < 3) {
        around.columns[0][j + 1] = t.oldest[s].row[j];
        t.oldest[s].row[j] = around.columns[1][j + 1];
      } else {
        around.columns[0][j + 1] = scratch_row(t, 2, s, j);
      }
      around.columns[2][j + 1] = arrived.row[j];
    }
    for (int p = 0; p < 3; ++p) {
      if (p != 1 && !corners) continue;
      around.columns[p][0] = scratch_row(t, 2 - p, s, t.below);
      around.columns[p][rows + 1] = scratch_row(t, 2 - p, s, t.above);
      for (int j = corners ? 0 : 1; j < rows + (corners ? 2 : 1); ++j) {
        around.befores[p][j] = block.shift_x(around.columns[p][j][width - 1], -1);
        around.afters[p][j] = block.shift_x(around.columns[p][j][0], 1);
      }
    }
    return around;
  }

  // Applies step s to plane r.
  KOKKOS_FORCEINLINE_FUNCTION void update(Stream& t, int s, int r, const Around& around,
                                          Plane& made) const {
    Plane known[known_count > 0 ? known_count : 1];
    const index_t place = t.place - (r >= t.begin - Steps ? (s + 1) * plane : 0);
    for (int k = 0; k < known_count; ++k) load(fields.coefficients[k] + place, t, known[k]);
    const bool plane_outside = (fixed[2][0] && r < 0) || (fixed[2][1] && r >= nz);
    const unsigned outside = plane_outside ? ~0U : t.outside;
    // (For threads that own no point the value does not matter.)
    const unsigned counting = r < t.begin || r >= t.end ? 0U : t.own == 0 ? ~0U : t.own;
    for (int j = 0; j < rows; ++j) {
      const Columns& center = around.columns[1][j + 1];
      Columns changes;
      for (int i = 0; i < width; ++i) {
        const auto at = [&](int dx, int dy, int dz) {
          return around.at(dz + 1, j + 1 + dy, i + dx);
        };
        made.row[j][i] = update_point<T>(stencil, at, [&](int k) { return known[k].row[j][i]; });
        changes[i] = made.row[j][i] - center[i];
      }
      if (((outside | ~counting) & row_bits(j)) != 0) {  // rare
        for (int i = 0; i < width; ++i) {
          if ((outside & bit(j, i)) != 0) made.row[j][i] = center[i];
          if ((counting & bit(j, i)) == 0) changes[i] = 0;
        }
      }
      const int before = j > 0 ? s : s > 0 ? s - 1 : Steps - 1;  // the step of the row before
      for (int i = 0; i < width; ++i) {
        add_square_in_order(t.sums[before], t.changes[i]);
        t.changes[i] = widen_in_order(changes[i]);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(const Stream& t, int z, const Plane& values) const {
    if (z < t.begin || z >= t.end) return;
    T* const to = fields.new_u + (t.place - Steps * plane);
    for (int j = 0; j < rows; ++j) {
      const unsigned own = t.own & row_bits(j);
      if (own == row_bits(j)) {
        store_short_vector(to + j * t.row_step, values.row[j]);
      } else if (own != 0) {
        for (int i = 0; i < width; ++i)
          if ((own & bit(j, i)) != 0) to[j * t.row_step + i] = values.row[j][i];
      }
    }
  }
  // Copies own new values of a plane to a neighbour's ghosts.
  KOKKOS_FORCEINLINE_FUNCTION void copy(const Stream& t, T* to) const {
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < width; ++i) {
        const index_t place = t.place + j * pitch + i;
        if ((t.own & bit(j, i)) != 0) to[place] = fields.new_u[place];
      }
    }
  }
};

template <class T, int Steps, class Exec, class S>
void fused_3d_on_device(const Exec& exec, const S& stencil,
                        const StencilOperands<S, T, Exec>& operands, const FixedSides<3>& fixed,
                        const Fused3dTiling<T, Exec, Steps, stencil_corners<S>>& tiling,
                        const FusedSums<Exec>& partial_sums) {
  using Kernel = DeviceFusedSteps3d<S, T, Exec, Steps>;
  const FieldLayout<3>& layout = operands.layout;
  forall_2d(
      exec, "kolam::fused_steps", tiling.tiles(), typename Kernel::Tiling::Shape{},
      Scratch<typename Kernel::Shared>{},
      Kernel{stencil, tiling, static_cast<int>(layout.own[0]), static_cast<int>(layout.own[1]),
             static_cast<int>(layout.own[2]),
             static_cast<int>((layout.own[0] + layout.depth - 1) / Kernel::width * Kernel::width),
             static_cast<int>(layout.own[1] + layout.depth - 1), layout.stride[1], layout.stride[2],
             fixed, BareFields<S, T>(operands), partial_sums});
}

}  // namespace kolam::detail
