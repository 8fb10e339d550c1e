// SPDX-License-Identifier: Apache-2.0
// Launches of loops over blocks.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <kolam/core/block.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/scratch.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kolam::detail {

inline constexpr std::size_t max_scratch_bytes = std::size_t{1} << 30;

template <class Shape>
struct ThreadLimit {  // DynamicShape: Kokkos' default
  using type = Kokkos::LaunchBounds<>;
};
template <int X, int Y, int Z, int M>
struct ThreadLimit<StaticShape<X, Y, Z, M>> {
  using type = Kokkos::LaunchBounds<static_cast<unsigned>(X* Y* Z), static_cast<unsigned>(M)>;
};

// The functor that Kokkos runs for each team: every league_size-th block.
template <class Exec, class Shape, class Scratch, class Body>
struct TeamBody {
  Body body;
  DividedShape<Shape> shape;
  Scratch scratch;
  index_t n;
  int slot_bytes;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    // A request for 0 bytes returns the start of the team's scratch. Kokkos would check a request
    // for a size against the space left, which costs more than many bodies and hides from the
    // compiler that this is shared memory.
    const auto& scratch_space = member.team_scratch(0);
    constexpr int alignment = Scratch::alignment;
    char* memory;
    if constexpr (alignment > std::remove_cvref_t<decltype(scratch_space)>::ALIGN) {
      memory = static_cast<char*>(scratch_space.get_shmem_aligned(0, alignment));
    } else {
      memory = static_cast<char*>(scratch_space.get_shmem(0));
    }
    const kolam::Block<Exec, Shape> block(member, shape, memory);
    for (index_t e = member.league_rank(); e < n; e += member.league_size()) {
      scratch.call(body, block, e, [&]() -> void* { return memory + slot_bytes; });
      if constexpr (!std::same_as<Scratch, NoScratch>) member.team_barrier();
    }
  }
};

template <class Shape, class Scratch>
[[noreturn]] void refuse_blocks(const std::string& label, const char* where, const Shape& shape,
                                const Scratch& scratch, const std::string& why) {
  throw InvalidArgument(
      label + ": blocks of " + std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " +
      std::to_string(shape.z) + " threads with " + std::to_string(scratch.bytes()) +
      " bytes of scratch do not fit on " + where + "; use smaller blocks (" + why + ")");
}

// Whether this error text of Kokkos says that blocks are too large. Launches can fail for other
// reasons too: if copying the body fails, or an earlier kernel failed.
inline bool refuses_blocks(std::string_view text) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{
          "the team size is too large", "requested too large team size",
          "insufficient shared memory", "shared memory request is too large",
          "could not find a valid"},  // execution configuration, or team size
      [&](std::string_view reason) { return text.find(reason) != std::string_view::npos; });
}

// Returns the most bytes of shared memory that a block can have.
template <class Exec>
std::size_t most_block_bytes([[maybe_unused]] const Exec& exec) {
  if constexpr (requires { exec.cuda_device_prop(); }) {
    return exec.cuda_device_prop().sharedMemPerBlock;
  } else if constexpr (requires { Exec::hip_device_prop(); }) {
    return Exec::hip_device_prop().sharedMemPerBlock;
  } else {
    return max_scratch_bytes;
  }
}

template <class Exec, class Shape, class Scratch, class Body>
void launch_teams(const Exec& exec, const std::string& label, index_t n, const Shape& shape,
                  const Scratch& scratch, const Body& body) {
  using Functor = TeamBody<Exec, Shape, Scratch, Body>;
  using Policy = Kokkos::TeamPolicy<Exec, typename ThreadLimit<Shape>::type, LaunchWeight<Functor>>;
  const int rows = shape.x * shape.y * shape.z / vector_length<Shape>;
  const int slot_bytes = reduce_bytes<Shape>(rows);
  // If there are many blocks, a team takes several: starting a team costs as much as a small body.
  // (On an H200 copies of 8^3 values run at 91 % of plain CUDA with one, 100 % with four, 98 % with
  // eight; the Jacobi sweep, whose blocks are large and few, is fastest with one.)
  const index_t at_once = std::max<index_t>(1, exec.concurrency() / (rows * vector_length<Shape>));
  const index_t each = std::max(std::clamp<index_t>(n / (64 * at_once), 1, 4), (n >> 30) + 1);
  const std::size_t bytes =
      static_cast<std::size_t>(slot_bytes) + scratch.bytes() + scratch_alignment;
  // (Checked first, because each launch that Kokkos rejects takes one of its ten slots for good.)
  const std::size_t kokkos_bytes = sizeof(double) * static_cast<std::size_t>(rows + 2);
  if (bytes + kokkos_bytes > most_block_bytes(exec))
    refuse_blocks(label, Exec::name(), shape, scratch,
                  "a block has at most " + std::to_string(most_block_bytes(exec)) + " bytes");
  try {
    Policy policy(exec, static_cast<int>((n + each - 1) / each), rows, vector_length<Shape>);
    policy.set_scratch_size(0, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for(label, policy,
                         Functor{body, DividedShape<Shape>(shape), scratch, n, slot_bytes});
  } catch (const std::runtime_error& error) {
    if (!refuses_blocks(error.what())) throw;
    refuse_blocks(label, Exec::name(), shape, scratch, error.what());
  }
}

template <class Shape, class Scratch, class Body>
void run_host_teams(const std::string& label, index_t n, const Shape& shape, const Scratch& scratch,
                    const Body& body) {
  Turns turns(shape.x * shape.y * shape.z, label);
  void* const memory = host_scratch(scratch.bytes());
  turns.run([&](int rank) {
    const kolam::Block<HostTeams, Shape> block(turns, rank, DividedShape<Shape>(shape));
    for (index_t e = 0; e < n; ++e) {
      scratch.call(body, block, e, [&] { return memory; });
      turns.end_block(rank, e);
    }
  });
}

template <class Exec, class Shape, class Scratch, class Body>
void run_plain_loops(const Exec& exec, const std::string& label, index_t n, const Scratch& scratch,
                     const Body& body) {
  const kolam::Block<Exec, Shape> block;
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
  if constexpr (requires { scratch.count; }) require_count(label + ": scratch", scratch.count);
  if (scratch.bytes() > max_scratch_bytes)
    refuse_blocks(label, Exec::name(), shape, scratch, "no machine has so much scratch");
  if (has_block_threads<Exec> && 1.0 * shape.x * shape.y * shape.z > max_block_threads)
    refuse_blocks(label, Exec::name(), shape, scratch, "no device has so many threads");
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
