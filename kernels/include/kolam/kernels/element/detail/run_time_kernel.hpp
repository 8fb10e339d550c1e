// SPDX-License-Identifier: Apache-2.0
// The work of ElementKernel for any number of nodes and points, with plain matrices, and through
// memory instead of registers and scratch.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/simd.hpp>
#include <kolam/kernels/element/detail/layout.hpp>
#include <kolam/kernels/element/detail/vectors.hpp>
#include <kolam/kernels/element/quadrature_point.hpp>

namespace kolam::detail {

// (If inlined, a dozen copies would be compiled for every integrand.)
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KOLAM_APART_ON_HOST
#else
#define KOLAM_APART_ON_HOST __attribute__((noinline))
#endif

// The part of the kernel that does not depend on the integrand.
template <class T, ExecutionSpace Exec, int Dim, int Components>
struct RunTimeElements {
  static constexpr int lanes = simd_width<Exec, T>;
  using V = SimdValue<Exec, T>;
  using Shape = StaticShape<block_threads<Exec, 128>>;
  using Block = kolam::Block<Exec, Shape>;

  ElementLayout<T, Exec> layout;
  int q1d;

  // Arrays of each element and component: the field, its derivatives, and a spare one for products
  // on the way from nodes to points and back.
  static constexpr int arrays = Dim + 2;
  static constexpr int spare = Dim + 1;

  KOKKOS_FUNCTION int across() const { return Kokkos::max(layout.d1d, q1d); }
  KOKKOS_FUNCTION index_t array_size() const {
    return index_t{lanes} * layout.blocks * power(across(), Dim);
  }
  KOKKOS_FUNCTION index_t workspace_of_block() const { return array_size() * arrays * Components; }

  // Position (x, y, z) number n in a box of `extents`, x fastest.
  struct Place {
    int i[3];
    KOKKOS_FUNCTION Place(int n, const int (&extents)[3])
        : i{n % extents[0], n / extents[0] % extents[1], n / (extents[0] * extents[1])} {}
  };
  KOKKOS_FUNCTION index_t offset(const Place& at) const {
    return index_t{lanes} * layout.blocks *
           (at.i[0] + across() * (at.i[1] + index_t{across()} * at.i[2]));
  }

  struct Workspace {
    T* begin;
    index_t array_size;
    KOKKOS_FUNCTION T* array(int element, int component, int number) const {
      return begin + element * lanes + array_size * (number + arrays * component);
    }
  };

  // Calls body(element, place) for all places in `extents` of all elements of a group; then a
  // barrier.
  template <class Body>
  KOKKOS_FUNCTION void each(const Block& block, const int (&extents)[3], const Body& body) const {
    const int n = extents[0] * extents[1] * extents[2];
    block.foreach_x(n * layout.blocks,
                    [&](int t) { body(t % layout.blocks, Place(t / layout.blocks, extents)); });
    block.sync();
  }

  // Sets to = M from along `direction`, or to += M from if `add`. M(r, c) =
  // matrix[r * row_step + c * column_step].
  KOLAM_APART_ON_HOST KOKKOS_FUNCTION void contract(const Block& block, const Workspace& mine,
                                                    const int (&extents)[3], int direction,
                                                    const T* matrix, int row_step, int column_step,
                                                    int columns, int from, int to, bool add) const {
    each(block, extents, [&](int e, const Place& at) {
      Place first = at;
      first.i[direction] = 0;
      Place second = first;
      second.i[direction] = 1;
      const index_t step = offset(second) - offset(first);
      const T* const row = matrix + at.i[direction] * row_step;
      for (int c = 0; c < Components; ++c) {
        const T* const line = mine.array(e, c, from) + offset(first);
        V sum = add ? load_simd<V>(mine.array(e, c, to) + offset(at)) : V(0);
        for (int k = 0; k < columns; ++k)
          sum = multiply_add(V(row[k * column_step]), load_simd<V>(line + k * step), sum);
        store_simd(mine.array(e, c, to) + offset(at), sum);
      }
    });
  }
};

template <class T, ExecutionSpace Exec, int Dim, class F>
struct RunTimeElementKernel : RunTimeElements<T, Exec, Dim, F::components> {
  static constexpr int components = F::components;
  static constexpr int data_per_point = data_count<F>();
  using Elements = RunTimeElements<T, Exec, Dim, components>;
  using Elements::contract;
  using Elements::each;
  using Elements::lanes;
  using Elements::layout;
  using Elements::offset;
  using Elements::q1d;
  using Elements::spare;
  using typename Elements::Block;
  using typename Elements::Place;
  using typename Elements::Shape;
  using typename Elements::V;
  using typename Elements::Workspace;
  using Vectors = ElementVectors<T, Exec, VectorForm::either>;

  bool collocated;
  const T* values[3];  // [q1d, d1d], for each direction
  const T* gradients;  // [q1d, q1d]
  const T* weights;
  F function;
  Vectors vectors;
  T* workspace;  // of all blocks
  index_t groups;
  int block_count;

  KOKKOS_FUNCTION void operator()(const Block& block, index_t number) const {
    const Workspace mine{workspace + number * this->workspace_of_block(), this->array_size()};
    for (index_t group = number; group < groups; group += block_count) run(block, mine, group);
  }

  KOKKOS_FUNCTION void run(const Block& block, const Workspace& mine, index_t group) const {
    const int d = layout.d1d;
    const int q = q1d;
    const int nodes[3] = {d, d, Dim == 3 ? d : 1};
    const int points[3] = {q, q, Dim == 3 ? q : 1};
    const index_t first = group * layout.blocks;
    const auto node = [&](int e, const Place& at) {
      return layout.node((first + e) * lanes, at.i[0] + d * (at.i[1] + d * at.i[2]));
    };
    int field = 0;  // number of its array
    if constexpr (F::reads != Evaluation::none) {
      each(block, nodes, [&](int e, const Place& at) {
        const index_t place = node(e, at);
        const auto entries = Vectors::template entries<1>(vectors.from, place, 0);
        for (int c = 0; c < components; ++c) {
          V value[1];
          vectors.read(entries, place, 0, c, value);
          store_simd(mine.array(e, c, 0) + offset(at), value[0]);
        }
      });
      if (!collocated) {
        int extents[3] = {d, d, nodes[2]};
        for (int k = 0; k < Dim; ++k) {
          extents[k] = q;
          contract(block, mine, extents, k, values[k], 1, q, d, field, spare - field, false);
          field = spare - field;
        }
      }
    }
    if constexpr (has_gradients(F::reads)) {
      for (int k = 0; k < Dim; ++k)
        contract(block, mine, points, k, gradients, 1, q, q, field, k + 1, false);
    }
    each(block, points, [&](int e, const Place& at) { visit(mine, first, e, at, field); });
    if constexpr (has_gradients(F::writes)) {
      for (int k = 0; k < Dim; ++k)
        contract(block, mine, points, k, gradients, q, 1, q, k + 1, field, true);
    }
    if constexpr (F::writes != Evaluation::none) {
      if (!collocated) {
        int extents[3] = {q, q, points[2]};
        for (int k = 0; k < Dim; ++k) {
          extents[k] = d;
          contract(block, mine, extents, k, values[k], q, 1, q, field, spare - field, false);
          field = spare - field;
        }
      }
      each(block, nodes, [&](int e, const Place& at) {
        const index_t place = node(e, at);
        const auto entries = Vectors::template entries<1>(vectors.to, place, 0);
        for (int c = 0; c < components; ++c) {
          const V value[1] = {load_simd<V>(mine.array(e, c, field) + offset(at))};
          vectors.add(entries, place, 0, c, value);
        }
      });
    }
  }

  KOLAM_APART_ON_HOST KOKKOS_FUNCTION void visit(const Workspace& mine, index_t first, int e,
                                                 const Place& at, int field) const {
    QuadraturePoint<V, Dim, components, data_per_point> point;
    point.weight = V(weights[at.i[0]] * weights[at.i[1]] * (Dim == 3 ? weights[at.i[2]] : T(1)));
    point.element = (first + e) * lanes;
    for (int k = 0; k < Dim; ++k) point.index[k] = at.i[k];
    if constexpr (data_per_point > 0) {
      for (int k = 0; k < data_per_point; ++k) point.data[k] = load_simd<V>(datum(point, k));
    }
    for (int c = 0; c < components; ++c) {
      point.value[c] =
          has_values(F::reads) ? load_simd<V>(mine.array(e, c, field) + offset(at)) : V(0);
      for (int k = 0; k < Dim; ++k) {
        point.gradient[c][k] =
            has_gradients(F::reads) ? load_simd<V>(mine.array(e, c, k + 1) + offset(at)) : V(0);
      }
    }
    function(point);
    if constexpr (stores_data<F>()) {
      for (int k = 0; k < data_per_point; ++k) store_simd(datum(point, k), point.data[k]);
    }
    for (int c = 0; c < components; ++c) {
      if constexpr (F::writes != Evaluation::none) {
        store_simd(mine.array(e, c, field) + offset(at),
                   has_values(F::writes) ? point.value[c] : V(0));
      }
      if constexpr (has_gradients(F::writes)) {
        for (int k = 0; k < Dim; ++k)
          store_simd(mine.array(e, c, k + 1) + offset(at), point.gradient[c][k]);
      }
    }
  }

  template <class Point>
  KOKKOS_FUNCTION T* datum(const Point& at, int k) const {
    const int number = at.index[0] + q1d * (at.index[1] + (Dim == 3 ? q1d * at.index[Dim - 1] : 0));
    return function.data.values.data() + layout.datum(at.element, number, k, q1d, data_per_point);
  }
};

#undef KOLAM_APART_ON_HOST

}  // namespace kolam::detail
