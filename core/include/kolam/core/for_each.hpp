// SPDX-License-Identifier: Apache-2.0
// Parallel loops and reductions over the points of two- and three-dimensional boxes of indices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <kolam/core/detail/simd_loop.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/index_box.hpp>
#include <type_traits>

namespace kolam {
namespace detail {

// body(i, j[, k], values...)
template <int N, class Body, class... Values>
KOKKOS_FORCEINLINE_FUNCTION void call_at(const Body& body, index_t i, index_t j,
                                         [[maybe_unused]] index_t k, Values&... values) {
  if constexpr (N == 2) {
    body(i, j, values...);
  } else {
    body(i, j, k, values...);
  }
}

template <int N, class Body, class... Values>
constexpr bool is_called_at_points = [] {
  if constexpr (N == 2) {
    return std::is_invocable_v<const Body&, index_t, index_t, Values&...>;
  } else {
    return std::is_invocable_v<const Body&, index_t, index_t, index_t, Values&...>;
  }
}();

// A box with numbered rows along the first dimension.
template <int N>
struct BoxRows {
  static_assert(N == 2 || N == 3, "loops over boxes are two- or three-dimensional");
  Box<N> box;
  index_t row_size, plane_rows, rows;

  explicit BoxRows(const Box<N>& of)
      : box(of),
        row_size(of[0].end - of[0].begin),
        plane_rows(of[1].end - of[1].begin),
        rows(plane_rows * (N == 3 ? of[N - 1].end - of[N - 1].begin : 1)) {
    if (of.empty()) row_size = plane_rows = rows = 0;
  }
  index_t points() const { return row_size * rows; }

  // The position of a row.
  struct Row {
    index_t j, k;
  };
  KOKKOS_FORCEINLINE_FUNCTION Row row(index_t number) const {
    if constexpr (N == 2) return {box[1].begin + number, 0};
    if constexpr (N == 3)
      return {box[1].begin + number % plane_rows, box[N - 1].begin + number / plane_rows};
  }
  KOKKOS_FORCEINLINE_FUNCTION void go_on(Row& row) const {
    ++row.j;
    if constexpr (N == 3) {
      if (row.j < box[1].end) return;
      row.j = box[1].begin;
      ++row.k;
    }
  }
};

// The work of a host thread: one of `parts` consecutive parts of all points, visited row by row.
template <int N>
struct HostBox {
  BoxRows<N> rows;
  index_t parts;

  // Calls along_row(first i, count, j, k) for each row, or part of a row.
  template <class AlongRow>
  void visit(index_t part, const AlongRow& along_row) const {
    auto [next, end] = share_of(rows.points(), parts, part);
    auto row = rows.row(next / rows.row_size);
    index_t i = next % rows.row_size;
    while (next < end) {
      const index_t count = std::min(rows.row_size - i, end - next);
      along_row(rows.box[0].begin + i, count, row.j, row.k);
      next += count;
      i = 0;
      rows.go_on(row);
    }
  }
};

template <int N, class Body>
struct HostLoop {
  HostBox<N> of;
  Body body;
  void operator()(index_t part) const {
    const Body mine = body;  // (a local copy, which no store of the loop can change)
    of.visit(part, [&](index_t first, index_t count, index_t j, index_t k) {
      simd_loop(first, first + count, [&](index_t i) { call_at<N>(mine, i, j, k); });
    });
  }
};

// (See ReducedInLanes. There are as many lanes as the compiler keeps in registers: with 64, a sum
// over a plane takes 1.4 times as long.)
template <int N, class Reducer, class Body>
struct HostReduction {
  using Value = typename Reducer::value_type;
  HostBox<N> of;
  Body body;
  void operator()(index_t part, Value& result) const {
    constexpr index_t lanes = std::is_floating_point_v<Value> ? 16 : 1;
    const Reducer reducer(result);
    const Body mine = body;
    Value values[lanes];
    for (Value& value : values) reducer.init(value);
    of.visit(part, [&](index_t first, index_t count, index_t j, index_t k) {
      index_t n = 0;
      for (; n + lanes <= count; n += lanes)
        for (index_t lane = 0; lane < lanes; ++lane)
          call_at<N>(mine, first + n + lane, j, k, values[lane]);
      for (index_t lane = 0; n + lane < count; ++lane)
        call_at<N>(mine, first + n + lane, j, k, values[lane]);
    });
    for (const Value& value : values) reducer.join(result, value);
  }
};

// Division of numbers below 2^31 by a fixed divisor: a multiplication, because a division takes
// tens of instructions. (Granlund and Montgomery 1994.)
class Quotient {
 public:
  explicit constexpr Quotient(std::uint32_t divisor) : divisor_(divisor) {
    while ((std::uint64_t{1} << shift_) < divisor) ++shift_;
    const std::uint64_t above = (std::uint64_t{1} << shift_) - divisor;
    multiplier_ = static_cast<std::uint32_t>((above << 32U) / divisor + 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t of(std::uint32_t n) const {
    const auto high = static_cast<std::uint32_t>(std::uint64_t{n} * multiplier_ >> 32U);
    return (high + n) >> shift_;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t divisor() const { return divisor_; }

 private:
  std::uint32_t divisor_, multiplier_ = 0, shift_ = 0;
};

// The number of blocks of 128 threads for which a multiprocessor shall have room, which limits their
// registers; 0: no limit. A body may ask for one. (Without a limit the compiler expects larger
// blocks, which suits seven points and not five.)
template <int N, class Body>
constexpr unsigned resident_blocks = [] {
  if constexpr (requires { Body::resident_blocks; }) return Body::resident_blocks;
  return N == 2 ? 4U : 0U;
}();

// The work of blocks of 128 device threads, which walk along the last dimension, so that a thread
// finds its neighbours in the cache. (With a width that is not a constant, the seven-point operator
// takes a quarter longer.)
template <int N, class Body, std::uint32_t Width = N == 2 ? 128 : 32>
class DeviceTiles {
 public:
  static constexpr std::uint32_t threads = 128, width = Width, rows = threads / width;

  // A thread visits `most_steps` points or fewer.
  DeviceTiles(const Box<N>& box, index_t most_steps, const Body& body)
      : box_(box),
        across_(parts_of(extent(0), width)),
        down_(N == 3 ? parts_of(extent(1), rows) : 1),
        body_(body) {
    if (box.empty()) return;
    const index_t all_steps = N == 3 ? extent(N - 1) : parts_of(extent(1), rows);
    const index_t along = parts_of(all_steps, most_steps);
    steps_ = (all_steps + along - 1) / along;
    tiles_ = index_t{across_.divisor()} * down_.divisor() * along;
  }

  // The tiles, numbered with the first dimension fastest.
  index_t tiles() const { return tiles_; }

  // Returns whether most threads would be idle, as for the columns of a halo.
  static bool is_too_narrow(const Box<N>& box) {
    const auto extent = [&](std::size_t d) { return box[d].end - box[d].begin; };
    return 2 * extent(0) < width || (N == 3 && 2 * extent(1) < rows);
  }

  template <class... Values>
  KOKKOS_FORCEINLINE_FUNCTION void visit(std::uint32_t tile, std::uint32_t thread,
                                         Values&... values) const {
    const std::uint32_t line = across_.of(tile);
    const index_t i =
        box_[0].begin + index_t{tile - line * across_.divisor()} * width + thread % width;
    if (i >= box_[0].end) return;
    if constexpr (N == 2) {
      const index_t j = box_[1].begin + line * (steps_ * rows) + thread / width;
      walk<rows>(j, box_[1].end, [&](index_t at) { call_at<N>(body_, i, at, 0, values...); });
    } else {
      const std::uint32_t plane = down_.of(line);
      const index_t j =
          box_[1].begin + index_t{line - plane * down_.divisor()} * rows + thread / width;
      if (j >= box_[1].end) return;
      walk<1>(box_[2].begin + plane * steps_, box_[2].end,
              [&](index_t at) { call_at<N>(body_, i, j, at, values...); });
    }
  }

 private:
  index_t extent(std::size_t d) const { return box_[d].end - box_[d].begin; }
  static std::uint32_t parts_of(index_t n, index_t of) {
    return static_cast<std::uint32_t>(std::max(index_t{1}, (n + of - 1) / of));
  }
  template <index_t Distance, class F>
  KOKKOS_FORCEINLINE_FUNCTION void walk(index_t at, index_t limit, const F& f) const {
    const index_t end = Kokkos::min(at + steps_ * Distance, limit);
    // (Unrolled, the loop needs more registers, and fewer threads wait for memory at a time.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll 1
#endif
    for (; at < end; at += Distance) f(at);
  }

  Box<N> box_;
  Quotient across_, down_;
  index_t steps_ = 1, tiles_ = 0;
  Body body_;
};

// A thread for each point of a narrow box.
template <int N, class Body>
struct DevicePoints {
  Box<N> box;
  Quotient along_row, along_plane;
  Body body;

  // For boxes of fewer than 2^31 points.
  DevicePoints(const Box<N>& of, const Body& f)
      : box(of),
        along_row(static_cast<std::uint32_t>(of[0].end - of[0].begin)),
        along_plane(static_cast<std::uint32_t>(of[1].end - of[1].begin)),
        body(f) {}
  KOKKOS_FUNCTION void operator()(index_t number) const {
    const auto point = static_cast<std::uint32_t>(number);
    const std::uint32_t row = along_row.of(point);
    const std::uint32_t plane = N == 3 ? along_plane.of(row) : 0;
    call_at<N>(body, box[0].begin + (point - row * along_row.divisor()),
               box[1].begin + (row - plane * along_plane.divisor()),
               N == 3 ? box[N - 1].begin + plane : 0);
  }
};

// What a team does: a tile.
template <class Tiles>
struct TileOfTeam {
  Tiles tiles;
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    tiles.visit(static_cast<std::uint32_t>(team.league_rank()),
                static_cast<std::uint32_t>(team.team_rank()));
  }
};
// (A local value, because Kokkos keeps its own in scratch.)
template <class Tiles, class Reducer, class Member>
struct ReducedTile {
  using value_type = typename Reducer::value_type;
  Tiles tiles;
  KOKKOS_FUNCTION void operator()(const Member& team, value_type& value) const {
    value_type mine;
    const Reducer reducer(mine);
    reducer.init(mine);
    tiles.visit(static_cast<std::uint32_t>(team.league_rank()),
                static_cast<std::uint32_t>(team.team_rank()), mine);
    reducer.join(value, mine);
  }
};

// Returns how many points each of `threads` threads visits: fewer than `most` if there are few.
template <int N>
index_t steps_of_thread(const Box<N>& box, index_t threads, index_t most) {
  return std::clamp<index_t>(BoxRows<N>(box).points() / threads, 1, most);
}

template <unsigned Resident, class Functor, ExecutionSpace Exec>
auto tile_policy(const Exec& exec, index_t tiles) {
  constexpr unsigned threads = 128;
  using Bounds = Kokkos::LaunchBounds<Resident == 0 ? 0 : threads, Resident>;
  return Kokkos::TeamPolicy<Exec, Bounds, LaunchWeight<Functor>>(exec, static_cast<int>(tiles),
                                                                 threads, 1);
}

template <int N, class Body, class... Values>
void visit_backwards(const Box<N>& box, const Body& body, Values&... values) {
  const BoxRows<N> rows(box);
  for (index_t r = rows.rows; r-- > 0;) {
    const auto row = rows.row(r);
    for (index_t i = rows.row_size; i-- > 0;)
      call_at<N>(body, box[0].begin + i, row.j, row.k, values...);
  }
}

// for_each on devices and HostTeams, for boxes that are not narrow.
template <int N, ExecutionSpace Exec, class Body>
void for_each_in_tiles(const Exec& exec, const std::string& label, const Box<N>& box,
                       const Body& body) {
  if (box.empty()) return;
  if constexpr (std::same_as<Exec, HostTeams>) {
    visit_backwards(box, body);
  } else {
    using Tiles = DeviceTiles<N, Body>;
    using Functor = TileOfTeam<Tiles>;
    const Tiles tiles(box, steps_of_thread(box, exec.concurrency(), N == 2 ? 4 : 8), body);
    Kokkos::parallel_for(label, tile_policy<resident_blocks<N, Body>, Functor>(exec, tiles.tiles()),
                         Functor{tiles});
  }
}

}  // namespace detail

/// Calls `body(i, j)`, or `body(i, j, k)`, for all points of a box of indices, in any order and in
/// parallel, on `exec`; asynchronously if the execution space is. i runs fastest: use it for the
/// index whose values are adjacent in memory.
/// \code
///   kolam::for_each(exec, "five points", kolam::Box<2>{{{1, nx - 1}, {1, ny - 1}}},
///       KOKKOS_LAMBDA(kolam::index_t i, kolam::index_t j) {
///         y(i, j) = 4 * x(i, j) - x(i - 1, j) - x(i + 1, j) - x(i, j - 1) - x(i, j + 1);
///       });
/// \endcode
/// A range whose end is not above its beginning has no points. On hosts each thread takes adjacent
/// rows, and the loop along a row may be vectorised: as in every parallel loop, points must not
/// depend on each other.
template <int N, ExecutionSpace Exec, class Body>
void for_each(const Exec& exec, const std::string& label, const Box<N>& box, const Body& body) {
  static_assert(detail::is_called_at_points<N, Body>,
                "the body of for_each is called with an index for each dimension of the box: "
                "body(i, j), or body(i, j, k)");
  if (box.empty()) return;
  if constexpr (std::same_as<Exec, HostTeams>) {
    detail::visit_backwards(box, body);
  } else if constexpr (has_block_threads<Exec>) {
    const index_t points = detail::BoxRows<N>(box).points();
    if (detail::DeviceTiles<N, Body>::is_too_narrow(box) && points >> 31 == 0) {
      Kokkos::parallel_for(label, detail::FlatPolicy<Exec, Body>(exec, 0, points),
                           detail::DevicePoints<N, Body>(box, body));
    } else {
      detail::for_each_in_tiles(exec, label, box, body);
    }
  } else {
    const detail::BoxRows<N> rows(box);
    const index_t parts = std::min<index_t>(rows.points(), exec.concurrency());
    Kokkos::parallel_for(label, detail::FlatPolicy<Exec, Body>(exec, 0, parts),
                         detail::HostLoop<N, Body>{{rows, parts}, body});
  }
}

/// The same on the default execution space.
template <int N, class Body>
void for_each(const std::string& label, const Box<N>& box, const Body& body) {
  for_each(Kokkos::DefaultExecutionSpace{}, label, box, body);
}

/// Reduces `body(i, j[, k], value)` over the points of a box with a Kokkos reducer, `initial`
/// included, and waits for the result: see reduce over a range.
template <class Reducer, int N, ExecutionSpace Exec, class Body>
typename Reducer::value_type reduce(const Exec& exec, const std::string& label, const Box<N>& box,
                                    typename Reducer::value_type initial, const Body& body) {
  using Value = typename Reducer::value_type;
  static_assert(detail::is_called_at_points<N, Body, Value>,
                "the body of a reduction over a box is called with an index for each dimension and "
                "the value so far: body(i, j, value), or body(i, j, k, value)");
  Value result{};
  const Reducer reducer(result);
  reducer.init(result);
  if (!box.empty()) {
    if constexpr (std::same_as<Exec, HostTeams>) {
      detail::visit_backwards(box, body, result);
    } else if constexpr (has_block_threads<Exec>) {
      // (Fewer threads than fit, because a block is as costly as many points.)
      using Tiles = detail::DeviceTiles<N, Body, 32>;
      const Tiles tiles(box, detail::steps_of_thread(box, exec.concurrency() / 2, 128), body);
      const auto policy = detail::tile_policy<0, Tiles>(exec, tiles.tiles());
      using Member = typename decltype(policy)::member_type;
      Kokkos::parallel_reduce(label, policy, detail::ReducedTile<Tiles, Reducer, Member>{tiles},
                              reducer);
    } else {
      const detail::BoxRows<N> rows(box);
      const index_t parts = std::min<index_t>(rows.points(), exec.concurrency());
      Kokkos::parallel_reduce(label, detail::FlatPolicy<Exec, Body>(exec, 0, parts),
                              detail::HostReduction<N, Reducer, Body>{{rows, parts}, body},
                              reducer);
    }
  }
  reducer.join(result, initial);
  return result;
}

///@{
/// Returns the sum, minimum or maximum over the points of a box: see sum, min and max over a range.
template <class T, int N, ExecutionSpace Exec, class Body>
T sum(const Exec& exec, const std::string& label, const Box<N>& box, const Body& body) {
  return reduce<Kokkos::Sum<T>>(exec, label, box, Kokkos::reduction_identity<T>::sum(), body);
}
template <class T, int N, ExecutionSpace Exec, class Body>
T min(const Exec& exec, const std::string& label, const Box<N>& box, const Body& body) {
  return reduce<Kokkos::Min<T>>(exec, label, box, Kokkos::reduction_identity<T>::min(), body);
}
template <class T, int N, ExecutionSpace Exec, class Body>
T max(const Exec& exec, const std::string& label, const Box<N>& box, const Body& body) {
  return reduce<Kokkos::Max<T>>(exec, label, box, Kokkos::reduction_identity<T>::max(), body);
}
///@}

}  // namespace kolam
