// SPDX-License-Identifier: Apache-2.0
// Points of other subdomains next to a vector's, which has none itself.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/grid/detail/stencil_fields.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <kolam/kernels/stencil/boundary.hpp>
#include <kolam/linear/vector.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kolam::grid::detail {

// Own points of a vector, const T* or Combination<T>, into a field.
template <class T, int N, class X>
struct CopyToField {
  FieldLayout<N> layout;
  X x;
  T* field;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    field[kolam::detail::field_place<N>(layout, at)] =
        x[kolam::detail::vector_place<N>(layout.own, at)];
  }
};

// A field of ghosts for vectors of this process' subdomain; without other subdomains it takes no memory.
template <class T, int N, ExecutionSpace Exec>
class VectorGhosts {
 public:
  // grid: a Grid<N>. boundaries: of the subdomain. Throws as HaloExchange does.
  template <class Grid>
  VectorGhosts(const Exec& exec, const Grid& grid, const comm::Decomposition<N>& decomposition,
               const Boundaries<N>& boundaries, Ghosts which)
      : exec_(exec),
        layout_(without_padding(field_layout<N>(
            extents_of(decomposition.own(grid.communicator.rank())), 1, sizeof(T)))),
        boundaries_(boundaries) {
    if (decomposition.subdomains() == 1) return;
    halo_.emplace(std::vector<Exec>{exec}, decomposition, 1, which, grid.communicator,
                  grid.transport, grid.gpu_aware);
    field_.emplace(exec, "ghosts of a grid's vectors", layout_.size);
  }

  const FieldLayout<N>& layout() const { return layout_; }
  bool has_neighbours() const { return halo_.has_value(); }
  std::string transport() const { return halo_ ? halo_->transport() : "none needed"; }
  // Of the field with ghosts, [layout().size]; none without neighbours.
  T* data() const { return field_ ? field_->data() : nullptr; }

  // Sends the points of x that neighbours want.
  template <class X>
  void start(const X& x) {
    halo_->release();
    const CopyToField<T, N, X> copy{layout_, x, field_->data()};
    for (std::size_t d = 0; d < N; ++d) {
      for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
        if (boundaries_[d][end] != Boundary::neighbour) continue;
        Box<N> layer = layout_.all();
        if (end == 0) {
          layer[d].end = 1;
        } else {
          layer[d].begin = layer[d].end - 1;
        }
        for_each(exec_, "kolam::grid: points for neighbours", layer, copy);
      }
    }
    start_halo(*field_);
  }
  // Work launched afterwards finds them.
  void finish() { halo_->finish(); }

  // x into another field of this layout, with its ghosts.
  void copy(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& field) {
    if (halo_) halo_->release();
    for_each(exec_, "kolam::grid: vector to field", layout_.all(),
             CopyToField<T, N, const T*>{layout_, x.data(), field.data()});
    if (!halo_) return;
    start_halo(field);
    finish();
  }

 private:
  void start_halo(const linear::Vector<T, Exec>& field) {
    halo_->template start<T>(
        typename HaloExchange<N, Exec>::template Fields<T>{with_ghosts<N>(layout_, field)});
  }

  Exec exec_;
  FieldLayout<N> layout_;
  Boundaries<N> boundaries_;
  std::optional<HaloExchange<N, Exec>> halo_;
  std::optional<linear::detail::WorkVector<T, Exec>> field_;
};

}  // namespace kolam::grid::detail
