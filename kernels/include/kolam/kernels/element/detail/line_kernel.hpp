// SPDX-License-Identifier: Apache-2.0
// The work of a block on its elements: gather, contract, visit the points, contract back, scatter.
//
// A thread owns lines of an element, one direction at a time: it reads a line from the block's
// scratch, multiplies it by a matrix in registers, and writes it back in its place. So the matrix
// is the same for all threads (on devices it comes from constant memory with the multiplication),
// and a value passes through scratch twice per direction, not once per multiplication. The first
// and last lines run along the slowest direction, because their neighbours lie side by side in
// memory. On hosts the same lines hold an element per lane.
//
// Neighbouring threads take the same line of neighbouring elements. The number of elements is a
// power of two, their arrays lie an odd multiple of (banks / elements) apart, and rows and planes
// have odd length. So threads use different banks of the scratch in every direction; these kernels
// are bound by the number of rows of banks that they request.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/simd.hpp>
#include <kolam/kernels/element/detail/even_odd.hpp>
#include <kolam/kernels/element/detail/slabs.hpp>
#include <kolam/kernels/element/detail/tuning.hpp>
#include <kolam/kernels/element/detail/vectors.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/kernels/element/quadrature_point.hpp>

namespace kolam::detail {

template <class T, class Exec, int Dim, int D, int Q, bool Collocated, VectorForm How, class F>
struct ElementKernel {
  static_assert(D <= Q, "take at least as many points as nodes");
  static constexpr int components = F::components;         // of one component loop
  static constexpr int loops = component_loop_count<F>();  // if several, a component each
  static constexpr bool in_values = has_values(F::reads);
  static constexpr bool in_gradients = has_gradients(F::reads);
  static constexpr bool out_values = has_values(F::writes);
  static constexpr bool out_gradients = has_gradients(F::writes);
  static constexpr bool any_gradients = in_gradients || out_gradients;
  static constexpr bool any_out = out_values || out_gradients;
  static constexpr int data_per_point = data_count<F>();
  static constexpr int points = Q;  // in each direction
  static constexpr int last = Dim - 1;
  static constexpr int lanes = simd_width<Exec, T>;
  static constexpr bool on_device = has_block_threads<Exec>;
  using V = SimdValue<Exec, T>;
  using Vectors = ElementVectors<T, Exec, How>;
  static constexpr int side_by_side = on_device ? elements_of_block(Dim, Q) : 1;  // in the data
  static constexpr int elements = on_device ? elements_with_room<T, Exec, Dim, Q, Collocated, F>()
                                            : 1;  // a power of two, as well
  using Tuning = ElementTuning<T, Dim, Q, elements, Collocated, F>;
  // (Threads along y: full warps along x would use Kokkos' vector level, which costs registers.)
  using Shape = StaticShape<1, block_threads<Exec, elements * Tuning::lines>>;
  using Block = kolam::Block<Exec, Shape>;

  static constexpr int row = on_device ? Tuning::row : Q;
  static constexpr int plane = on_device ? Tuning::plane : Q * Q;
  static constexpr int volume = on_device ? Tuning::volume : power(Q, Dim);
  static constexpr bool slabs = takes_slabs<T, Exec, Dim, Q, Collocated, F>();
  static constexpr int buffers = slabs ? 2 : any_gradients ? Dim : 1;
  // Returns the buffer of derivatives and fluxes along a direction.
  KOKKOS_FUNCTION static constexpr int buffer(int direction) {
    return slabs && direction == last ? 1 : direction;
  }
  using Slab =
      std::conditional_t<slabs,
                         SlabScratch<T, components, (out_gradients ? 2 : 0) + (out_values ? 1 : 0),
                                     elements, plane, Q>,
                         NoSlabScratch>;
  struct Shared : Slab {
    T values[components][buffers][elements][volume * lanes];
  };

  // The current work of a block's threads.
  struct Work {
    const Block& block;
    Shared& shared;
    index_t number;           // of the block
    int here;                 // elements of the block
    int component;            // first component of this loop, in the field
    mutable const T* asking;  // see ask
  };

  LineBasis<T, D, Q, Collocated> basis;
  T weights[Q];  // of the quadrature in one direction
  F function;
  Vectors vectors;
  index_t count;  // elements on devices, batches of elements on hosts

  // Hosts read data batch by batch, and memory is idle while they contract lines. So each line
  // prefetches some of the next batch's data, if they come from memory and fit into the second
  // cache. (From the last-level cache they arrive in time; prefetching takes up to a fifth.)
  static constexpr int data_of_batch = power(Q, Dim) * data_per_point * lanes;
  static constexpr bool asks = !on_device && data_per_point > 0 &&
                               data_of_batch * sizeof(T) <= 96 * 1024;
  bool from_memory = false;
  KOKKOS_FORCEINLINE_FUNCTION static void ask([[maybe_unused]] const Work& work) {
    if constexpr (asks) {
      constexpr int cache_line = 64 / static_cast<int>(sizeof(T));
      constexpr int lines_of_batch = power(Q, Dim - 1) * (any_gradients && !Collocated ? 8 : 4);
      [[maybe_unused]] constexpr int share =
          (data_of_batch / cache_line + lines_of_batch - 1) / lines_of_batch;
      KOKKOS_IF_ON_HOST((if (work.asking != nullptr) {
        for (int i = 0; i < share; ++i) __builtin_prefetch(work.asking + i * cache_line, 0, 2);
        work.asking += share * cache_line;
      }))
    }
  }

  KOKKOS_FUNCTION static constexpr int step(int direction) {
    return (direction == 0 ? 1 : direction == 1 ? row : plane) * lanes;
  }

  // Calls body(element, a, b, offset) for each line along Direction; a and b count the other
  // directions, up to A and B. A thread of a device has the same position in every direction.
  template <int Direction, int A, int B, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void lines(const Work& work, const Body& body) {
    constexpr int a_extent = on_device ? Q : A;
    constexpr int b_extent = Dim == 3 ? (on_device ? Q : B) : 1;
    work.block.foreach_y(elements * a_extent * b_extent, [&](int t) {
      const int e = t % elements;
      const int a = t / elements % a_extent;
      const int b = t / (elements * a_extent);
      constexpr int a_step = step(Direction == 0 ? 1 : 0);
      constexpr int b_step = Dim == 3 ? step(Direction == 2 ? 1 : 2) : 0;
      // (Without this condition the compiler would keep much more in registers.)
      if (e < work.here && a < A && (Dim == 2 || b < B)) body(e, a, b, a * a_step + b * b_step);
      ask(work);
    });
  }

  template <int Direction, int N>
  KOKKOS_FORCEINLINE_FUNCTION static void load(const T* line, V (&to)[N]) {
    KOLAM_UNROLL
    for (int i = 0; i < N; ++i) to[i] = load_simd<V>(line + i * step(Direction));
  }
  template <int Direction, int N>
  KOKKOS_FORCEINLINE_FUNCTION static void store(T* line, const V (&from)[N]) {
    KOLAM_UNROLL
    for (int i = 0; i < N; ++i) store_simd(line + i * step(Direction), from[i]);
  }

  // The offset of the first node of a line along the slowest direction, and the step between nodes.
  static constexpr int together = on_device ? elements_of_group(Dim, D) : 1;
  static constexpr int node_step = together * power(D, Dim - 1) * lanes;
  KOKKOS_FORCEINLINE_FUNCTION static index_t first_node(index_t number, int e, int a, int b) {
    const index_t batch = e + elements * number;
    return lanes * (batch % together + together * (a + D * b)) + batch / together * (D * node_step);
  }

  template <int Direction, int A, int B>
  KOKKOS_FORCEINLINE_FUNCTION void to_points(const Work& work) const {
    lines<Direction, A, B>(work, [&](int e, int, int, int offset) {
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        T* const line = work.shared.values[c][0][e] + offset;
        V in[D];
        V out[Q];
        load<Direction>(line, in);
        contract<false, Mirror::same>(basis.values, in, out);
        store<Direction>(line, out);
      }
    });
    work.block.sync();
  }

  // Contracts to nodes along Direction, after adding the derivatives in that direction.
  template <int Direction, int A, int B, bool WithDerivative, bool ToNodes>
  KOKKOS_FORCEINLINE_FUNCTION void back(const Work& work) const {
    lines<Direction, A, B>(work, [&](int e, int, int, int offset) {
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        T* const line = work.shared.values[c][0][e] + offset;
        V sum[Q];
        load<Direction>(line, sum);
        if constexpr (WithDerivative) add_derivative<Direction>(work, e, c, offset, sum);
        if constexpr (ToNodes) {
          V out[D];
          contract<true, Mirror::same>(basis.values, sum, out);
          store<Direction>(line, out);
        } else {
          store<Direction>(line, sum);
        }
      }
    });
    work.block.sync();
  }

  template <int Direction>
  KOKKOS_FORCEINLINE_FUNCTION void add_derivative(const Work& work, int e, int c, int offset,
                                                  V (&sum)[Q]) const {
    V flux[Q];
    load<Direction>(work.shared.values[c][buffer(Direction)][e] + offset, flux);
    contract_onto<true, Mirror::opposite>(basis.gradients, flux, sum);
  }

  // Returns the address of number k of the data of point i of line t of a block.
  KOKKOS_FORCEINLINE_FUNCTION T* datum(index_t number, int t, int i, int k) const {
    if constexpr (data_per_point == 0) {
      return nullptr;
    } else {
      using Layout = ElementLayout<T, Exec>;
      constexpr int blocks = side_by_side / elements;  // blocks whose data lie together
      constexpr int all_lines = side_by_side * Tuning::lines;
      if constexpr (blocks > 1) {
        const int here = t % elements + elements * static_cast<int>(number % blocks);
        number /= blocks;
        t = here + side_by_side * (t / elements);
      }
      return function.data.values.data() +
             lanes * Layout::datum(number, t, i, k, Q, data_per_point, all_lines);
    }
  }

  // (Only if a thread has one line, and the same one for this load as for the visit.)
  static constexpr int early_points =
      on_device && !slabs && data_per_point > 0 && Shape::y == elements* Tuning::lines
          ? Tuning::early
          : 0;
  struct Early {
    V data[early_points > 0 ? early_points : 1][data_per_point > 0 ? data_per_point : 1];
  };

  KOKKOS_FUNCTION void operator()(const Block& block, Shared& shared, index_t number) const {
    Early early;
    if constexpr (early_points > 0) {
      block.foreach_y(elements * Tuning::lines, [&](int t) {
        KOLAM_UNROLL
        for (int i = 0; i < early_points; ++i) {
          KOLAM_UNROLL
          for (int k = 0; k < data_per_point; ++k) early.data[i][k] = *datum(number, t, i, k);
        }
      });
    }
    const auto here = static_cast<int>(Kokkos::min<index_t>(elements, count - number * elements));
    const T* const asking = asks && from_memory ? datum(number + 1, 0, 0, 0) : nullptr;
    // (No barrier is needed between components: each thread rewrites only the lines that it read.)
    for (int component = 0; component < loops; ++component) {
      const Work work{block, shared, number, here, component, asking};
      if constexpr (slabs) fill_slab_matrix(*this, work);
      if constexpr (in_values || in_gradients) read(work);
      if constexpr (slabs) {
        if constexpr (!in_values && !in_gradients) block.sync();
        visit_slabs(*this, work);
      } else {
        visit(work, early);
      }
      if constexpr (any_out) write(work);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void read(const Work& work) const {
    lines<last, D, D>(work, [&](int e, int a, int b, int offset) {
      const index_t node = first_node(work.number, e, a, b);
      const auto entries = Vectors::template entries<D>(vectors.from, node, node_step);
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        V in[D];
        V out[Q];
        vectors.read(entries, node, node_step, work.component + c, in);
        T* const line = work.shared.values[c][0][e] + offset;
        if constexpr (Collocated) {
          store<last>(line, in);
          if constexpr (in_gradients) {
            contract<false, Mirror::opposite>(basis.gradients, in, out);
            store<last>(work.shared.values[c][buffer(last)][e] + offset, out);
          }
        } else {
          contract<false, Mirror::same>(basis.values, in, out);
          store<last>(line, out);
        }
      }
    });
    work.block.sync();
    if constexpr (!Collocated) {
      if constexpr (Dim == 3) to_points<1, D, Q>(work);
      if constexpr (any_gradients) to_points<0, Q, Q>(work);
    }
    if constexpr (in_gradients) {
      if constexpr (Dim == 3 && !slabs) derive<1>(work);
      if constexpr (!Collocated) derive<last>(work);
      if constexpr ((Dim == 3 && !slabs) || !Collocated) work.block.sync();
    }
  }

  template <int Direction>
  KOKKOS_FORCEINLINE_FUNCTION void derive(const Work& work) const {
    lines<Direction, Q, Q>(work, [&](int e, int, int, int offset) {
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        V in[Q];
        V out[Q];
        load<Direction>(work.shared.values[c][0][e] + offset, in);
        contract<false, Mirror::opposite>(basis.gradients, in, out);
        store<Direction>(work.shared.values[c][buffer(Direction)][e] + offset, out);
      }
    });
  }

  // Calls the function at the points of each line along x in turn.
  KOKKOS_FORCEINLINE_FUNCTION void visit(const Work& work, const Early& early) const {
    constexpr bool from_nodes = !Collocated && !any_gradients;
    lines<0, Q, Q>(work, [&](int e, int a, int b, int offset) {
      V u[components][Q];
      V derivative[components][Q];
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        const T* const line = work.shared.values[c][0][e] + offset;
        if constexpr (in_values || in_gradients) {
          if constexpr (from_nodes) {
            V in[D];
            load<0>(line, in);
            contract<false, Mirror::same>(basis.values, in, u[c]);
          } else {
            load<0>(line, u[c]);
          }
        }
        if constexpr (in_gradients)
          contract<false, Mirror::opposite>(basis.gradients, u[c], derivative[c]);
      }
      const int t = e + elements * (a + Q * b);
      const index_t element = lanes * (e + elements * work.number);
      int index[Dim];
      index[0] = 0;
      index[1] = a;
      index[Dim - 1] = Dim == 3 ? b : a;
      const auto& function_here = function_on_line<V>(function, element, index);
      KOLAM_UNROLL
      for (int i = 0; i < Q; ++i) {
        QuadraturePoint<V, Dim, components, data_per_point> point;
        point.weight = V(weights[i] * weights[a] * (Dim == 3 ? weights[b] : T(1)));
        point.element = element;
        point.index[0] = i;
        KOLAM_UNROLL
        for (int d = 1; d < Dim; ++d) point.index[d] = index[d];
        KOLAM_UNROLL
        for (int k = 0; k < data_per_point; ++k) {
          if (i < early_points) {
            point.data[k] = early.data[i < early_points ? i : 0][k];
          } else {
            point.data[k] = load_simd<V>(datum(work.number, t, i, k));
          }
        }
        KOLAM_UNROLL
        for (int c = 0; c < components; ++c) {
          point.value[c] = in_values ? u[c][i] : V(0);
          if constexpr (in_gradients) {
            point.gradient[c][0] = derivative[c][i];
            KOLAM_UNROLL
            for (int d = 1; d < Dim; ++d)
              point.gradient[c][d] =
                  load_simd<V>(work.shared.values[c][d][e] + offset + i * step(0));
          } else {
            KOLAM_UNROLL
            for (int d = 0; d < Dim; ++d) point.gradient[c][d] = V(0);
          }
        }
        function_here(point);
        if constexpr (stores_data<F>()) {
          KOLAM_UNROLL
          for (int k = 0; k < data_per_point; ++k)
            store_simd(datum(work.number, t, i, k), point.data[k]);
        }
        KOLAM_UNROLL
        for (int c = 0; c < components; ++c) {
          u[c][i] = out_values ? point.value[c] : V(0);
          if constexpr (out_gradients) {
            derivative[c][i] = point.gradient[c][0];
            KOLAM_UNROLL
            for (int d = 1; d < Dim; ++d)
              store_simd(work.shared.values[c][d][e] + offset + i * step(0), point.gradient[c][d]);
          }
        }
      }
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        T* const line = work.shared.values[c][0][e] + offset;
        if constexpr (out_gradients) {
          V part[Q];
          contract<true, Mirror::opposite>(basis.gradients, derivative[c], part);
          KOLAM_UNROLL
          for (int i = 0; i < Q; ++i) u[c][i] = out_values ? u[c][i] + part[i] : part[i];
        }
        if constexpr (from_nodes && any_out) {
          V out[D];
          contract<true, Mirror::same>(basis.values, u[c], out);
          store<0>(line, out);
        } else if constexpr (any_out) {
          store<0>(line, u[c]);
        }
      }
    });
    work.block.sync();
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Work& work) const {
    if constexpr (Collocated) {
      if constexpr (Dim == 3 && out_gradients && !slabs) back<1, Q, Q, true, false>(work);
    } else if constexpr (any_gradients) {
      if constexpr (out_gradients) back<last, Q, Q, true, false>(work);
      if constexpr (Dim == 3) back<1, Q, Q, out_gradients && !slabs, true>(work);
      back<0, Dim == 3 ? D : Q, Q, false, true>(work);
    } else {
      if constexpr (Dim == 3) back<1, D, Q, false, true>(work);
    }
    lines<last, D, D>(work, [&](int e, int a, int b, int offset) {
      const index_t node = first_node(work.number, e, a, b);
      const auto entries = Vectors::template entries<D>(vectors.to, node, node_step);
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        V sum[Q];
        load<last>(work.shared.values[c][0][e] + offset, sum);
        if constexpr (Collocated) {
          if constexpr (out_gradients) add_derivative<last>(work, e, c, offset, sum);
          vectors.add(entries, node, node_step, work.component + c, sum);
        } else {
          V out[D];
          contract<true, Mirror::same>(basis.values, sum, out);
          vectors.add(entries, node, node_step, work.component + c, out);
        }
      }
    });
  }
};

// Fills the matrices and weights of a kernel for elements of Size.
template <class Size, class Kernel>
void fill_line_basis(const ElementBasis& basis, Kernel& kernel) {
  using T = std::remove_extent_t<decltype(kernel.weights)>;
  for (int q = 0; q < Size::q1d; ++q)
    kernel.weights[q] = static_cast<T>(basis.quadrature.weights[static_cast<std::size_t>(q)]);
  kernel.basis.gradients = EvenOdd<T, Size::q1d, Size::q1d>(
      [&](int r, int c) { return basis.gradients.gradient(r, c); });
  if constexpr (!Size::collocated) {
    kernel.basis.values =
        EvenOdd<T, Size::q1d, Size::d1d>([&](int r, int c) { return basis.values.value(r, c); });
  }
}

}  // namespace kolam::detail
