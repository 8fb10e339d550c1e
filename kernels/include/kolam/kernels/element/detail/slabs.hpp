// SPDX-License-Identifier: Apache-2.0
// Visits the points of an element of a vector field slab by slab along the slowest direction, for
// blocks without room for the derivatives of all components in every direction (three
// components of order 7: 53 KB of 48).
//
// Derivatives along the slab's normal are read from scratch, and fluxes along it are stored there.
// Derivatives within the slab are computed point by point from the values, one thread per point,
// and only the fluxes of one slab are kept. So each component needs two arrays instead of three, at
// the price of products with whole matrices.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/kernels/element/detail/even_odd.hpp>
#include <kolam/kernels/element/detail/tuning.hpp>
#include <kolam/kernels/element/quadrature_point.hpp>

namespace kolam::detail {

// Scratch of a block for a slab: fluxes along x and y, results for values, and the derivatives'
// matrix, whose rows differ from thread to thread.
template <class T, int Components, int Arrays, int Elements, int Plane, int Q>
struct SlabScratch {
  T fluxes[Components][Arrays][Elements][Plane];
  T gradients[Q * Q];
};
struct NoSlabScratch {};

// Copies the derivatives' matrix of a kernel into its block's scratch.
template <class Kernel>
KOKKOS_FORCEINLINE_FUNCTION void fill_slab_matrix(const Kernel& kernel,
                                                  const typename Kernel::Work& work) {
  constexpr int q = Kernel::points;
  work.block.foreach_y(q * q, [&](int n) {
    work.shared.gradients[n] = entry<Mirror::opposite>(kernel.basis.gradients, n / q, n % q);
  });
}

// Does the work of ElementKernel::visit. Before the call, each component has values in buffer 0 and
// derivatives along z in buffer 1. After it, buffer 0 has the sum of the terms tested with values
// and with derivatives along x and y, buffer 1 the fluxes along z.
template <class Kernel>
KOKKOS_FORCEINLINE_FUNCTION void visit_slabs(const Kernel& kernel,
                                             const typename Kernel::Work& work) {
  constexpr int q = Kernel::points;
  constexpr int components = Kernel::components;
  constexpr int elements = Kernel::elements;
  constexpr int row = Kernel::row;
  constexpr int plane = Kernel::plane;
  using F = decltype(Kernel::function);
  using V = typename Kernel::V;
  auto& values = work.shared.values;
  auto& fluxes = work.shared.fluxes;
  const auto& gradients = work.shared.gradients;
  // (Data of neighbours along y lie side by side in memory.)
  const auto each_point = [&](const auto& body) {
    work.block.foreach_y(elements * q * q, [&](int t) {
      const int e = t % elements;
      if (e < work.here) body(e, t / (elements * q), t / elements % q);
    });
  };
  for (int z = 0; z < q; ++z) {
    each_point([&](int e, int x, int y) {
      const int in_plane = x + row * y;
      const int here = in_plane + plane * z;
      QuadraturePoint<V, 3, components, Kernel::data_per_point> point;
      point.weight = kernel.weights[x] * kernel.weights[y] * kernel.weights[z];
      point.element = e + elements * work.number;
      point.index[0] = x;
      point.index[1] = y;
      point.index[2] = z;
      const int t = e + elements * (y + q * z);
      KOLAM_UNROLL
      for (int k = 0; k < Kernel::data_per_point; ++k)
        point.data[k] = *kernel.datum(work.number, t, x, k);
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        const V* const u = values[c][0][e];
        point.value[c] = Kernel::in_values ? u[here] : V(0);
        V along_x = 0;
        V along_y = 0;
        if constexpr (Kernel::in_gradients) {
          KOLAM_UNROLL
          for (int j = 0; j < q; ++j) {
            along_x += gradients[x * q + j] * u[j + row * y + plane * z];
            along_y += gradients[y * q + j] * u[x + row * j + plane * z];
          }
        }
        point.gradient[c][0] = along_x;
        point.gradient[c][1] = along_y;
        point.gradient[c][2] = Kernel::in_gradients ? values[c][1][e][here] : V(0);
      }
      const int of_line[3] = {0, y, z};
      function_on_line<V>(kernel.function, point.element, of_line)(point);
      if constexpr (stores_data<F>()) {
        KOLAM_UNROLL
        for (int k = 0; k < Kernel::data_per_point; ++k)
          *kernel.datum(work.number, t, x, k) = point.data[k];
      }
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        if constexpr (Kernel::out_gradients) {
          fluxes[c][0][e][in_plane] = point.gradient[c][0];
          fluxes[c][1][e][in_plane] = point.gradient[c][1];
          values[c][1][e][here] = point.gradient[c][2];
        }
        if constexpr (Kernel::out_values)
          fluxes[c][Kernel::out_gradients ? 2 : 0][e][in_plane] = point.value[c];
      }
    });
    work.block.sync();
    each_point([&](int e, int x, int y) {
      KOLAM_UNROLL
      for (int c = 0; c < components; ++c) {
        V sum = 0;
        if constexpr (Kernel::out_values)
          sum = fluxes[c][Kernel::out_gradients ? 2 : 0][e][x + row * y];
        if constexpr (Kernel::out_gradients) {
          KOLAM_UNROLL
          for (int j = 0; j < q; ++j) {
            sum += gradients[j * q + x] * fluxes[c][0][e][j + row * y];
            sum += gradients[j * q + y] * fluxes[c][1][e][x + row * j];
          }
        }
        values[c][0][e][x + row * y + plane * z] = sum;
      }
    });
    work.block.sync();
  }
}

}  // namespace kolam::detail
