// SPDX-License-Identifier: Apache-2.0
// The functions of StencilSolver that copy values to the host and back.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/grid/stencil_solver.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace kolam::grid {

template <class S, class T, ExecutionSpace Exec>
auto StencilSolver<S, T, Exec>::host_copy(const Subdomain& d) -> HostView {
  HostView copy = kolam::detail::allocate_view<HostView>(Kokkos::DefaultHostExecutionSpace(),
                                                         "kolam::stencil host copy", d.layout.size);
  Kokkos::deep_copy(copy, d.u.read(d.exec));  // (the array keeps no second copy on the host)
  return copy;
}

template <class S, class T, ExecutionSpace Exec>
comm::FieldBlock<T, 3> StencilSolver<S, T, Exec>::block_of(const Subdomain& d,
                                                           const T* memory) const {
  const index_t row = d.layout.stride[1];
  const index_t layer =
      dims == 3 ? d.layout.stride[dims - 1] : row * (d.layout.own[1] + 2 * d.layout.depth);
  return {comm::spatial(d.own), memory + d.layout.origin, {row, layer}};
}

template <class S, class T, ExecutionSpace Exec>
HostField<T> StencilSolver<S, T, Exec>::on_host(Values values) const {
  HostField<T> result{extents(), {}, {}};
  auto copies = std::make_shared<std::vector<HostView>>();
  for (const Subdomain& d : subdomains_) {
    if (values == Values::borrowed) d.u.sync(kolam::host);
    const T* const memory = values == Values::borrowed ? d.u.read(kolam::host).data()
                                                       : copies->emplace_back(host_copy(d)).data();
    result.blocks.push_back(block_of(d, memory));
  }
  result.memory = std::move(copies);
  return result;
}

template <class S, class T, ExecutionSpace Exec>
void StencilSolver<S, T, Exec>::load(const Read& read) {
  comm::throw_together(communicator(), [&] {
    for (Subdomain& d : subdomains_) {
      d.u.sync(kolam::host);
      T* const memory = d.u.read_write(kolam::host).data();
      const comm::FieldBlock<T, 3> block = block_of(d, memory);
      read(block.box, memory + d.layout.origin, block.pitches);
    }
  });
  typename Halo::template Fields<T> fields;
  for (Subdomain& d : subdomains_) {
    d.u.sync(d.exec);
    fields.push_back(with_ghosts<dims>(d.layout, d.u.read_write(d.exec)));
  }
  if (halo_)
    halo_->template exchange<T>(fields);
  else if (direct_)
    make_halo().template exchange<T>(fields);
  fence("kolam::StencilSolver::load");
}

template <class S, class T, ExecutionSpace Exec>
template <class F>
HostField<T> StencilSolver<S, T, Exec>::with_boundary(const F& boundary) const {
  HostField<T> result{extents(), {}, {}};
  for (std::size_t k = 0; k < dims; ++k) result.extents[k] += 2;
  auto copies = std::make_shared<std::vector<HostView>>();
  for (const Subdomain& d : subdomains_) {
    T* const first = copies->emplace_back(host_copy(d)).data() + d.layout.origin;
    comm::FieldBlock<T, 3> block = block_of(d, copies->back().data());
    // Indices from the first own point.
    const Box<3> inside = comm::spatial(d.own);
    std::array<index_t, 3> from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
      const bool grows = k < dims;
      from[k] = grows && inside[k].begin == 0 ? -1 : 0;
      to[k] = inside[k].end - inside[k].begin +
              (grows && inside[k].end == result.extents[k] - 2 ? 1 : 0);
      const index_t shift = grows ? inside[k].begin + 1 : 0;
      block.box[k] = {from[k] + shift, to[k] + shift};
    }
    const auto place = [&](index_t x, index_t y, index_t z) {
      return first + x + block.pitches[0] * y + block.pitches[1] * z;
    };
    const auto outside = [&](std::size_t k, index_t i) {
      return k < dims && !decomposition_.periodic(static_cast<int>(k)) &&
             (inside[k].begin + i < 0 || inside[k].begin + i >= result.extents[k] - 2);
    };
    for (index_t z = from[2]; z < to[2]; ++z) {
      for (index_t y = from[1]; y < to[1]; ++y) {
        const bool whole = outside(1, y) || outside(2, z);
        for (index_t x = from[0]; x < to[0];) {
          if (whole || outside(0, x)) {
            GridPoint<dims> point{inside[0].begin + x, inside[1].begin + y};
            if constexpr (dims == 3) point[2] = inside[2].begin + z;
            *place(x, y, z) = static_cast<T>(boundary(point));
          }
          // Unless the whole row is outside, go on with its other end.
          x = whole || x + 2 >= to[0] ? x + 1 : std::max(x + 1, to[0] - 1);
        }
      }
    }
    block.data = place(from[0], from[1], from[2]);
    result.blocks.push_back(block);
  }
  result.memory = std::move(copies);
  return result;
}

}  // namespace kolam::grid
