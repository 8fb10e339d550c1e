// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/instance.hpp>
#include <kolam/core/instances.hpp>
#include <kolam/solvers/halo_exchange.hpp>
#include <string>
#include <utility>

namespace kolam {
namespace {

template <class View, std::size_t... D>
auto part(const View& view, const Box<sizeof...(D)>& box, std::index_sequence<D...>) {
  return Kokkos::subview(view, std::pair(box[D].begin, box[D].end)...);
}

// Adjacent values without their shape: these are copied without a kernel.
template <class View>
auto as_line(const View& view) {
  using Value = typename View::value_type;
  return Kokkos::View<Value*, typename View::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      view.data(), view.size());
}

// The bytes as values of the shape of `view`.
template <class View, class Bytes>
auto packed_like(const View& view, const Bytes& bytes) {
  using Value = typename View::value_type;
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return Kokkos::View<typename detail::AddPointers<Value, sizeof...(D)>::type, Kokkos::LayoutLeft,
                        typename View::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        reinterpret_cast<Value*>(bytes.data()), view.extent(D)...);
  }
  (std::make_index_sequence<View::rank()>{});
}

// A subdomain gives away as many layers as the halo is deep, and all of them must be its own.
template <int N>
void require_depth(const Decomposition<N>& decomposition, int subdomain, int dimension, int depth) {
  const Range own = decomposition.own(subdomain)[static_cast<std::size_t>(dimension)];
  if (own.end - own.begin >= depth) return;
  throw InvalidArgument("a halo of depth " + std::to_string(depth) + ": subdomain " +
                        std::to_string(subdomain) + " has " + std::to_string(own.end - own.begin) +
                        " points along " + "xyz"[dimension] +
                        "; use fewer subdomains or a smaller depth");
}

}  // namespace

template <int N, ExecutionSpace Exec>
HaloExchange<N, Exec>::HaloExchange(const Decomposition<N>& decomposition, int depth, Ghosts ghosts,
                                    const std::vector<Exec>& instances)
    : instances_(instances), phases_(ghosts == Ghosts::corners ? N : 1) {
  const int count = decomposition.subdomains();
  if (instances.size() != static_cast<std::size_t>(count)) {
    throw InvalidArgument("HaloExchange: " + std::to_string(instances.size()) + " instances for " +
                          std::to_string(count) + " subdomains; give one for each");
  }
  if (depth < 1) {
    throw InvalidArgument("HaloExchange: depth " + std::to_string(depth) +
                          "; it must be at least 1");
  }
  for (auto& phase : phases_) phase.resize(instances.size());
  for (int subdomain = 0; subdomain < count; ++subdomain) {
    const LocalGrid<N> local(decomposition, subdomain, depth);
    for (int dimension = 0; dimension < N; ++dimension) {
      const int corners = ghosts == Ghosts::corners ? dimension : 0;
      const auto phase = static_cast<std::size_t>(corners);
      for (const int direction : {-1, 1}) {
        const auto from = decomposition.neighbour(subdomain, dimension, direction);
        if (!from) continue;
        require_depth(decomposition, *from, dimension, depth);
        Copy copy{
            *from,
            LocalGrid<N>(decomposition, *from, depth).shared_own(dimension, -direction, corners),
            local.shared_ghost(dimension, direction, corners),
            {},
            {}};
        const Exec& here = instances[static_cast<std::size_t>(subdomain)];
        const Exec& there = instances[static_cast<std::size_t>(*from)];
        if (device_number(here) != device_number(there)) {
          const std::size_t bytes = static_cast<std::size_t>(size<N>(copy.points)) * sizeof(double);
          const auto room = [&](const Exec& exec) {
            return Bytes(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "kolam::halo"),
                         bytes);
          };
          copy.packed_here = room(here);
          copy.packed_there = room(there);
        }
        phases_[phase][static_cast<std::size_t>(subdomain)].push_back(copy);
      }
    }
  }
}

template <int N, ExecutionSpace Exec>
template <class T>
void HaloExchange<N, Exec>::exchange(const std::vector<Field<T>>& fields) const {
  if (fields.size() != instances_.size()) {
    throw InvalidArgument("HaloExchange::exchange: " + std::to_string(fields.size()) +
                          " fields for " + std::to_string(instances_.size()) +
                          " subdomains; give one for each");
  }
  constexpr std::make_index_sequence<static_cast<std::size_t>(N)> dimensions;
  // Nobody starts before its neighbours have come here, and nobody goes on before they are done.
  const auto meet = [&](const std::vector<Copies>& phase) {
    for (std::size_t to = 0; to < phase.size(); ++to) {
      for (const Copy& copy : phase[to]) {
        const Instance here(instances_[to]);
        const Instance there(instances_[static_cast<std::size_t>(copy.from)]);
        if (here != there) static_cast<void>(here.wait_for(there, "kolam::HaloExchange"));
      }
    }
  };
  // Calls f(copy, its points, its ghosts, whether they go packed, the instances of both).
  const auto for_each_copy = [&](const std::vector<Copies>& phase, const auto& f) {
    for (std::size_t to = 0; to < phase.size(); ++to) {
      for (const Copy& copy : phase[to]) {
        const auto from = static_cast<std::size_t>(copy.from);
        const auto points = part(fields[from], copy.points, dimensions);
        const auto ghosts = part(fields[to], copy.ghosts, dimensions);
        const bool together = points.span_is_contiguous() && ghosts.span_is_contiguous();
        const bool packed = copy.packed_here.data() != nullptr && !together;
        f(copy, points, ghosts, packed, instances_[from], instances_[to]);
      }
    }
  };
  for (const std::vector<Copies>& phase : phases_) {
    for_each_copy(phase, [](const Copy& copy, const auto& points, const auto&, bool packed,
                            const Exec& there, const Exec&) {
      if (packed) Kokkos::deep_copy(there, packed_like(points, copy.packed_there), points);
    });
    meet(phase);
    for_each_copy(phase, [](const Copy& copy, const auto& points, const auto& ghosts, bool packed,
                            const Exec&, const Exec& here) {
      if (packed) {
        Kokkos::deep_copy(here, copy.packed_here, copy.packed_there);
        Kokkos::deep_copy(here, ghosts, packed_like(ghosts, copy.packed_here));
      } else if (points.span_is_contiguous() && ghosts.span_is_contiguous()) {
        Kokkos::deep_copy(here, as_line(ghosts), as_line(points));
      } else {
        Kokkos::deep_copy(here, ghosts, points);
      }
    });
  }
  for (const std::vector<Copies>& phase : phases_) meet(phase);
}

#define KOLAM_INSTANTIATE_FOR(N, EXEC)                                                          \
  template class HaloExchange<N, EXEC>;                                                         \
  template void HaloExchange<N, EXEC>::exchange<float>(const std::vector<Field<float>>&) const; \
  template void HaloExchange<N, EXEC>::exchange<double>(const std::vector<Field<double>>&) const;
#define KOLAM_INSTANTIATE(EXEC)  \
  KOLAM_INSTANTIATE_FOR(2, EXEC) \
  KOLAM_INSTANTIATE_FOR(3, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
