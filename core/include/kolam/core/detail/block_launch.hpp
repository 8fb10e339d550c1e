// SPDX-License-Identifier: Apache-2.0
// How blocks reach the machine.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <kolam/core/block.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/scratch.hpp>
#include <string>

namespace kolam::detail {

template <class Shape>
struct ThreadLimit {  // DynamicShape: Kokkos' own
  using type = Kokkos::LaunchBounds<>;
};
template <int X, int Y, int Z, int M>
struct ThreadLimit<StaticShape<X, Y, Z, M>> {
  using type = Kokkos::LaunchBounds<static_cast<unsigned>(X* Y* Z), static_cast<unsigned>(M)>;
};

// The functor that Kokkos runs for each team. `first` is the block of team 0.
template <class Exec, class Shape, class Scratch, class Body>
struct TeamBody {
  Body body;
  Shape shape;
  Scratch scratch;
  index_t first;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto& memory = member.team_scratch(0);
    void* const slots = memory.get_shmem_aligned(
        static_cast<std::size_t>(reduce_bytes(member.team_size())), reduce_value_bytes);
    const Block<Exec, Shape> block(member, shape, slots);
    scratch.call(body, block, first + member.league_rank(),
                 [&] { return memory.get_shmem_aligned(scratch.bytes(), 16); });
  }
};

template <class Exec, class Shape, class Scratch, class Body>
void launch_teams(const Exec& exec, const std::string& label, index_t n, const Shape& shape,
                  const Scratch& scratch, const Body& body) {
  using Policy = Kokkos::TeamPolicy<Exec, typename ThreadLimit<Shape>::type>;
  const auto refuse = [&](const char* why) {
    throw InvalidArgument(
        label + ": blocks of " + std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " +
        std::to_string(shape.z) + " threads with " + std::to_string(scratch.bytes()) +
        " bytes of scratch do not fit on " + Exec::name() + "; use smaller blocks (" + why + ")");
  };
  if (1.0 * shape.x * shape.y * shape.z > 65536) refuse("no device has so many threads");
  const int rows = shape.x * shape.y * shape.z / vector_length<Shape>;
  constexpr index_t most = 1 << 30;  // teams of one launch
  try {
    for (index_t first = 0; first < n; first += most) {
      Policy policy(exec, static_cast<int>(std::min(most, n - first)), rows, vector_length<Shape>);
      // Two pieces are taken, each with room for its alignment.
      policy.set_scratch_size(
          0, Kokkos::PerTeam(reduce_bytes(rows) + static_cast<int>(scratch.bytes()) + 2 * 16));
      Kokkos::parallel_for(label, policy,
                           TeamBody<Exec, Shape, Scratch, Body>{body, shape, scratch, first});
    }
  } catch (const std::runtime_error& error) {  // the launch was refused
    refuse(error.what());
  }
}

template <class Shape, class Scratch, class Body>
void run_host_teams(const std::string& label, index_t n, const Shape& shape, const Scratch& scratch,
                    const Body& body) {
  Turns turns(shape.x * shape.y * shape.z, label);
  void* const memory = host_scratch(scratch.bytes());
  run_team(turns, [&](int rank) {
    const Block<HostTeams, Shape> block(turns, rank, shape);
    for (index_t e = 0; e < n; ++e) {
      scratch.call(body, block, e, [&] { return memory; });
      turns.end_block(rank, e);
    }
  });
}

template <class Exec, class Shape, class Scratch, class Body>
void run_plain_loops(const Exec& exec, const std::string& label, index_t n, const Scratch& scratch,
                     const Body& body) {
  const Block<Exec, Shape> block;
  forall(exec, label, n, [=](index_t e) {
    scratch.call(body, block, e, [&] { return host_scratch(scratch.bytes()); });
  });
}

template <int Dimension, ExecutionSpace Exec, class Shape, class Scratch, class Body>
void launch_blocks(const Exec& exec, const std::string& label, index_t n, const Shape& shape,
                   const Scratch& scratch, const Body& body) {
  require_count(label, n);
  if (shape.x < 1 || shape.y < 1 || shape.z < 1 || (Dimension < 3 && shape.z > 1) ||
      (Dimension < 2 && shape.y > 1)) {
    throw InvalidArgument(label + ": the block shape is " + std::to_string(shape.x) + " x " +
                          std::to_string(shape.y) + " x " + std::to_string(shape.z) +
                          "; each of its " + std::to_string(Dimension) +
                          " extents must be positive, and the others one");
  }
  if (n == 0) return;
  if constexpr (std::same_as<Exec, HostTeams>) {
    run_host_teams(label, n, shape, scratch, body);
  } else if constexpr (has_block_threads<Exec>) {
    launch_teams(exec, label, n, shape, scratch, body);
  } else {
    run_plain_loops<Exec, Shape>(exec, label, n, scratch, body);
  }
}

template <int Dimension, ExecutionSpace Exec, class Shape, class Body>
void launch_blocks(const Exec& exec, const std::string& label, index_t n, const Shape& shape,
                   const Body& body) {
  launch_blocks<Dimension>(exec, label, n, shape, NoScratch{}, body);
}

}  // namespace kolam::detail
