// SPDX-License-Identifier: Apache-2.0
// The plan of a halo exchange: which subdomain sends which points to which other.
#pragma once

#include <kolam/comm/decomposition.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <vector>

namespace kolam::grid::detail {

/// The transfer to one subdomain from the neighbour at one side.
template <int N>
struct HaloTransfer {
  int from;
  int to;
  int side;       // side of `to`: twice the dimension, plus 1 at its far end
  Box<N> points;  // own points of `from` (and ghosts of dimensions before, for corners)
  Box<N> ghosts;  // ghosts of `to`
};

/// Returns all transfers to and from the subdomains first ... first + count - 1, by phase; a phase
/// needs the ghosts of the phases before. Two processes list the transfers between them in the same
/// order. Throws InvalidArgument if a subdomain would send more layers than it has.
template <int N>
std::vector<std::vector<HaloTransfer<N>>> plan_halo(const comm::Decomposition<N>& decomposition,
                                                    int depth, Ghosts ghosts, int first, int count);

}  // namespace kolam::grid::detail
