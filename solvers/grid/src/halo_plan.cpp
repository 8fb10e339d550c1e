// SPDX-License-Identifier: Apache-2.0
#include "halo_plan.hpp"

#include <kolam/core/error.hpp>
#include <set>
#include <string>

namespace kolam::grid::detail {
namespace {

// Throws if a subdomain with neighbours has fewer layers of its own than the halo is deep. Every
// process checks all subdomains, so that all throw or none.
template <int N>
void require_depth(const comm::Decomposition<N>& decomposition, int subdomain, int dimension,
                   int depth) {
  const Range own = decomposition.own(subdomain)[static_cast<std::size_t>(dimension)];
  if (own.end - own.begin >= depth) return;
  if (!decomposition.neighbour(subdomain, dimension, -1) &&
      !decomposition.neighbour(subdomain, dimension, 1)) {
    return;
  }
  throw InvalidArgument("a halo of depth " + std::to_string(depth) + ": subdomain " +
                        std::to_string(subdomain) + " has " + std::to_string(own.end - own.begin) +
                        " points along " + "xyz"[dimension] +
                        "; use fewer subdomains or a smaller depth");
}

}  // namespace

template <int N>
std::vector<std::vector<HaloTransfer<N>>> plan_halo(const comm::Decomposition<N>& decomposition,
                                                    int depth, Ghosts ghosts, int first,
                                                    int count) {
  const auto is_here = [&](int subdomain) {
    return subdomain >= first && subdomain < first + count;
  };
  for (int subdomain = 0; subdomain < decomposition.subdomains(); ++subdomain) {
    for (int dimension = 0; dimension < N; ++dimension) {
      require_depth(decomposition, subdomain, dimension, depth);
    }
  }
  // The receivers in this process, and those elsewhere that receive from it.
  std::set<int> receivers;
  for (int subdomain = first; subdomain < first + count; ++subdomain) {
    receivers.insert(subdomain);
    for (int dimension = 0; dimension < N; ++dimension) {
      for (const int direction : {-1, 1}) {
        const auto to = decomposition.neighbour(subdomain, dimension, direction);
        if (to) receivers.insert(*to);
      }
    }
  }
  std::vector<std::vector<HaloTransfer<N>>> phases(ghosts == Ghosts::corners ? N : 1);
  for (const int to : receivers) {
    const comm::LocalGrid<N> local(decomposition, to, depth);
    for (int dimension = 0; dimension < N; ++dimension) {
      const int corners = ghosts == Ghosts::corners ? dimension : 0;
      for (const int direction : {-1, 1}) {
        const auto from = decomposition.neighbour(to, dimension, direction);
        if (!from || (!is_here(to) && !is_here(*from))) continue;
        phases[static_cast<std::size_t>(corners)].push_back(
            {*from, to, 2 * dimension + (direction > 0 ? 1 : 0),
             comm::LocalGrid<N>(decomposition, *from, depth)
                 .shared_own(dimension, -direction, corners),
             local.shared_ghost(dimension, direction, corners)});
      }
    }
  }
  return phases;
}

template std::vector<std::vector<HaloTransfer<2>>> plan_halo<2>(const comm::Decomposition<2>&, int,
                                                                Ghosts, int, int);
template std::vector<std::vector<HaloTransfer<3>>> plan_halo<3>(const comm::Decomposition<3>&, int,
                                                                Ghosts, int, int);

}  // namespace kolam::grid::detail
