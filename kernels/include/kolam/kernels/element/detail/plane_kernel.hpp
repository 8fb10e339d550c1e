// SPDX-License-Identifier: Apache-2.0
// ElementKernel for devices and low order in three dimensions: a thread owns a plane of an element.
// It contracts along x and y, and visits the points of the plane, in registers; only lines along z
// go through scratch. So a value passes through scratch four times, not fifteen (with gradients at
// collocated points).
//
// Neighbouring threads take the same plane of neighbouring elements. For lines along z they take
// the lines of one row of nodes, which lie side by side in memory.
#pragma once

#include <kolam/kernels/element/detail/line_kernel.hpp>

namespace kolam::detail {

template <class T, class Exec, int D, int Q, bool Collocated, VectorForm How, class F>
struct ElementPlaneKernel {
  static constexpr int Dim = 3;
  static constexpr bool in_values = has_values(F::reads);
  static constexpr bool in_gradients = has_gradients(F::reads);
  static constexpr bool out_values = has_values(F::writes);
  static constexpr bool out_gradients = has_gradients(F::writes);
  static constexpr bool any_in = in_values || in_gradients;
  static constexpr bool any_out = out_values || out_gradients;
  static constexpr bool any_gradients = in_gradients || out_gradients;
  static constexpr int data_per_point = data_count<F>();
  static constexpr int loops = component_loop_count<F>();
  using V = T;
  using Vectors = ElementVectors<T, Exec, How>;

  static constexpr int together = elements_of_group(Dim, D);
  static constexpr int wanted_elements = Q >= 4 ? 16 : 32;
  static constexpr int elements = wanted_elements > together ? wanted_elements : together;
  // Minimum number of blocks on a multiprocessor (0: not set). It limits the registers of light
  // integrands of gradients alone, for which the compiler would use more than is fastest on an
  // H200; the limit causes no spills.
  static constexpr bool limited =
      !std::same_as<Exec, HostTeams> && in_gradients && !in_values && is_light<V, Dim, F>();
  static constexpr int blocks = !limited               ? 0
                                : Q == 3 && Collocated ? 6
                                : Q == 4               ? 8
                                : Q == 5               ? 4
                                                       : 0;
  using Shape = StaticShape<1, block_threads<Exec, elements * Q>, 1, blocks>;
  using Block = kolam::Block<Exec, Shape>;

  // Scratch has one plane for each point in z. A plane has the nodes of an element in x and y (or
  // the points, if collocated). Rows of nodes of neighbouring elements lie in different banks, and
  // so do their corresponding nodes: each element starts D banks after the one before, and, if D is
  // even, one more bank whenever it would return to the first bank.
  static constexpr int plane = D * D;
  static constexpr int banks = 128 / static_cast<int>(sizeof(T));
  static constexpr int volume = plane * Q + ((D - plane * Q) % banks + banks) % banks;
  static constexpr int workspace = elements * (volume + 1);
  struct Shared {
    T values[workspace];
    T fluxes[any_gradients ? workspace : 1];  // or derivatives, along z
  };
  KOKKOS_FORCEINLINE_FUNCTION static int offset(int e, int x, int y, int z) {
    return e * volume + (D % 2 == 0 ? e * D / banks : 0) + x + D * y + plane * z;
  }

  LineBasis<T, D, Q, Collocated> basis;
  T weights[Q];
  F function;
  Vectors vectors;
  index_t count;  // elements

  KOKKOS_FUNCTION void operator()(const Block& block, Shared& shared, index_t number) const {
    const index_t first = elements * number;
    // (No barrier is needed between components: each thread rewrites only the lines that it read.
    // nvcc keeps a loop that runs once, which costs some kernels 14 registers in addition to 80.)
    if constexpr (loops == 1) {
      one(block, shared, first, 0);
    } else {
      for (int component = 0; component < loops; ++component) one(block, shared, first, component);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void one(const Block& block, Shared& shared, index_t first,
                                       int component) const {
    if constexpr (any_in) {
      rows(block, first, [&](int e, int x) { read(shared, component, e, x, first + e); });
      block.sync();
    }
    block.foreach_y(elements * Q, [&](int t) {
      const int e = t % elements;
      if (first + e < count) visit(shared, e, t / elements, first + e);
    });
    if constexpr (any_out) {
      block.sync();
      rows(block, first, [&](int e, int x) { write(shared, component, e, x, first + e); });
    }
  }

  // Calls body(e, x) for all elements of the block and all x of a row of nodes.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void rows(const Block& block, index_t first, const Body& body) const {
    block.foreach_y(elements * D, [&](int t) {
      const int e = t / D;
      if (first + e < count) body(e, t % D);
    });
  }

  // The offset of the first node of the line along z at (x, y) of an element, and the step between
  // nodes.
  static constexpr int node_step = together * D * D;
  KOKKOS_FORCEINLINE_FUNCTION static index_t first_node(index_t element, int x, int y) {
    return element % together + together * (x + D * y) + element / together * (D * node_step);
  }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static void load_line(const T* line, V (&to)[N]) {
    KOLAM_UNROLL
    for (int i = 0; i < N; ++i) to[i] = line[i * plane];
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static void store_line(T* line, const V (&from)[N]) {
    KOLAM_UNROLL
    for (int i = 0; i < N; ++i) line[i * plane] = from[i];
  }

  // The entries of all lines along z at x.
  struct Entries {
    typename Vectors::template Entries<D> of[D];
    KOKKOS_FORCEINLINE_FUNCTION Entries(const int* map, index_t element, int x) {
      KOLAM_UNROLL
      for (int y = 0; y < D; ++y)
        of[y] = Vectors::template entries<D>(map, first_node(element, x, y), node_step);
    }
  };

  // Reads lines along z: contracts nodes to points, and computes derivatives.
  KOKKOS_FORCEINLINE_FUNCTION void read(Shared& shared, int component, int e, int x,
                                        index_t element) const {
    const Entries entries(vectors.from, element, x);
    KOLAM_UNROLL
    for (int y = 0; y < D; ++y) {
      V in[D];
      V points[Q];
      vectors.read(entries.of[y], first_node(element, x, y), node_step, component, in);
      if constexpr (Collocated) {
        KOLAM_UNROLL
        for (int i = 0; i < Q; ++i) points[i] = in[i];
      } else {
        contract<false, Mirror::same>(basis.values, in, points);
      }
      store_line(&shared.values[offset(e, x, y, 0)], points);
      if constexpr (in_gradients) {
        V derivative[Q];
        contract<false, Mirror::opposite>(basis.gradients, points, derivative);
        store_line(&shared.fluxes[offset(e, x, y, 0)], derivative);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(Shared& shared, int component, int e, int x,
                                         index_t element) const {
    const Entries entries(vectors.to, element, x);
    KOLAM_UNROLL
    for (int y = 0; y < D; ++y) {
      V sum[Q];
      load_line(&shared.values[offset(e, x, y, 0)], sum);
      if constexpr (out_gradients) {
        V flux[Q];
        load_line(&shared.fluxes[offset(e, x, y, 0)], flux);
        contract_onto<true, Mirror::opposite>(basis.gradients, flux, sum);
      }
      if constexpr (Collocated) {
        vectors.add(entries.of[y], first_node(element, x, y), node_step, component, sum);
      } else {
        V out[D];
        contract<true, Mirror::same>(basis.values, sum, out);
        vectors.add(entries.of[y], first_node(element, x, y), node_step, component, out);
      }
    }
  }

  // Multiplies all columns of a plane by M, along y.
  template <bool Transposed, Mirror M, class Matrix, int In, int Out, int Columns>
  KOKKOS_FORCEINLINE_FUNCTION static void contract_columns(const Matrix& matrix,
                                                           const V (&from)[In][Columns],
                                                           V (&to)[Out][Columns]) {
    KOLAM_UNROLL
    for (int x = 0; x < Columns; ++x) {
      V in[In];
      V out[Out];
      KOLAM_UNROLL
      for (int y = 0; y < In; ++y) in[y] = from[y][x];
      contract<Transposed, M>(matrix, in, out);
      KOLAM_UNROLL
      for (int y = 0; y < Out; ++y) to[y][x] = out[y];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void load_plane(const T* from, V (&to)[D][D]) {
    KOLAM_UNROLL
    for (int y = 0; y < D; ++y) {
      KOLAM_UNROLL
      for (int x = 0; x < D; ++x) to[y][x] = from[x + D * y];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store_plane(T* to, const V (&from)[D][D]) {
    KOLAM_UNROLL
    for (int y = 0; y < D; ++y) {
      KOLAM_UNROLL
      for (int x = 0; x < D; ++x) to[x + D * y] = from[y][x];
    }
  }

  // Row width of a plane before and after the visit, [y][x]: nodes in x if no gradient needs
  // points.
  static constexpr int width = Collocated || any_gradients ? Q : D;

  KOKKOS_FORCEINLINE_FUNCTION void from_nodes(const T* from, V (&to)[Q][width]) const {
    if constexpr (Collocated) {
      load_plane(from, to);
    } else {
      V nodes[D][D];
      load_plane(from, nodes);
      if constexpr (any_gradients) {
        V rows[Q][D];
        contract_columns<false, Mirror::same>(basis.values, nodes, rows);
        KOLAM_UNROLL
        for (int y = 0; y < Q; ++y) contract<false, Mirror::same>(basis.values, rows[y], to[y]);
      } else {
        contract_columns<false, Mirror::same>(basis.values, nodes, to);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void to_nodes(const V (&from)[Q][width], T* to) const {
    if constexpr (Collocated) {
      store_plane(to, from);
    } else {
      V nodes[D][D];
      if constexpr (any_gradients) {
        V rows[Q][D];
        KOLAM_UNROLL
        for (int y = 0; y < Q; ++y) contract<true, Mirror::same>(basis.values, from[y], rows[y]);
        contract_columns<true, Mirror::same>(basis.values, rows, nodes);
      } else {
        contract_columns<true, Mirror::same>(basis.values, from, nodes);
      }
      store_plane(to, nodes);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void visit(Shared& shared, int e, int z, index_t element) const {
    T* const values = &shared.values[offset(e, 0, 0, z)];
    T* const fluxes = &shared.fluxes[any_gradients ? offset(e, 0, 0, z) : 0];
    V u[Q][width];
    V along_y[Q][any_gradients ? Q : 1];  // derivatives, then fluxes
    V along_z[Q][any_gradients && !Collocated ? Q : 1];
    if constexpr (any_in) from_nodes(values, u);
    if constexpr (in_gradients) {
      contract_columns<false, Mirror::opposite>(basis.gradients, u, along_y);
      if constexpr (!Collocated) from_nodes(fluxes, along_z);
    }
    KOLAM_UNROLL
    for (int y = 0; y < Q; ++y) {
      V value[Q];
      V gradient[3][Q];
      if constexpr (any_in) {
        if constexpr (width == Q) {
          KOLAM_UNROLL
          for (int x = 0; x < Q; ++x) value[x] = u[y][x];
        } else {
          contract<false, Mirror::same>(basis.values, u[y], value);
        }
      }
      if constexpr (in_gradients) {
        contract<false, Mirror::opposite>(basis.gradients, value, gradient[0]);
        KOLAM_UNROLL
        for (int x = 0; x < Q; ++x) {
          gradient[1][x] = along_y[y][x];
          if constexpr (Collocated) {
            gradient[2][x] = fluxes[x + D * y];
          } else {
            gradient[2][x] = along_z[y][x];
          }
        }
      }
      visit_row(element, y, z, value, gradient);
      if constexpr (out_gradients) {
        V part[Q];
        contract<true, Mirror::opposite>(basis.gradients, gradient[0], part);
        KOLAM_UNROLL
        for (int x = 0; x < Q; ++x) {
          u[y][x] = out_values ? value[x] + part[x] : part[x];
          along_y[y][x] = gradient[1][x];
          if constexpr (Collocated) {
            fluxes[x + D * y] = gradient[2][x];
          } else {
            along_z[y][x] = gradient[2][x];
          }
        }
      } else if constexpr (out_values && width == Q) {
        KOLAM_UNROLL
        for (int x = 0; x < Q; ++x) u[y][x] = value[x];
      } else if constexpr (out_values) {
        contract<true, Mirror::same>(basis.values, value, u[y]);
      }
    }
    if constexpr (out_gradients) {
      KOLAM_UNROLL
      for (int x = 0; x < Q; ++x) {
        V flux[Q];
        V part[Q];
        KOLAM_UNROLL
        for (int y = 0; y < Q; ++y) flux[y] = along_y[y][x];
        contract<true, Mirror::opposite>(basis.gradients, flux, part);
        KOLAM_UNROLL
        for (int y = 0; y < Q; ++y) u[y][x] += part[y];
      }
      if constexpr (!Collocated) to_nodes(along_z, fluxes);
    }
    if constexpr (any_out) to_nodes(u, values);
  }

  // Calls the function at the points of a row in turn.
  KOKKOS_FORCEINLINE_FUNCTION void visit_row(index_t element, int y, int z, V (&value)[Q],
                                             V (&gradient)[3][Q]) const {
    const int index[Dim] = {0, y, z};
    const auto& function_here = function_on_line<V>(function, element, index);
    KOLAM_UNROLL
    for (int i = 0; i < Q; ++i) {
      QuadraturePoint<V, Dim, 1, data_per_point> point;
      point.weight = weights[i] * weights[y] * weights[z];
      point.element = element;
      point.index[0] = i;
      point.index[1] = y;
      point.index[2] = z;
      KOLAM_UNROLL
      for (int k = 0; k < data_per_point; ++k) point.data[k] = *datum(element, y, z, i, k);
      point.value[0] = in_values ? value[i] : V(0);
      KOLAM_UNROLL
      for (int d = 0; d < Dim; ++d) point.gradient[0][d] = in_gradients ? gradient[d][i] : V(0);
      function_here(point);
      if constexpr (stores_data<F>()) {
        KOLAM_UNROLL
        for (int k = 0; k < data_per_point; ++k) *datum(element, y, z, i, k) = point.data[k];
      }
      value[i] = point.value[0];
      KOLAM_UNROLL
      for (int d = 0; d < Dim; ++d) gradient[d][i] = point.gradient[0][d];
    }
  }

  // Returns the address of number k of the data of point i of the line at (y, z).
  KOKKOS_FORCEINLINE_FUNCTION T* datum(index_t element, int y, int z, int i, int k) const {
    if constexpr (data_per_point == 0) {
      return nullptr;
    } else {
      constexpr int side_by_side = elements_of_block(Dim, Q);
      const int here = static_cast<int>(element % side_by_side);
      return function.data.values.data() +
             ElementLayout<T, Exec>::datum(element / side_by_side,
                                           here + side_by_side * (y + Q * z), i, k, Q,
                                           data_per_point, side_by_side * Q * Q);
    }
  }
};

}  // namespace kolam::detail
