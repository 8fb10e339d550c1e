// SPDX-License-Identifier: Apache-2.0
// The ghosts of vectors, which have none themselves: points of neighbouring subdomains.
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
#include <utility>
#include <vector>

namespace kolam::grid::detail {

// Copies the own points of a vector, const T* or Combination<T>, into fields one after the other.
template <class T, int N, class X>
struct CopyToFields {
  FieldLayout<N> layout;
  int count;
  index_t points;  // of the subdomain
  X x;
  T* fields;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    const PerDimension<index_t, N> at{index...};
    const index_t to = kolam::detail::field_place<N>(layout, at);
    const index_t from = kolam::detail::vector_place<N>(layout.own, at);
    for (int f = 0; f < count; ++f) fields[f * layout.size + to] = x[f * points + from];
  }
};

// The ghost fields of vectors of this process' subdomain; without other subdomains they take no
// memory.
template <class T, int N, ExecutionSpace Exec, int Fields = 1>
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
    fields_.emplace(exec, "ghosts of a grid's vectors", Fields * layout_.size);
  }

  const FieldLayout<N>& layout() const { return layout_; }
  bool has_neighbours() const { return halo_.has_value(); }
  std::string transport() const { return halo_ ? halo_->transport() : "none needed"; }
  // Returns the fields with ghosts, [Fields layout().size]; null without neighbours.
  T* data() const { return fields_ ? fields_->data() : nullptr; }

  // Sends the points of x that neighbours need.
  template <class X>
  void start(const X& x) {
    halo_->release();
    const CopyToFields<T, N, X> copy{layout_, Fields, layout_.points(), x, fields_->data()};
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
    start_halo(fields_->data(), std::make_index_sequence<Fields>{});
  }
  // Work launched afterwards finds the ghosts filled.
  void finish() { halo_->finish(); }

  // Copies x, of one field, into another field of this layout, and fills its ghosts.
  void copy(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& field) {
    if (halo_) halo_->release();
    for_each(exec_, "kolam::grid: vector to field", layout_.all(),
             CopyToFields<T, N, const T*>{layout_, 1, 0, x.data(), field.data()});
    if (!halo_) return;
    start_halo(field.data(), std::make_index_sequence<1>{});
    finish();
  }

 private:
  template <std::size_t... Field>
  void start_halo(T* first, std::index_sequence<Field...>) {
    const auto field = [&](std::size_t number) {
      return linear::Vector<T, Exec>(first + static_cast<index_t>(number) * layout_.size,
                                     static_cast<std::size_t>(layout_.size));
    };
    halo_->template start<T>(typename HaloExchange<N, Exec>::template Fields<T>{
        with_ghosts<N>(layout_, field(Field))}...);
  }

  Exec exec_;
  FieldLayout<N> layout_;
  Boundaries<N> boundaries_;
  std::optional<HaloExchange<N, Exec>> halo_;
  std::optional<linear::detail::WorkVector<T, Exec>> fields_;
};

}  // namespace kolam::grid::detail
