// SPDX-License-Identifier: Apache-2.0
// Parallel loops and reductions over the points of two- and three-dimensional boxes of indices.
#pragma once

#include <algorithm>
#include <kolam/core/detail/box_rows.hpp>
#include <kolam/core/detail/device_tiles.hpp>
#include <kolam/core/detail/simd_loop.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/index_box.hpp>
#include <type_traits>

namespace kolam {
namespace detail {

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
    const Body mine = body;  // (a local copy, which stores in the loop cannot change)
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
/// parallel, on `exec`; asynchronously if `exec` is asynchronous. i runs fastest: use it for the
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

/// Reduces `body(i, j[, k], value)` over the points of a box and `initial` with a Kokkos reducer,
/// and waits for the result: see reduce over a range.
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
      // (Fewer threads than the device can run, because a block costs as much as many points.)
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
