// SPDX-License-Identifier: Apache-2.0
// The execution spaces that every launch takes as its first argument.
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

/// Whether a block on Exec has several threads, as on a GPU; otherwise one thread runs it as a
/// plain loop nest.
template <ExecutionSpace Exec>
inline constexpr bool has_block_threads =
    std::same_as<Exec, HostTeams> ||
    !Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// The number of threads of a block that has `Threads` threads on a device. HostTeams runs each as
/// a fiber, so it gets at most 16.
template <ExecutionSpace Exec, int Threads>
inline constexpr int block_threads = std::same_as<Exec, HostTeams> && Threads > 16 ? 16 : Threads;

/// Returns the Kokkos instance that allocates and copies for `exec`: `exec` itself or, for
/// HostTeams, which is not a Kokkos space, the default host instance.
template <ExecutionSpace Exec>
auto kokkos_instance([[maybe_unused]] const Exec& exec) {
  if constexpr (std::same_as<Exec, HostTeams>) {
    return Kokkos::DefaultHostExecutionSpace{};
  } else {
    return exec;
  }
}
/// The return type of kokkos_instance.
template <ExecutionSpace Exec>
using KokkosInstance = decltype(kokkos_instance(std::declval<Exec>()));

namespace detail {

template <>
struct BackendOf<HostTeams> : BackendOf<Kokkos::DefaultHostExecutionSpace> {};

}  // namespace detail
}  // namespace kolam
