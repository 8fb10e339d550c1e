// SPDX-License-Identifier: Apache-2.0
// How what belongs to elements lies in memory: in groups, each in the order in which a block's
// threads read it. On devices a group is the elements that a block takes together, and the threads
// of a line of the slowest direction lie side by side; on hosts it is one element per lane.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/index.hpp>
#include <kolam/core/lanes.hpp>

namespace kolam::detail {

KOKKOS_FUNCTION constexpr int power(int base, int exponent) {
  int product = 1;
  for (int i = 0; i < exponent; ++i) product *= base;
  return product;
}

// Elements that a block of a device takes together: enough to keep some warps busy at low order.
// (Threads in full warps go through Kokkos' vector level, which costs registers.)
constexpr int elements_of_block(int dimensions, int d1d) {
  constexpr int threads = 128;
  const int lines = power(d1d + 1, dimensions - 1);
  const int most = lines < threads ? threads / lines : 1;
  return most > 2 && most * lines == threads ? most - 1 : most;
}

template <class T, ExecutionSpace Exec>
struct ElementLayout {
  static constexpr int lanes = lane_count<Exec, T>;

  int dimensions;
  int d1d;
  int blocks;  // elements of a group, of which each is `lanes` of the mesh

  ElementLayout() = default;
  ElementLayout(int dims, int nodes_across)
      : dimensions(dims),
        d1d(nodes_across),
        blocks(has_block_threads<Exec> ? elements_of_block(dims, nodes_across) : 1) {}

  [[nodiscard]] KOKKOS_FUNCTION int nodes() const { return power(d1d, dimensions); }
  [[nodiscard]] KOKKOS_FUNCTION index_t groups(index_t elements) const {
    const index_t size = index_t{lanes} * blocks;
    return (elements + size - 1) / size;
  }
  // Places for the nodes of `elements`.
  [[nodiscard]] KOKKOS_FUNCTION index_t size(index_t elements) const {
    return groups(elements) * lanes * blocks * nodes();
  }

  // The place of node i (x fastest) of an element.
  [[nodiscard]] KOKKOS_FUNCTION index_t node(index_t element, int i) const {
    const index_t batch = element / lanes;
    const auto block = static_cast<int>(batch % blocks);
    const int lines = power(d1d, dimensions - 1);
    const int x = i % d1d;
    const int y = dimensions == 3 ? i / d1d % d1d : 0;
    const index_t line = (i / lines + d1d * (batch / blocks)) * (index_t{blocks} * lines);
    return element % lanes + lanes * (line + x + d1d * (block + blocks * y));
  }

  // The place of number k of `count` at a point of an element, of q1d in each direction; `point`
  // counts them, x fastest.
  [[nodiscard]] KOKKOS_FUNCTION index_t datum(index_t element, int point, int k, int q1d,
                                              int count) const {
    const index_t batch = element / lanes;
    const int lines = power(q1d, dimensions - 1);
    const int x = point % q1d;
    const int t = point / q1d + lines * static_cast<int>(batch % blocks);
    return element % lanes + lanes * datum(batch / blocks, t, x, k, q1d, count, lines * blocks);
  }
  // The same in units of lanes: point x of line t of the `lines` of a group.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static index_t datum(index_t group, int t, int x, int k,
                                                                 int q1d, int count, int lines) {
    if constexpr (has_block_threads<Exec>) return t + lines * (k + count * (x + q1d * group));
    return k + count * (x + q1d * (t + lines * group));
  }
  // Numbers for the points of `elements`.
  [[nodiscard]] index_t data_size(index_t elements, int q1d, int count) const {
    return groups(elements) * lanes * blocks * power(q1d, dimensions) * count;
  }
};

}  // namespace kolam::detail
