// SPDX-License-Identifier: Apache-2.0
// A grid: its points, its boundaries, and the processes that share it.
#pragma once

#include <cstddef>
#include <kolam/comm/communicator.hpp>
#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/transport.hpp>
#include <kolam/core/index_box.hpp>
#include <kolam/kernels/stencil/boundary.hpp>
#include <string>

namespace kolam::grid {

/// The points of a grid, the boundaries at its sides, and the processes that share it. Each process
/// has one subdomain.
template <int N>
struct Grid {
  Extents<N> extents;                  ///< points in each dimension, x first; at least 1
  Boundaries<N> boundaries = {};       ///< by default Boundary::dirichlet everywhere
  Communicator communicator = {};      ///< all processes that have a part
  std::string decomposition = "auto";  ///< see comm::parse_decomposition
  comm::Transport transport = comm::Transport::automatic;      ///< transport between subdomains
  comm::GpuAwareMpi gpu_aware = comm::GpuAwareMpi::automatic;  ///< device memory in MPI messages
};

/// Returns the same boundary for all sides.
template <int N>
Boundaries<N> all_sides(Boundary boundary) {
  Boundaries<N> all{};
  for (std::size_t d = 0; d < N; ++d) all[d] = {boundary, boundary};
  return all;
}

namespace detail {

// Returns the decomposition of a grid. Throws InvalidArgument for extents below 1, for a periodic
// side opposite to one that is not, for Boundary::neighbour, and as parse_decomposition does.
template <int N>
comm::Decomposition<N> decompose(const Grid<N>& grid);

// Returns the boundaries of this process' subdomain: Boundary::neighbour at sides with a neighbour.
template <int N>
Boundaries<N> own_boundaries(const Grid<N>& grid, const comm::Decomposition<N>& decomposition);

}  // namespace detail

}  // namespace kolam::grid
