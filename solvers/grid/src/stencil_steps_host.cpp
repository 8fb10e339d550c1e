// SPDX-License-Identifier: Apache-2.0
// The functions of stencil solvers that copy values to the host and back.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/grid/detail/stencil_steps.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace kolam::grid::detail {

namespace {

template <class T, int N, class Exec>
auto host_copy(const Subdomain<T, N, Exec>& d) {
  using HostView = Kokkos::View<T*, Kokkos::HostSpace>;
  HostView copy = kolam::detail::allocate_view<HostView>(Kokkos::DefaultHostExecutionSpace(),
                                                         "kolam::stencil host copy", d.layout.size);
  Kokkos::deep_copy(copy, d.u.read(d.exec));  // (the array keeps no second copy on the host)
  return copy;
}

template <class T, int N, class Exec>
comm::FieldBlock<T, 3> block_of(const Subdomain<T, N, Exec>& d, const T* memory) {
  const index_t row = d.layout.stride[1];
  const index_t layer =
      N == 3 ? d.layout.stride[N - 1] : row * (d.layout.own[1] + 2 * d.layout.depth);
  return {comm::spatial(d.own), memory + d.layout.origin, {row, layer}};
}

}  // namespace

template <class T, int N, ExecutionSpace Exec>
HostField<T> StencilSteps<T, N, Exec>::on_host(Values values) const {
  HostField<T> result{extents(), {}, {}};
  auto copies = std::make_shared<std::vector<Kokkos::View<T*, Kokkos::HostSpace>>>();
  for (const auto& d : subdomains_) {
    if (values == Values::borrowed) d.u.sync(kolam::host);
    const T* const memory = values == Values::borrowed ? d.u.read(kolam::host).data()
                                                       : copies->emplace_back(host_copy(d)).data();
    result.blocks.push_back(block_of(d, memory));
  }
  result.memory = std::move(copies);
  return result;
}

template <class T, int N, ExecutionSpace Exec>
std::vector<T> StencilSteps<T, N, Exec>::gather() const {
  return comm::gather(communicator(), extents(), on_host(Values::borrowed).blocks);
}

template <class T, int N, ExecutionSpace Exec>
void StencilSteps<T, N, Exec>::load(const Read& read) {
  comm::throw_together(communicator(), [&] {
    for (auto& d : subdomains_) {
      d.u.sync(kolam::host);
      T* const memory = d.u.read_write(kolam::host).data();
      const comm::FieldBlock<T, 3> block = block_of(d, memory);
      read(block.box, memory + d.layout.origin, block.pitches);
    }
  });
  typename Halo::template Fields<T> fields;
  for (auto& d : subdomains_) {
    d.u.sync(d.exec);
    fields.push_back(with_ghosts<N>(d.layout, d.u.read_write(d.exec)));
  }
  if (halo_)
    halo_->template exchange<T>(fields);
  else if (direct_)
    make_halo().template exchange<T>(fields);
  this->fence("kolam::StencilSolver::load");
}

template <class T, int N, ExecutionSpace Exec>
HostField<T> StencilSteps<T, N, Exec>::with_boundary(
    const std::function<T(const GridPoint<N>&)>& boundary) const {
  HostField<T> result{extents(), {}, {}};
  for (std::size_t k = 0; k < N; ++k) result.extents[k] += 2;
  auto copies = std::make_shared<std::vector<Kokkos::View<T*, Kokkos::HostSpace>>>();
  for (const auto& d : subdomains_) {
    T* const first = copies->emplace_back(host_copy(d)).data() + d.layout.origin;
    comm::FieldBlock<T, 3> block = block_of(d, copies->back().data());
    // Indices from the first own point.
    const Box<3> inside = comm::spatial(d.own);
    std::array<index_t, 3> from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
      const bool grows = k < N;
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
      return k < N && !decomposition_.periodic(static_cast<int>(k)) &&
             (inside[k].begin + i < 0 || inside[k].begin + i >= result.extents[k] - 2);
    };
    for (index_t z = from[2]; z < to[2]; ++z) {
      for (index_t y = from[1]; y < to[1]; ++y) {
        const bool whole = outside(1, y) || outside(2, z);
        for (index_t x = from[0]; x < to[0];) {
          if (whole || outside(0, x)) {
            GridPoint<N> point{inside[0].begin + x, inside[1].begin + y};
            if constexpr (N == 3) point[2] = inside[2].begin + z;
            *place(x, y, z) = boundary(point);
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

#define KOLAM_INSTANTIATE_FOR(T, N, EXEC)                                \
  template HostField<T> StencilSteps<T, N, EXEC>::on_host(Values) const; \
  template void StencilSteps<T, N, EXEC>::load(const Read&);             \
  template std::vector<T> StencilSteps<T, N, EXEC>::gather() const;      \
  template HostField<T> StencilSteps<T, N, EXEC>::with_boundary(         \
      const std::function<T(const GridPoint<N>&)>&) const;
#define KOLAM_INSTANTIATE(EXEC)          \
  KOLAM_INSTANTIATE_FOR(float, 2, EXEC)  \
  KOLAM_INSTANTIATE_FOR(float, 3, EXEC)  \
  KOLAM_INSTANTIATE_FOR(double, 2, EXEC) \
  KOLAM_INSTANTIATE_FOR(double, 3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam::grid::detail
