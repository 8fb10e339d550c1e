// SPDX-License-Identifier: Apache-2.0
// One subdomain of a stencil solver: its fields, and the boxes that a step sweeps together.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/event.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/short_vector.hpp>
#include <kolam/grid/detail/user_values.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/kernels/stencil/field_layout.hpp>
#include <kolam/kernels/stencil/operands.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kolam::grid {

/// The global indices of a grid point, x first; the boundary is at -1 and at the extent.
template <int N>
using GridPoint = PerDimension<index_t, N>;

namespace detail {

template <class Exec>
inline constexpr bool is_gpu = has_block_threads<Exec> && !std::same_as<Exec, HostTeams>;

// Fills a field by rows of memory, one block each: on a host, a row is placed near the thread that
// sweeps it.
template <class T, class Exec, int N, class F>
struct FillField {
  using Shape = StaticShape<std::same_as<Exec, HostTeams> ? 1 : 256>;

  FieldLayout<N> layout;
  GridPoint<N> first;  // first own point
  GridPoint<N> extents;
  PerDimension<bool, N> periodic;
  Kokkos::View<T*, typename Exec::memory_space> field;
  F f;

  KOKKOS_FUNCTION void operator()(const kolam::Block<Exec, Shape>& block, index_t row) const {
    const index_t rows = layout.own[1] + 2 * layout.depth;
    GridPoint<N> local;  // indices from the first own point
    local[1] = row % rows - layout.depth;
    if constexpr (N == 3) local[2] = row / rows - layout.depth;
    const index_t start = row * layout.stride[1];
    const index_t lead = layout.origin % layout.stride[1];
    block.foreach_x(layout.stride[1], [&](index_t i) {
      local[0] = i - lead;
      field(start + i) = value(local);
    });
  }

  // Ghosts beyond the boundary, and padding, are zero.
  KOKKOS_FUNCTION T value(const GridPoint<N>& local) const {
    GridPoint<N> point;
    for (std::size_t d = 0; d < N; ++d) {
      point[d] = first[d] + local[d];
      if (local[d] < -layout.depth || local[d] >= layout.own[d] + layout.depth) return T(0);
      if (periodic[d]) point[d] = (point[d] % extents[d] + extents[d]) % extents[d];
      if (point[d] < -1 || point[d] > extents[d]) return T(0);
    }
    return static_cast<T>(f(point));
  }
};

// The operands of a step of any stencil: see StencilOperands.
template <class T, int N, class Exec>
struct StepOperands {
  using Space = typename Exec::memory_space;

  FieldLayout<N> layout = {};
  Kokkos::View<const T*, Space> u = {};
  Kokkos::View<T*, Space> new_u = {};
  std::vector<Kokkos::View<const T*, Space>> coefficients = {};
  T* low_ghosts = nullptr;
  T* high_ghosts = nullptr;
};

template <class T, int N, class Exec>
struct Subdomain {
  using Field = grid::Field<T, N>;

  Exec exec;   // instance of the boundary, halos and norms
  Exec inner;  // instance of the interior during halo exchanges
  Box<N> own;
  FieldLayout<N> layout;
  FixedSides<N> fixed{};
  Field u;
  Field new_u;
  std::vector<Field> coefficients;
  std::vector<Box<N>> boundary;  // the boxes that neighbours wait for
  std::vector<Box<N>> interior;
  std::vector<Box<N>> outer;  // the boxes swept on `exec`: the boundary, or all
  std::optional<int> before;  // the neighbours along the slowest dimension
  std::optional<int> after;

  Subdomain(const comm::Decomposition<N>& decomposition, int number, int depth,
            int coefficient_fields, const Exec& instance, const Exec& inner_instance)
      : exec(instance),
        inner(inner_instance),
        own(decomposition.own(number)),
        layout(field_layout<N>(extents_of(own), depth, sizeof(T))),
        u("u", layout),
        new_u("new_u", layout, number_of(1)) {
    for (int k = 0; k < coefficient_fields; ++k)
      coefficients.emplace_back("coefficient " + std::to_string(k), layout, number_of(2 + k));
    for (std::size_t d = 0; d < N; ++d) {
      fixed[d] = {!decomposition.neighbour(number, static_cast<int>(d), -1),
                  !decomposition.neighbour(number, static_cast<int>(d), 1)};
    }
    before = decomposition.neighbour(number, N - 1, -1);
    after = decomposition.neighbour(number, N - 1, 1);
    cut();
  }

  template <class F>
  void fill(const comm::Decomposition<N>& decomposition, Field& field, const F& f) const {
    using Fill = FillField<T, Exec, N, F>;
    Fill functor{layout, {}, {}, {}, field.write(exec), f};
    index_t rows = layout.own[1] + 2 * layout.depth;
    if constexpr (N == 3) rows *= layout.own[2] + 2 * layout.depth;
    for (std::size_t d = 0; d < N; ++d) {
      functor.first[d] = own[d].begin;
      functor.extents[d] = decomposition.extents()[d];
      functor.periodic[d] = decomposition.periodic(static_cast<int>(d));
    }
    forall(exec, "kolam::StencilSolver fill", rows, typename Fill::Shape{}, functor);
  }

  // Takes the intents of a step. Work on `inner` uses their Views too, between inner_follows_exec
  // and exec_follows_inner.
  void take(StepOperands<T, N, Exec>& operands) {
    operands.layout = layout;
    operands.u = read_set(u, exec, "initialise");
    operands.new_u = new_u.read_write(exec);
    operands.coefficients.resize(coefficients.size());
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      operands.coefficients[k] = read_set(coefficients[k], exec, "set_coefficient");
  }

  // Make later work on `exec` wait for the work launched so far on `inner`, and the reverse.
  void exec_follows_inner() { order(exec, inner, inner_done_); }
  void inner_follows_exec() { order(inner, exec, exec_done_); }
  // follow() makes later work on `exec` wait for the work that `other` had launched on its `exec`
  // at its last mark().
  void mark() { exec_done_.record(kokkos_instance(exec)); }
  void follow(const Subdomain& other) const {
    other.exec_done_.order_before(kokkos_instance(exec), "kolam::StencilSolver");
  }

 private:
  using Done = Event<KokkosInstance<Exec>>;

  static int number_of(int field) { return has_block_threads<Exec> ? 0 : field; }

  static void order(const Exec& later, const Exec& earlier, Done& done) {
    done.record(kokkos_instance(earlier));
    done.order_before(kokkos_instance(later), "kolam::StencilSolver");
  }

  // Cuts the points into the boundary, the layers that neighbours need, and the interior. Along x
  // the layers end between short vectors.
  void cut() {
    Box<N> rest = layout.all();
    constexpr index_t width = ShortVector<T>::size;
    for (std::size_t d = N; d-- > 0;) {
      const index_t low = d == 0 ? (layout.depth + width - 1) / width * width : layout.depth;
      const index_t high = layout.own[d] - layout.depth;
      const auto take = [&](index_t begin, index_t end) {
        Box<N> part = rest;
        part[d].begin = begin;
        part[d].end = end;
        if (!part.empty()) boundary.push_back(part);
      };
      if (!fixed[d][0]) {
        const index_t end = std::min(low, rest[d].end);
        take(rest[d].begin, end);
        rest[d].begin = end;
      }
      if (!fixed[d][1]) {
        const index_t begin =
            std::max(d == 0 ? std::max<index_t>(high, 0) / width * width : high, rest[d].begin);
        take(begin, rest[d].end);
        rest[d].end = begin;
      }
    }
    if (!rest.empty()) interior.push_back(rest);
  }

  Done inner_done_;
  Done exec_done_;
};

}  // namespace detail
}  // namespace kolam::grid
