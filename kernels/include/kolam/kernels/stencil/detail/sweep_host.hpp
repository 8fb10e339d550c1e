// SPDX-License-Identifier: Apache-2.0
// The sweep on a processor with caches. Each thread takes groups of rows, in 3D through several
// planes. It goes from row to row in bands of columns that are narrow enough for the neighbouring
// rows to stay in the second-level cache. If the fields exceed the caches, it computes segment by
// segment into a buffer that stays in the first-level cache, writes it with non-temporal stores,
// and prefetches later segments meanwhile.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <kolam/core/detail/loop_alone.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/non_temporal.hpp>
#include <kolam/kernels/stencil/detail/bare_fields.hpp>
#include <kolam/kernels/stencil/detail/rows.hpp>
#include <kolam/kernels/stencil/detail/sum_of_squares.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <vector>

namespace kolam::detail {

inline constexpr index_t host_rows = 8;     // along y, in a group of long rows
inline constexpr index_t host_planes = 16;  // along z
template <class T>
inline constexpr index_t host_band = 65536 / sizeof(T);  // columns
template <class T>
inline constexpr index_t host_segment = 1024 / sizeof(T);  // columns of a non-temporal store
// Whether two rows are updated together: if they are short enough. (In 3D two long rows have so
// many neighbours that processors stop prefetching, and with the 16 registers of AVX2 pairs take up
// to twice as long as single rows; in 2D six longer rows do not stay in the first-level cache.)
template <int N>
inline constexpr bool may_go_in_pairs = N == 2 || register_bytes >= 64;
template <int N>
bool goes_in_pairs(index_t row_bytes, bool non_temporal) {
  return may_go_in_pairs<N> && (N == 3 ? row_bytes <= 2048 : non_temporal || row_bytes <= 4096);
}
// The calling thread sweeps alone if starting the others takes longer than the sweep. If the fields
// exceed the caches, all threads write with non-temporal stores.
enum class HostSweep { alone, together, non_temporal };

inline HostSweep host_sweep_of(std::uint64_t bytes) {
  if (bytes <= 131072) return HostSweep::alone;
  return exceeds_cache(bytes) ? HostSweep::non_temporal : HostSweep::together;
}

// Returns the number of rows along y, and of planes, of one group; their product is constant. (In
// 3D groups of short rows have more rows and fewer planes, because the hardware prefetches the
// memory that follows.)
template <class T, int N>
std::array<index_t, 3> group_extents(const Box<N>& part) {
  const index_t row_bytes = (part[0].end - part[0].begin) * static_cast<index_t>(sizeof(T));
  index_t rows = host_rows;
  index_t planes = host_planes;
  for (; N == 3 && planes > 2 && rows * row_bytes < 65536; planes /= 2) rows *= 2;
  return {0, rows, planes};
}

// Returns the number of groups of rows; a group is one thread's work.
template <class T, int N>
index_t host_groups(const Box<N>& part) {
  if (part.empty()) return 0;
  const auto extents = group_extents<T>(part);
  index_t groups = 1;
  for (std::size_t d = 1; d < N; ++d)
    groups *= (part[d].end - part[d].begin + extents[d] - 1) / extents[d];
  return groups;
}

// Returns the rows of a group.
template <class T, int N>
Box<N> group_of(const Box<N>& part, index_t number) {
  const auto extents = group_extents<T>(part);
  Box<N> group = part;
  for (std::size_t d = 1; d < N; ++d) {
    const index_t extent = extents[d];
    const index_t across = (part[d].end - part[d].begin + extent - 1) / extent;
    group[d].begin = part[d].begin + number % across * extent;
    group[d].end = std::min(group[d].begin + extent, part[d].end);
    number /= across;
  }
  return group;
}

// Returns the distance from column x to the values that the update of the segment after the next
// reads for the first time: two segments on or, past the end of the part, in the rows that come
// next.
template <class T, int N>
index_t two_segments_on(const Box<N>& part, index_t x, index_t rows_on) {
  const index_t ahead = x + 2 * host_segment<T>;
  if (ahead < part[0].end) return ahead - x;
  const index_t segments = (ahead - part[0].end) / host_segment<T>;
  return std::min(x, part[0].begin + segments * host_segment<T>) + rows_on - x;
}

// Sweeps the rows of a group of `part`.
template <class T, class S>
struct SweepGroup {
  static constexpr int dims = S::dimensions;

  S stencil;
  BareFields<S, T> fields;
  FieldLayout<dims> layout;
  Box<dims> part;
  bool pairs, non_temporal;
  const int* stop;  // (bare pointers, because a launch would count references to Views)
  double* sums;

  void operator()(index_t number) const {
    if (stop != nullptr && *stop != 0) return;
    const FlushToZero flush;
    const Box<dims> group = group_of<T>(part, number);
    const index_t last_plane = dims == 3 ? group[dims - 1].end : 1;
    SumOfSquares<T> sum;
    for (index_t begin = part[0].begin; begin < part[0].end; begin += host_band<T>) {
      const index_t end = std::min(begin + host_band<T>, part[0].end);
      for (index_t z = dims == 3 ? group[dims - 1].begin : 0; z < last_plane; ++z) {
        index_t y = group[1].begin;
        if constexpr (may_go_in_pairs<dims>)
          for (; pairs && y + 2 <= group[1].end; y += 2) sweep_rows<2>(y, z, begin, end, sum);
        for (; y < group[1].end; ++y) sweep_rows<1>(y, z, begin, end, sum);
      }
    }
    if (non_temporal) non_temporal_fence();
    if (sums != nullptr) sums[number] = sum.total();
  }

 private:
  // Sweeps columns [begin, end) of `Rows` rows from y on.
  template <int Rows>
  void sweep_rows(index_t y, index_t z, index_t begin, index_t end, SumOfSquares<T>& sum) const {
    const index_t y_stride = layout.stride[1];
    const index_t row = y * y_stride + (dims == 3 ? z * layout.stride[dims - 1] : 0);
    const HostRows<T, Rows> around(fields.u + row, y_stride,
                                   dims == 3 ? layout.stride[dims - 1] : 0);
    T* const new_rows = fields.new_u + row;
    alignas(64) T buffer[Rows * host_segment<T>];
    const index_t segment = non_temporal ? host_segment<T> : end - begin;
    for (index_t x = begin; x < end; x += segment) {
      const index_t count = std::min(segment, end - x);
      const NewRows<T> out =
          non_temporal ? NewRows<T>{buffer, segment} : NewRows<T>{new_rows + x, y_stride};
      if (non_temporal) {
        update_segment<Rows, true>(stencil, around, fields, row, y_stride, out, x, x + count,
                                   two_segments_on<T>(part, x, Rows * y_stride), sum);
      } else {
        update_segment<Rows, false>(stencil, around, fields, row, y_stride, out, x, x + count, 0,
                                    sum);
      }
      for (int r = 0; r < Rows; ++r) {
        const T* const new_row = out.first + r * out.stride;
        if (non_temporal) store_non_temporal(new_rows + r * y_stride + x, new_row, count);
        store_ghosts(new_row, count, dims == 3 ? z : y + r,
                     x + (dims == 3 ? (y + r) * y_stride : 0));
      }
    }
  }

  // Also stores the first and the last layer in the neighbours' ghosts, if these are given.
  void store_ghosts(const T* values, index_t count, index_t at, index_t in_layer) const {
    if (fields.low_ghosts != nullptr && at == 0)
      std::copy_n(values, count, fields.low_ghosts + in_layer);
    if (fields.high_ghosts != nullptr && at == layout.own[dims - 1] - 1)
      std::copy_n(values, count, fields.high_ghosts + in_layer);
  }
};

template <class T, class S, class Exec>
void sweep_on_host(const Exec& exec, const S& stencil, const StencilOperands<S, T, Exec>& operands,
                   const std::vector<Box<S::dimensions>>& parts, const SweepControl<Exec>& control,
                   HostSweep by) {
  const bool non_temporal = by == HostSweep::non_temporal;
  double* sums = control.partial_sums.extent(0) > 0 ? control.partial_sums.data() : nullptr;
  for (const Box<S::dimensions>& part : parts) {
    const index_t groups = host_groups<T>(part);
    const index_t row_bytes = (part[0].end - part[0].begin) * static_cast<index_t>(sizeof(T));
    const SweepGroup<T, S> sweep_group{stencil,
                                       BareFields<S, T>(operands),
                                       operands.layout,
                                       part,
                                       goes_in_pairs<S::dimensions>(row_bytes, non_temporal),
                                       non_temporal,
                                       control.stop.data(),
                                       sums};
    if (by == HostSweep::alone) {
      loop_alone(exec, "kolam::stencil_sweep", groups, sweep_group);
    } else {
      forall(exec, "kolam::stencil_sweep", groups, sweep_group);
    }
    if (sums != nullptr) sums += groups;
  }
}

}  // namespace kolam::detail
