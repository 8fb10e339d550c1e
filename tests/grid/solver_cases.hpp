// SPDX-License-Identifier: Apache-2.0
// Decompositions of grids, and a start for the tests of StencilSolver.
#pragma once

#include <kolam/comm/decomposition.hpp>
#include <kolam/comm/transport.hpp>
#include <kolam/testing/backends.hpp>
#include <string>
#include <type_traits>

namespace kolam::solver_cases {

/// Values that vary from point to point, also on the boundary, alike on host and device.
template <int N>
struct Values {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& p) const {
    index_t mixed = 17 * p[0] + 101 * p[1];
    if constexpr (N == 3) mixed += 29 * p[2];
    mixed = (mixed % 1009 + 1009) % 1009;
    return static_cast<double>(mixed * mixed % 257) / 128 - 1;
  }
};

template <int N>
struct Case {
  Extents<N> extents;
  comm::Parts<N> parts;
  typename comm::Decomposition<N>::Flags periodic;
  int steps_per_pass = 1;
  comm::Transport transport = comm::Transport::automatic;
};

template <int N>
std::string to_text(const Case<N>& c) {
  std::string text;
  for (std::size_t d = 0; d < N; ++d) {
    text += " " + std::to_string(c.extents[d]) + "/" + std::to_string(c.parts[d]) +
            (c.periodic[d] ? "p" : "");
  }
  return text + ", " + std::to_string(c.steps_per_pass) + " fused steps";
}

template <class Exec>
constexpr bool is_slow = std::is_same_v<Exec, HostTeams>;  // one thread at a time

}  // namespace kolam::solver_cases
