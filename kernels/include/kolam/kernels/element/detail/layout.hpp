// SPDX-License-Identifier: Apache-2.0
// The memory layout of element data: in groups, each in the order in which a block's threads read
// it. On devices a group holds the elements that a block takes together, and their numbers for the
// same node or point lie side by side; on hosts it holds one element per lane.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/index.hpp>
#include <kolam/core/simd.hpp>

namespace kolam::detail {

KOKKOS_FUNCTION constexpr int power(int base, int exponent) {
  int product = 1;
  for (int i = 0; i < exponent; ++i) product *= base;
  return product;
}

// Returns the largest power of two (see line_kernel.hpp) of elements with at most `most_lines`
// lines in all.
KOKKOS_FUNCTION constexpr int elements_of_lines(int lines_of_element, int most_lines) {
  int elements = 1;
  while (2 * elements * lines_of_element <= most_lines) elements *= 2;
  return elements;
}
// Return the number of elements of a group, and of those that a block of ElementKernel takes:
// enough to keep some warps busy at low order.
KOKKOS_FUNCTION constexpr int elements_of_group(int dimensions, int d1d) {
  return elements_of_lines(power(d1d + 1, dimensions - 1), 144);
}
KOKKOS_FUNCTION constexpr int elements_of_block(int dimensions, int q1d) {
  return elements_of_lines(power(q1d, dimensions - 1), 144);
}

template <class T, ExecutionSpace Exec>
struct ElementLayout {
  static constexpr int lanes = simd_width<Exec, T>;

  int dimensions;
  int d1d;
  int blocks;  // batches of a group, each of `lanes` elements

  ElementLayout() = default;
  ElementLayout(int dims, int nodes_across)
      : dimensions(dims),
        d1d(nodes_across),
        blocks(has_block_threads<Exec> ? elements_of_group(dims, nodes_across) : 1) {}

  KOKKOS_FUNCTION int nodes() const { return power(d1d, dimensions); }
  KOKKOS_FUNCTION index_t groups(index_t elements) const {
    const index_t size = index_t{lanes} * blocks;
    return (elements + size - 1) / size;
  }
  // Returns the number of values for the nodes of `elements`, with padding.
  KOKKOS_FUNCTION index_t size(index_t elements) const {
    return groups(elements) * lanes * blocks * nodes();
  }

  // Returns the offset of node i (x fastest) of an element.
  KOKKOS_FUNCTION index_t node(index_t element, int i) const {
    const index_t batch = element / lanes;
    const auto block = static_cast<int>(batch % blocks);
    const int lines = power(d1d, dimensions - 1);
    const int x = i % d1d;
    const int y = dimensions == 3 ? i / d1d % d1d : 0;
    const index_t line = (i / lines + d1d * (batch / blocks)) * (index_t{blocks} * lines);
    return element % lanes + lanes * (line + block + blocks * (x + d1d * y));
  }

  // Returns the offset of number k of `count` at a point of an element with q1d points in each
  // direction; `point` counts them, x fastest.
  KOKKOS_FUNCTION index_t datum(index_t element, int point, int k, int q1d, int count) const {
    const index_t batch = element / lanes;
    const int together = elements_together(q1d);
    const int lines = power(q1d, dimensions - 1) * together;
    const int x = point % q1d;
    const int t = static_cast<int>(batch % together) + together * (point / q1d);
    return element % lanes + lanes * datum(batch / together, t, x, k, q1d, count, lines);
  }
  // Returns the offset in units of lanes: for point x of line t of the `lines` of a block.
  KOKKOS_FORCEINLINE_FUNCTION static index_t datum(index_t block, int t, int x, int k, int q1d,
                                                   int count, int lines) {
    if constexpr (has_block_threads<Exec>) return t + lines * (k + count * (x + q1d * block));
    return k + count * (x + q1d * (t + lines * block));
  }
  // Returns the number of values for the points of `elements`, rounded up to whole groups and
  // blocks (powers of two). It suffices for any number of nodes, because groups are largest for the
  // fewest nodes.
  index_t data_size(index_t elements, int q1d, int count) const {
    const int largest = has_block_threads<Exec> ? elements_of_group(dimensions, 2) : 1;
    const index_t size = index_t{lanes} * Kokkos::max(largest, elements_together(q1d));
    return (elements + size - 1) / size * size * power(q1d, dimensions) * count;
  }

 private:
  // Returns the number of batches whose data lie together.
  KOKKOS_FUNCTION int elements_together(int q1d) const {
    return has_block_threads<Exec> ? elements_of_block(dimensions, q1d) : 1;
  }
};

}  // namespace kolam::detail
