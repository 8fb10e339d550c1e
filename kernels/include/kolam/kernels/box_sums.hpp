// SPDX-License-Identifier: Apache-2.0
// Sums over the points of boxes, several at once. The order of additions depends only on the box.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <concepts>
#include <kolam/core/detail/simd_loop.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/kernels/vector_sums.hpp>
#include <string>
#include <type_traits>

namespace kolam {
namespace detail {

// The sums of a block on a device: a tile.
template <int N, int D, ExecutionSpace Exec, class Body>
struct DeviceBoxSums {
  using Tiles = DeviceTiles<D, Body, 32>;
  static constexpr int resident = static_cast<int>(resident_blocks<D, Body>);
  static constexpr int rows = static_cast<int>(tile_threads) / 32;
  // (The sums of rows of 32 lanes need only one barrier.)
  using Shape = std::conditional_t<std::same_as<Exec, HostTeams>, StaticShape<16>,
                                   StaticShape<32, rows, 1, resident>>;

  Tiles tiles;
  typename SumsOfBlocks<N, Exec>::Partial partial;

  // Returns the tiles of a box: up to 16 points for a thread, but enough blocks for a device.
  static Tiles tiles_of(const Box<D>& box, const Body& body) {
    constexpr index_t wanted_blocks = 1024;
    index_t steps = 2;
    while (steps < 16 && steps * index_t{tile_threads} * wanted_blocks < BoxRows<D>(box).points())
      steps *= 2;
    return Tiles(box, steps, body);
  }

  KOKKOS_FUNCTION void operator()(const Block<Exec, Shape>& block, index_t b) const {
    double sums[N] = {};
    block.foreach_y(rows, [&](int row) {
      block.foreach_x(32, [&](int lane) {
        tiles.visit(static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(32 * row + lane),
                    sums);
      });
    });
    for (int k = 0; k < N; ++k) {
      const double sum = block.sum(sums[k]);
      block.once([&] { partial(b, k) = sum; });
    }
  }
};

// The sums of a thread on a host: a part of the points, in SIMD lanes as for entries of vectors.
template <int N, int D, class Body, class Partial>
struct HostBoxSums {
  HostBox<D> of;
  Body body;
  Partial partial;

  void operator()(index_t part) const {
    constexpr index_t lanes = sums_side_by_side<Kokkos::DefaultHostExecutionSpace>;
    const Body mine = body;
    double sums[lanes][N] = {};
    of.visit(part, [&](index_t first, index_t count, index_t j, index_t k) {
      index_t n = 0;
      for (; n + lanes <= count; n += lanes)
        simd_loop(0, lanes,
                  [&](index_t lane) { call_at<D>(mine, first + n + lane, j, k, sums[lane]); });
      for (index_t lane = 0; n + lane < count; ++lane)
        call_at<D>(mine, first + n + lane, j, k, sums[lane]);
    });
    for (int k = 0; k < N; ++k) {
      for (index_t lane = 1; lane < lanes; ++lane) sums[0][k] += sums[lane][k];
      partial(part, k) = sums[0][k];
    }
  }
};

}  // namespace detail

/// N sums over the points of a box in D dimensions, 2 or 3, with a workspace for partial sums:
/// \code
///   const kolam::BoxSums<2, 2, Exec> sums(exec, box);
///   const auto [volume, energy] = sums.of("summary", KOKKOS_LAMBDA(kolam::index_t i,
///                                                    kolam::index_t j, double (&s)[2]) {
///     s[0] += area;
///     s[1] += area * density(i, j) * u(i, j);
///   });
/// \endcode
/// As with VectorSums, the bits of a sum do not depend on the number of threads, and a body may
/// change values at its point.
template <int N, int D, ExecutionSpace Exec>
class BoxSums {
 public:
  /// Allocates 8 N bytes of workspace for every 4096 points (on devices, for every 2048 or fewer).
  /// Throws OutOfMemory.
  BoxSums(const Exec& exec, const Box<D>& box) : box_(box), blocks_(exec, blocks_of(box)) {}

  /// Calls body(i, j[, k], sums) for every point and then, once on Exec, then(sums); sums is a
  /// double (&)[N]. Asynchronous.
  template <class Body, class Then>
  void start(const std::string& label, const Body& body, const Then& then) const {
    add_blocks(blocks_.exec(), label, box_, body, blocks_.partial());
    blocks_.finish(label, then);
  }

  /// Returns the sums that body(i, j[, k], sums) adds up over all points. Waits.
  template <class Body>
  std::array<double, N> of(const std::string& label, const Body& body) const {
    start(label, body, blocks_.store());
    return blocks_.wait(label);
  }

  /// \cond
  using Partial = typename detail::SumsOfBlocks<N, Exec>::Partial;
  static index_t blocks_of(const Box<D>& box) {
    if constexpr (has_block_threads<Exec>) {
      return detail::DeviceBoxSums<N, D, Exec, int>::tiles_of(box, 0).tiles();
    } else {
      return (detail::BoxRows<D>(box).points() + detail::entries_of_block - 1) /
             detail::entries_of_block;
    }
  }
  // Sets the partial sums of the blocks.
  template <class Body>
  static void add_blocks(const Exec& exec, const std::string& label, const Box<D>& box,
                         const Body& body, const Partial& partial) {
    static_assert(detail::is_called_at_points<D, Body, double[N]>,
                  "the body of BoxSums is called with an index for each dimension and the sums so "
                  "far: body(i, j, sums), or body(i, j, k, sums), with double (&sums)[N]");
    const index_t blocks = blocks_of(box);
    if constexpr (has_block_threads<Exec>) {
      using Sums = detail::DeviceBoxSums<N, D, Exec, Body>;
      forall_2d(exec, label, blocks, typename Sums::Shape{},
                Sums{Sums::tiles_of(box, body), partial});
    } else {
      using Sums = detail::HostBoxSums<N, D, Body, Partial>;
      const detail::BoxRows<D> rows(box);
      Kokkos::parallel_for(label, detail::FlatPolicy<Exec, Body>(exec, 0, blocks),
                           Sums{{rows, blocks}, body, partial});
    }
  }
  /// \endcond

 private:
  Box<D> box_;
  detail::SumsOfBlocks<N, Exec> blocks_;
};

}  // namespace kolam
