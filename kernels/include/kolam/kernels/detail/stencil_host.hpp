// SPDX-License-Identifier: Apache-2.0
// The sweep on a processor with caches. Several rows are taken together, piece by piece, so that a
// row comes from memory once and again only from the second-level cache; the next piece of each is
// prefetched meanwhile. In 3D such a group of rows goes through several planes. Fields larger than
// the caches are computed into a buffer that stays in the first-level cache, and streamed out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <kolam/core/forall.hpp>
#include <kolam/core/streaming.hpp>
#include <kolam/kernels/detail/bare_fields.hpp>
#include <kolam/kernels/stencil_operands.hpp>
#include <vector>

namespace kolam::detail {

inline constexpr index_t host_rows = 8;     // along y, of a group
inline constexpr index_t host_planes = 16;  // along z
// Columns at a time: of fields larger than the caches in 2D fewer, since a piece's rows should
// still be in the first-level cache for the next row. (In 3D those of the other planes are in the
// second.)
template <class T>
inline constexpr index_t most_columns = 4096 / sizeof(T);
template <class T, int N>
index_t host_columns(bool stream) {
  return N == 2 && stream ? 1024 / sizeof(T) : most_columns<T>;
}

inline constexpr index_t group_extent(int dimension) {
  return dimension == 1 ? host_rows : host_planes;
}

// Groups of rows that are one thread's work.
template <int N>
index_t host_groups(const Points<N>& part) {
  if (part.empty()) return 0;
  index_t groups = 1;
  for (int d = 1; d < N; ++d)
    groups *= (part.end[d] - part.begin[d] + group_extent(d) - 1) / group_extent(d);
  return groups;
}

// The rows of a group.
template <int N>
Points<N> group_of(const Points<N>& part, index_t number) {
  Points<N> group = part;
  for (int d = 1; d < N; ++d) {
    const index_t extent = group_extent(d);
    const index_t across = (part.end[d] - part.begin[d] + extent - 1) / extent;
    group.begin[d] = part.begin[d] + number % across * extent;
    group.end[d] = std::min(group.begin[d] + extent, part.end[d]);
    number /= across;
  }
  return group;
}

// A row with those around it, [dz + 1][dy + 1]; all point at column 0.
template <class T>
struct HostRows {
  const T* rows[3][3];

  HostRows(const T* row, index_t y_stride, index_t z_stride) {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) rows[dz + 1][dy + 1] = row + dy * y_stride + dz * z_stride;
  }
  HostRows(const T* below, const T* row, const T* above) : rows{{}, {below, row, above}, {}} {}
};

// The neighbours of one point.
template <class T>
struct HostNeighbours {
  const HostRows<T>& around;
  index_t x;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const {
    return around.rows[dz + 1][dy + 1][x + dx];
  }
};

// Fused where that is one instruction. (clang calls the C library for it, to set errno.)
inline double plus_square(double sum, double value) {
#if defined(FP_FAST_FMA) && !defined(__clang__)
  return std::fma(value, value, sum);
#else
  return sum + value * value;
#endif
}

// Coefficient k at column x. (Not a lambda: update_point is for devices as well.)
template <class T>
struct CoefficientsAt {
  const T* const* rows;
  index_t x;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int k) const { return rows[k][x]; }
};

// Columns [begin, end) of one row, which is `row` in the fields, into `to`; returns the sum of
// (new - old)^2.
template <class T, class S>
double update_piece(const S& stencil, const HostRows<T>& around, const BareFields<S, T>& fields,
                    index_t row, T* to, index_t begin, index_t end) {
  // (On this stack, else the compiler expects `to` to change them.)
  const HostRows<T> here = around;
  const T* known[std::max(stencil_coefficients<S>, 1)];
  for (int k = 0; k < stencil_coefficients<S>; ++k) known[k] = fields.coefficients[k] + row;
  const auto update = [&](index_t x) __attribute__((always_inline)) {
    const HostNeighbours<T> at{here, x};
    const T value = update_point<T>(stencil, at, CoefficientsAt<T>{known, x});
    to[x - begin] = value;
    return static_cast<double>(value - at(0, 0, 0));
  };
  double sum = 0;
#ifdef __clang__
  // (It would warn where an update is too much for it: then it takes points one by one.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma omp simd reduction(+ : sum)
  for (index_t x = begin; x < end; ++x) sum = plus_square(sum, update(x));
#pragma clang diagnostic pop
#else
  // (g++ takes a whole cache line at a time if it is told to, and what is left point by point.)
  const index_t lines = end - (end - begin) % static_cast<index_t>(64 / sizeof(T));
#pragma omp simd reduction(+ : sum) simdlen(64 / sizeof(T))
  for (index_t x = begin; x < lines; ++x) sum = plus_square(sum, update(x));
#pragma omp simd reduction(+ : sum) simdlen(16 / sizeof(T))
  for (index_t x = lines; x < end; ++x) sum = plus_square(sum, update(x));
#endif
  return sum;
}

template <class T, class S, class Exec>
void sweep_on_host(const Exec& exec, const S& stencil, const StencilOperands<S, T, Exec>& operands,
                   const std::vector<Points<S::dimensions>>& parts,
                   const SweepControl<Exec>& control, bool stream) {
  constexpr int dims = S::dimensions;
  const index_t piece = host_columns<T, dims>(stream);
  const FieldLayout<dims> layout = operands.layout;
  const index_t layers = layout.own[dims - 1];
  const index_t layer = layout.stride[dims - 1];
  const BareFields<S, T> fields(operands);

  index_t first_sum = 0;
  for (const Points<dims>& part : parts) {
    const index_t groups = host_groups(part);
    forall(exec, "kolam::stencil_sweep", groups, [=](index_t number) {
      if (control.stop.data() != nullptr && control.stop() != 0) return;
      alignas(64) T buffer[most_columns<T>];
      const Points<dims> group = group_of(part, number);
      double sum = 0;
      const auto sweep_row = [&](index_t y, index_t z, index_t begin, index_t end) {
        const index_t row = y * layout.stride[1] + (dims == 3 ? z * layer : 0);
        const HostRows<T> around(fields.u + row, layout.stride[1], dims == 3 ? layer : 0);
        T* const new_row = fields.new_u + row + begin;
        T* const out = stream ? buffer : new_row;
        // (A piece ahead: processors see no stream in pieces of several rows. In 3D, where rows are
        // short, that is of the next row.)
        const bool last = dims == 3 && end == part.end[0];
        const index_t next = last ? layout.stride[1] + part.begin[0] : end;
        const index_t count = std::min(piece, part.end[0] - (last ? part.begin[0] : end));
        prefetch_to_cache(around.rows[dims == 3 ? 2 : 1][1] + next, count);
        for (int k = 0; k < stencil_coefficients<S>; ++k)
          prefetch_to_cache(fields.coefficients[k] + row + next, count);
        sum += update_piece<T>(stencil, around, fields, row, out, begin, end);
        if (stream) stream_out(new_row, out, end - begin);
        const index_t at = dims == 3 ? z : y;
        const index_t in_layer = begin + (dims == 3 ? y * layout.stride[1] : 0);
        if (fields.low_ghosts != nullptr && at == 0)
          std::copy_n(out, end - begin, fields.low_ghosts + in_layer);
        if (fields.high_ghosts != nullptr && at == layers - 1)
          std::copy_n(out, end - begin, fields.high_ghosts + in_layer);
      };
      const index_t last_plane = dims == 3 ? group.end[dims - 1] : 1;
      for (index_t z = dims == 3 ? group.begin[dims - 1] : 0; z < last_plane; ++z) {
        for (index_t begin = part.begin[0]; begin < part.end[0]; begin += piece) {
          const index_t end = std::min(begin + piece, part.end[0]);
          for (index_t y = group.begin[1]; y < group.end[1]; ++y) sweep_row(y, z, begin, end);
        }
      }
      if (stream) stream_fence();
      if (control.partial_sums.extent(0) > 0) control.partial_sums(first_sum + number) = sum;
    });
    first_sum += groups;
  }
}

}  // namespace kolam::detail
