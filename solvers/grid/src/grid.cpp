// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/error.hpp>
#include <kolam/grid/grid.hpp>

namespace kolam::grid::detail {

template <int N>
comm::Decomposition<N> decompose(const Grid<N>& grid) {
  for (std::size_t d = 0; d < N; ++d) {
    const std::string along = std::string(" along ") + "xyz"[d];
    if (grid.extents[d] < 1) {
      throw InvalidArgument("Grid: " + std::to_string(grid.extents[d]) + " points" + along +
                            "; there must be 1 at least");
    }
    const Boundary low = grid.boundaries[d][0];
    const Boundary high = grid.boundaries[d][1];
    if (low == Boundary::neighbour || high == Boundary::neighbour) {
      throw InvalidArgument("Grid: Boundary::neighbour" + along +
                            " is of kernels; name the boundary of the whole grid");
    }
    if ((low == Boundary::periodic) != (high == Boundary::periodic)) {
      throw InvalidArgument("Grid: one side is periodic" + along +
                            " and the other is not; make both periodic or none");
    }
  }
  const comm::Parts<N> parts =
      comm::parse_decomposition<N>(grid.decomposition, grid.extents, grid.communicator.size());
  typename comm::Decomposition<N>::Flags periodic{};
  // (A subdomain that is its own neighbour needs no exchange.)
  for (std::size_t d = 0; d < N; ++d)
    periodic[d] = grid.boundaries[d][0] == Boundary::periodic && parts[d] > 1;
  return comm::Decomposition<N>(grid.extents, parts, periodic);
}

template <int N>
Boundaries<N> own_boundaries(const Grid<N>& grid, const comm::Decomposition<N>& decomposition) {
  Boundaries<N> result = grid.boundaries;
  const int rank = grid.communicator.rank();
  for (std::size_t d = 0; d < N; ++d) {
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      const int direction = end == 0 ? -1 : 1;
      if (decomposition.neighbour(rank, static_cast<int>(d), direction))
        result[d][end] = Boundary::neighbour;
    }
  }
  return result;
}

#define KOLAM_INSTANTIATE(N)                                    \
  template comm::Decomposition<N> decompose<N>(const Grid<N>&); \
  template Boundaries<N> own_boundaries<N>(const Grid<N>&, const comm::Decomposition<N>&);
KOLAM_INSTANTIATE(2)
KOLAM_INSTANTIATE(3)

}  // namespace kolam::grid::detail
