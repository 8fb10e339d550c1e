// SPDX-License-Identifier: Apache-2.0
// Who gives which points to whom in a halo exchange.
#pragma once

#include <kolam/comm/decomposition.hpp>
#include <kolam/grid/halo_exchange.hpp>
#include <vector>

namespace kolam::grid::detail {

/// What one subdomain gets from one side.
template <int N>
struct HaloTransfer {
  int from;
  int to;
  int side;       // of `to`: twice the dimension, and one more at its far end
  Box<N> points;  // of `from`, own ones (and ghosts of dimensions before, for corners)
  Box<N> ghosts;  // of `to`
};

/// All messages to and from the subdomains first ... first + count - 1: those of each phase, which
/// needs the ghosts of the phases before. Each process and each end lists a message that both see
/// in the same order. Throws InvalidArgument if a subdomain gives away more layers than it has.
template <int N>
std::vector<std::vector<HaloTransfer<N>>> plan_halo(const comm::Decomposition<N>& decomposition,
                                                    int depth, Ghosts ghosts, int first, int count);

}  // namespace kolam::grid::detail
