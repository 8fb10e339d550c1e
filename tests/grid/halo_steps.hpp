// SPDX-License-Identifier: Apache-2.0
// Fields on subdomains whose ghosts are exchanged, for the tests of one and of several processes.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstddef>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/partition.hpp>
#include <kolam/core/any_instance.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kolam::halo_steps {

constexpr double poison = std::numeric_limits<double>::quiet_NaN();

/// The communicator and the transport of a run.
struct Ways {
  Communicator communicator;
  comm::Transport transport = comm::Transport::automatic;
};

/// Calls f(local index, global index) for every point and ghost.
template <int N, class F>
void for_each_local(const comm::LocalGrid<N>& local, F f) {
  const Extents<N> extents = local.extents();
  index_t total = 1;
  for (const index_t extent : extents) total *= extent;
  for (index_t i = 0; i < total; ++i) {
    Extents<N> at{};
    Extents<N> global{};
    index_t rest = i;
    for (std::size_t d = 0; d < N; ++d) {
      at[d] = rest % extents[d];
      rest /= extents[d];
      global[d] = at[d] - local.depth() + local.own_global()[d].begin;
    }
    f(at, global);
  }
}

template <int N>
bool is_own(const comm::LocalGrid<N>& local, const Extents<N>& global) {
  for (std::size_t d = 0; d < N; ++d) {
    if (global[d] < local.own_global()[d].begin || global[d] >= local.own_global()[d].end) {
      return false;
    }
  }
  return true;
}

template <int N, class View>
auto& value(const View& view, const Extents<N>& at) {
  if constexpr (N == 2) {
    return view(at[0], at[1]);
  } else {
    return view(at[0], at[1], at[2]);
  }
}

template <int N>
double number(const Extents<N>& global) {
  double result = 1;
  for (std::size_t d = N; d-- > 0;) result = 100 * result + static_cast<double>(global[d]);
  return result;
}

/// Returns the value of a ghost if the field numbers its points; poison if no exchange fills it.
template <int N>
double expected(const comm::Decomposition<N>& decomposition, const comm::LocalGrid<N>& local,
                Extents<N> global, grid::Ghosts ghosts) {
  int outside = 0;
  for (std::size_t d = 0; d < N; ++d) {
    const Range own = local.own_global()[d];
    const index_t extent = decomposition.extents()[d];
    if (global[d] < own.begin || global[d] >= own.end) ++outside;
    const bool beyond = global[d] < 0 || global[d] >= extent;
    if (beyond && !decomposition.periodic(static_cast<int>(d))) return poison;
    global[d] = (global[d] + extent) % extent;
  }
  return outside > 1 && ghosts == grid::Ghosts::faces ? poison : number<N>(global);
}

template <int N, class T, class Exec>
auto field_of(const Exec& exec, const comm::LocalGrid<N>& local, index_t padding) {
  using Field = typename grid::HaloExchange<N, Exec>::template Field<T>;
  const Extents<N> e = local.extents();
  const auto where = Kokkos::view_alloc(exec, "field");
  if constexpr (N == 2) {
    return Field(where, e[0] + padding, e[1]);
  } else {
    return Field(where, e[0] + padding, e[1], e[2]);
  }
}

/// Returns field `which` of a subdomain: own points numbered (plus `which`), ghosts poisoned.
template <int N, class T, class Exec>
auto numbered_field(const Exec& exec, const comm::LocalGrid<N>& local, index_t padding,
                    int which = 0) {
  const auto field = field_of<N, T>(exec, local, padding);
  const auto mirror = Kokkos::create_mirror_view(field);
  for_each_local<N>(local, [&](const Extents<N>& at, const Extents<N>& global) {
    value<N>(mirror, at) =
        static_cast<T>(is_own(local, global) ? number<N>(global) + which : poison);
  });
  Kokkos::deep_copy(field, mirror);
  return field;
}

/// Returns the first point or ghost that is wrong after the exchange of such fields, in words; ""
/// if all are right.
template <int N, class Field>
std::string first_wrong(const comm::Decomposition<N>& decomposition, int subdomain, int depth,
                        grid::Ghosts ghosts, const Field& field, int which = 0) {
  using T = typename Field::value_type;
  const comm::LocalGrid<N> local(decomposition, subdomain, depth);
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, field);
  std::string wrong;
  for_each_local<N>(local, [&](const Extents<N>& at, const Extents<N>& global) {
    const auto wanted = static_cast<T>(expected<N>(decomposition, local, global, ghosts) + which);
    const T got = value<N>(mirror, at);
    if (!wrong.empty() || got == wanted || (std::isnan(got) && std::isnan(wanted))) return;
    wrong = std::to_string(got) + " instead of " + std::to_string(wanted) + ", subdomain " +
            std::to_string(subdomain) + ", depth " + std::to_string(depth) + ", global index";
    for (const index_t i : global) wrong += " " + std::to_string(i);
  });
  return wrong;
}

template <class View>
struct Average {
  View from, to;
  int x0, y0;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    const int x = x0 + i;
    const int y = y0 + j;
    to(x, y) = ((from(x - 1, y) + from(x + 1, y)) + from(x, y - 1)) + from(x, y + 1);
  }
};

template <class View>
struct PoisonGhosts {
  View field;
  int nx, ny;
  double value;
  KOKKOS_FUNCTION void operator()(int x, int y) const {
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) field(x, y) = value;
  }
};

template <class Exec, class F>
void launch(const char* label, const Exec& exec, index_t nx, index_t ny, const F& f) {
  if (nx <= 0 || ny <= 0) return;
  Kokkos::parallel_for(label, Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(exec, {0, 0}, {nx, ny}),
                       f);
}

/// Averages the neighbours at points in the box from (x0, y0) to before (x1, y1).
template <class Exec, class Field>
void average(const Exec& exec, const Field& from, const Field& to, index_t x0, index_t x1,
             index_t y0, index_t y1) {
  launch("average", exec, x1 - x0, y1 - y0,
         Average<Field>{from, to, static_cast<int>(x0), static_cast<int>(y0)});
}

/// Returns, on rank 0, the values of a whole periodic grid, by rows, from all processes.
template <class Field>
std::vector<double> assembled(const comm::Decomposition<2>& decomposition,
                              const Communicator& processes, const std::vector<Field>& fields) {
  const comm::Partition partition(decomposition.subdomains(), processes.size());
  const int first = partition.share(processes.rank()).first;
  std::vector<double> mine;
  for (std::size_t s = 0; s < fields.size(); ++s) {
    const comm::LocalGrid<2> local(decomposition, first + static_cast<int>(s), 1);
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, fields[s]);
    for_each_local<2>(local, [&](const Extents<2>& at, const Extents<2>& global) {
      if (is_own(local, global)) mine.push_back(value<2>(mirror, at));
    });
  }
  const auto parts = processes.gather(std::as_bytes(std::span(mine)));
  const Extents<2>& extents = decomposition.extents();
  std::vector<double> all(static_cast<std::size_t>(extents[0] * extents[1]));
  for (int rank = 0; rank < static_cast<int>(parts.size()); ++rank) {
    const auto* next =
        reinterpret_cast<const double*>(parts[static_cast<std::size_t>(rank)].data());
    const comm::Partition::Share share = partition.share(rank);
    for (int s = share.first; s < share.first + share.count; ++s) {
      const comm::LocalGrid<2> local(decomposition, s, 1);
      for_each_local<2>(local, [&](const Extents<2>&, const Extents<2>& global) {
        if (!is_own(local, global)) return;
        all[static_cast<std::size_t>(global[1] * extents[0] + global[0])] = *next++;
      });
    }
  }
  return all;
}

/// Steps a periodic grid without a fence: if a subdomain does not wait for its neighbour, it reads
/// old or poisoned ghosts, or its points are overwritten while they are read. If there are `inner`
/// instances, they sweep the interior between start and finish. Returns the result on rank 0.
template <class Exec>
std::vector<double> after_steps(const Extents<2>& extents, const comm::Parts<2>& parts, int steps,
                                const std::vector<Exec>& instances, const Ways& ways = {},
                                const std::vector<Exec>& inner = {}) {
  using Halo = grid::HaloExchange<2, Exec>;
  using Field = typename Halo::template Field<double>;
  const comm::Decomposition<2> decomposition(extents, parts, {true, true});
  const comm::Partition partition(decomposition.subdomains(), ways.communicator.size());
  const int first = partition.share(ways.communicator.rank()).first;
  Halo halo(instances, decomposition, 1, grid::Ghosts::faces, ways.communicator, ways.transport);
  std::vector<Field> u;
  std::vector<Field> next;
  for (std::size_t s = 0; s < instances.size(); ++s) {
    const comm::LocalGrid<2> local(decomposition, first + static_cast<int>(s), 1);
    u.push_back(field_of<2, double>(instances[s], local, 0));
    next.push_back(field_of<2, double>(instances[s], local, 0));
    const auto mirror = Kokkos::create_mirror_view(u.back());
    for_each_local<2>(local, [&](const Extents<2>& at, const Extents<2>& global) {
      value<2>(mirror, at) = static_cast<double>(global[0] * 7 % 5 + global[1] * 3 % 11);
    });
    Kokkos::deep_copy(u.back(), mirror);
  }
  for (int step = 0; step < steps; ++step) {
    for (std::size_t s = 0; s < instances.size(); ++s) {
      const auto nx = static_cast<int>(u[s].extent(0));
      const auto ny = static_cast<int>(u[s].extent(1));
      launch("poison", instances[s], nx, ny, PoisonGhosts<Field>{u[s], nx, ny, poison});
      if (!inner.empty()) {
        static_cast<void>(
            AnyInstance(inner[s]).wait_for(AnyInstance(instances[s]), "the interior"));
      }
    }
    halo.template start<double>(u);
    for (std::size_t s = 0; s < inner.size(); ++s) {
      const auto nx = static_cast<index_t>(u[s].extent(0));
      const auto ny = static_cast<index_t>(u[s].extent(1));
      average(inner[s], u[s], next[s], 2, nx - 2, 2, ny - 2);
    }
    halo.finish();
    for (std::size_t s = 0; s < instances.size(); ++s) {
      const auto nx = static_cast<index_t>(u[s].extent(0));
      const auto ny = static_cast<index_t>(u[s].extent(1));
      if (inner.empty()) {
        average(instances[s], u[s], next[s], 1, nx - 1, 1, ny - 1);
        continue;
      }
      average(instances[s], u[s], next[s], 1, nx - 1, 1, 2);
      if (ny > 3) average(instances[s], u[s], next[s], 1, nx - 1, ny - 2, ny - 1);
      average(instances[s], u[s], next[s], 1, 2, 2, ny - 2);
      if (nx > 3) average(instances[s], u[s], next[s], nx - 2, nx - 1, 2, ny - 2);
      static_cast<void>(AnyInstance(instances[s]).wait_for(AnyInstance(inner[s]), "the next step"));
    }
    std::swap(u, next);
  }
  Kokkos::fence();
  return assembled(decomposition, ways.communicator, u);
}

/// Returns whether two runs agree, on rank 0; true on other ranks.
inline bool same_bits(const Communicator& processes, const std::vector<double>& a,
                      const std::vector<double>& b) {
  return processes.rank() > 0 || a == b;
}

}  // namespace kolam::halo_steps
