// SPDX-License-Identifier: Apache-2.0
// Updates of one row, or of two neighbouring rows together, on a processor with vector registers.
#pragma once

#include <algorithm>
#include <kolam/kernels/stencil/detail/bare_fields.hpp>
#include <kolam/kernels/stencil/detail/flush_to_zero.hpp>
#include <kolam/kernels/stencil/detail/sum_of_squares.hpp>
#include <kolam/kernels/stencil/operands.hpp>

namespace kolam::detail {

// `Rows` rows along y and the rows around them, [dz + 1][dy + 1]; all pointers are at column 0.
template <class T, int Rows = 1>
struct HostRows {
  const T* rows[3][Rows + 2];

  HostRows(const T* row, index_t y_stride, index_t z_stride) {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= Rows; ++dy)
        rows[dz + 1][dy + 1] = row + dy * y_stride + dz * z_stride;
  }
  HostRows(const T* below, const T* row, const T* above) : rows{{}, {below, row, above}, {}} {}
};

// The neighbours of one point. (For loops under FlushToZero.)
template <class T, int Rows>
struct HostNeighbours {
  const HostRows<T, Rows>& around;
  int row;
  index_t x;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const {
    return around.rows[dz + 1][row + dy + 1][x + dx];
  }
};

template <class T, int Rows>
inline constexpr bool flushed_for<HostNeighbours<T, Rows>> = flushes_to_zero;

// Coefficient k at column x. (Not a lambda: update_point is for devices as well.)
template <class T>
struct CoefficientsAt {
  const T* const* rows;
  index_t x;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int k) const { return rows[k][x]; }
};

// The destination of new values: the second row lies `stride` after the first.
template <class T>
struct NewRows {
  T* first;
  index_t stride = 0;
};

// Number of values of T in a register.
template <class T>
inline constexpr auto host_lanes = static_cast<index_t>(register_bytes / sizeof(T));

// Calls body(i) for i in [0, Count), in vectors that fill a register.
template <class T, index_t Count, class F>
[[gnu::always_inline]] inline void for_columns(const F& body) {
#ifdef __clang__
  // (clang would warn about updates that it cannot vectorise; it then takes points one by one.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma omp simd
  for (index_t i = 0; i < Count; ++i) body(i);
#pragma clang diagnostic pop
#else
  // (Without simdlen, g++ takes vectors of 32 bytes even if registers have 64.)
#pragma omp simd simdlen(host_lanes<T>)
  for (index_t i = 0; i < Count; ++i) body(i);
#endif
}

// Prefetches the cache lines of `count` values from `values` on.
template <class T>
[[gnu::always_inline]] inline void prefetch_lines(const T* values, index_t count) {
  for (index_t i = 0; i < count; i += static_cast<index_t>(64 / sizeof(T)))
    __builtin_prefetch(values + i);
}

// Updates columns [begin, end) of `Rows` rows, of which the first is at offset `row` in the fields.
// Stores them in `to`, which points at column `begin`; adds the squares of (new - old) to `sum`.
//
// Two rows together share the loads of values that both read: of ten loads for two points of
// Laplace's equation eight remain, and a row comes from the second-level cache half as often.
//
// With AskAhead, each step also prefetches the values that the update `ahead` columns further on
// reads for the first time. (If a whole segment is prefetched at once, processors delay other
// loads.)
//
// (A separate function, because registers run short if it is inlined into its caller.)
template <int Rows, bool AskAhead, class T, class S>
[[gnu::noinline]] void update_segment(const S& stencil, const HostRows<T, Rows>& around,
                                      const BareFields<S, T>& fields, index_t row, index_t y_stride,
                                      const NewRows<T>& to, index_t begin, index_t end,
                                      [[maybe_unused]] index_t ahead, SumOfSquares<T>& sum) {
  static_assert(Rows == 1 || Rows == 2);
  // (Local copies, because otherwise the compiler expects stores to `to` to change them.)
  const S update_by = stencil;
  const HostRows<T, Rows> here = around;
  const T* known[Rows][std::max(stencil_coefficients<S>, 1)];
  for (int r = 0; r < Rows; ++r)
    for (int k = 0; k < stencil_coefficients<S>; ++k)
      known[r][k] = fields.coefficients[k] + row + r * y_stride;
  T* const first_row = to.first - begin;
  T* const last_row = first_row + (Rows - 1) * to.stride;
  SumOfSquares<T> squares;

  // Doubles are squared in the register that they are computed in. Floats are widened first, which
  // is cheaper from memory: a few of them at a time, from the first-level cache.
  constexpr index_t lanes = host_lanes<T>;
  constexpr index_t block =
      sizeof(T) == sizeof(double) ? lanes : static_cast<index_t>(512 / sizeof(T) / Rows);
  static_assert(block % lanes == 0);
  // Registers of a step: for two rows a cache line of each, so that each line is prefetched once.
  constexpr int in_turn = Rows == 1 ? 4 : AskAhead ? std::max(64 / register_bytes, 1) : 1;
  alignas(64) T changes[Rows * block];
  // Updates column x; its changes are number `place` of `count` in each row.
  const auto update = [&](index_t x, index_t place, index_t count) __attribute__((always_inline)) {
    const HostNeighbours<T, Rows> first{here, 0, x};
    const T first_value = update_point<T>(update_by, first, CoefficientsAt<T>{known[0], x});
    changes[place] = first_value - first(0, 0, 0);
    if constexpr (Rows == 2) {
      const HostNeighbours<T, Rows> last{here, 1, x};
      const T last_value = update_point<T>(update_by, last, CoefficientsAt<T>{known[Rows - 1], x});
      changes[count + place] = last_value - last(0, 0, 0);
      last_row[x] = last_value;  // (all loads before the stores, otherwise some would be repeated)
    }
    first_row[x] = first_value;
  };
  const auto update_register = [&](index_t x) __attribute__((always_inline)) {
    for_columns<T, lanes>([&](index_t i)
                              __attribute__((always_inline)) { update(x + i, i, lanes); });
  };

  const auto prefetch = [&](index_t x, index_t count) __attribute__((always_inline)) {
    if constexpr (!AskAhead) return;
    constexpr int z = S::dimensions == 3 ? 2 : 1;
    constexpr int y = S::dimensions == 3 ? 1 : 2;
    for (int r = 0; r < Rows; ++r) {
      prefetch_lines(here.rows[z][r + y] + x + ahead, count);
      for (int k = 0; k < stencil_coefficients<S>; ++k)
        prefetch_lines(known[r][k] + x + ahead, count);
    }
  };

  index_t x = begin;
  if constexpr (block > lanes) {
    for (; x + block <= end; x += block) {
      prefetch(x, block);
      for_columns<T, block>([&](index_t i)
                                __attribute__((always_inline)) { update(x + i, i, block); });
      squares.template add<Rows * block>(changes);
    }
  } else if constexpr (in_turn > 1) {
    // (Several sums in turn, because an addition to a sum waits for the one before.)
    for (; x + in_turn * lanes <= end; x += in_turn * lanes) {
      prefetch(x, in_turn * lanes);
      update_register(x);
      squares.template add<Rows * lanes>(changes);
      update_register(x + lanes);
      squares.template add<Rows * lanes, Rows % 4>(changes);
      if constexpr (in_turn > 2) {
        update_register(x + 2 * lanes);
        squares.template add<Rows * lanes, 2 * Rows % 4>(changes);
        update_register(x + 3 * lanes);
        squares.template add<Rows * lanes, 3 * Rows % 4>(changes);
      }
    }
  }
  if constexpr (block > lanes || in_turn > 1) prefetch(x, end - x);
  for (; x + lanes <= end; x += lanes) {
    if constexpr (block == lanes && in_turn == 1) prefetch(x, lanes);
    update_register(x);
    squares.template add<Rows * lanes>(changes);
  }
  if (x < end) {
    // The remaining columns: updates the last register of the segment, some of whose columns are
    // already done, or point by point if the segment is shorter than a register.
    if (end - begin >= lanes) {
      update_register(end - lanes);
      for (int r = 0; r < Rows; ++r) std::fill_n(changes + r * lanes, x + lanes - end, T(0));
    } else {
      std::fill_n(changes, Rows * lanes, T(0));
      for (index_t i = 0; x + i < end; ++i) update(x + i, i, lanes);
    }
    squares.template add<Rows * lanes>(changes);
  }
  sum.join(squares);
}

// Updates at least columns [begin, end) of one row, a register at a time from `begin` on, without
// sums.
template <class T, class S>
void update_registers(const S& stencil, const HostRows<T>& around, const BareFields<S, T>& fields,
                      index_t row, T* to, index_t begin, index_t end) {
  const S update_by = stencil;
  const HostRows<T> here = around;
  const T* known[std::max(stencil_coefficients<S>, 1)];
  for (int k = 0; k < stencil_coefficients<S>; ++k) known[k] = fields.coefficients[k] + row;
  for (index_t x = begin; x < end; x += host_lanes<T>) {
    for_columns<T, host_lanes<T>>([&](index_t i) __attribute__((always_inline)) {
      const HostNeighbours<T, 1> at{here, 0, x + i};
      to[x + i] = update_point<T>(update_by, at, CoefficientsAt<T>{known, x + i});
    });
  }
}

}  // namespace kolam::detail
