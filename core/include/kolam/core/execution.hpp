// SPDX-License-Identifier: Apache-2.0
// What may stand as the first argument of every launch.
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <kolam/core/backend.hpp>
#include <kolam/core/host_teams.hpp>
#include <utility>

namespace kolam {

/// A Kokkos execution space, or HostTeams.
template <class Exec>
concept ExecutionSpace = Kokkos::is_execution_space_v<Exec> || std::same_as<Exec, HostTeams>;

/// Whether blocks on Exec have threads of their own, as on a GPU; elsewhere a block is a plain loop
/// nest of one thread.
template <ExecutionSpace Exec>
inline constexpr bool has_block_threads =
    std::same_as<Exec, HostTeams> ||
    !Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// The threads of a block that would have `Threads` on a device. HostTeams starts a real thread for
/// each, so there a few must do.
template <ExecutionSpace Exec, int Threads>
inline constexpr int block_threads = std::same_as<Exec, HostTeams> && Threads > 16 ? 16 : Threads;

/// The Kokkos instance that allocates and copies for `exec`: itself, and for HostTeams, which
/// Kokkos does not know, the default host one.
template <ExecutionSpace Exec>
auto kokkos_instance([[maybe_unused]] const Exec& exec) {
  if constexpr (std::same_as<Exec, HostTeams>) {
    return Kokkos::DefaultHostExecutionSpace{};
  } else {
    return exec;
  }
}
/// The type of that instance.
template <ExecutionSpace Exec>
using KokkosInstance = decltype(kokkos_instance(std::declval<Exec>()));

namespace detail {

template <>
struct BackendOf<HostTeams> : BackendOf<Kokkos::DefaultHostExecutionSpace> {};

}  // namespace detail
}  // namespace kolam
