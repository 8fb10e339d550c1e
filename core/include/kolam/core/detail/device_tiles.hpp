// SPDX-License-Identifier: Apache-2.0
// How the threads of a device share the points of a box.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <kolam/core/detail/box_rows.hpp>
#include <kolam/core/detail/launch_weight.hpp>
#include <kolam/core/execution.hpp>

namespace kolam::detail {

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

// Threads of a tile, which are a team.
inline constexpr std::uint32_t tile_threads = 128;

// The number of tiles that must fit on a multiprocessor, which limits their registers; 0: no limit.
// A body may request one. (Without a limit the compiler expects larger
// blocks, which suits seven points and not five.)
template <int N, class Body>
constexpr unsigned resident_blocks = [] {
  if constexpr (requires { Body::resident_blocks; }) return Body::resident_blocks;
  return N == 2 ? 4U : 0U;
}();

// The work of the threads of tiles on a device, which walk along the last dimension, so that a thread
// finds its neighbours in the cache. (With a width that is not a constant, the seven-point operator
// takes a quarter longer.)
template <int N, class Body, std::uint32_t Width = N == 2 ? 128 : 32>
class DeviceTiles {
 public:
  static constexpr std::uint32_t width = Width, rows = tile_threads / width;

  // A thread visits `most_steps` points or fewer.
  DeviceTiles(const Box<N>& box, index_t most_steps, const Body& body)
      : box_(box),
        across_(parts_of(extent(box, 0), width)),
        down_(N == 3 ? parts_of(extent(box, 1), rows) : 1),
        body_(body) {
    if (box.empty()) return;
    const index_t all_steps = N == 3 ? extent(box, N - 1) : parts_of(extent(box, 1), rows);
    const index_t along = parts_of(all_steps, most_steps);
    steps_ = (all_steps + along - 1) / along;
    tiles_ = index_t{across_.divisor()} * down_.divisor() * along;
  }

  // The tiles, numbered with the first dimension fastest.
  index_t tiles() const { return tiles_; }

  // Returns whether most threads would be idle, as for the columns of a halo.
  static bool is_too_narrow(const Box<N>& box) {
    return 2 * extent(box, 0) < width || (N == 3 && 2 * extent(box, 1) < rows);
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
  static index_t extent(const Box<N>& box, std::size_t d) { return box[d].end - box[d].begin; }
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

// The work of a team: a tile.
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
  using Bounds = Kokkos::LaunchBounds<Resident == 0 ? 0 : tile_threads, Resident>;
  return Kokkos::TeamPolicy<Exec, Bounds, LaunchWeight<Functor>>(exec, static_cast<int>(tiles),
                                                                 tile_threads, 1);
}

}  // namespace kolam::detail
