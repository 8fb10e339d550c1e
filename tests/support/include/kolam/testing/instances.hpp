// SPDX-License-Identifier: Apache-2.0
// Instances of an execution space besides the default one.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/host_teams.hpp>
#include <kolam/core/instances.hpp>
#include <type_traits>
#include <vector>

namespace kolam::testing {

/// Returns two instances of Exec besides the default one, each with its own stream or half of the
/// threads; the default one twice if there are no others. (OpenMP has others if there are two
/// threads and, from Kokkos 5 on, parallel regions may nest: OMP_MAX_ACTIVE_LEVELS=2.)
template <class Exec = Kokkos::DefaultExecutionSpace>
std::vector<Exec> two_instances() {
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>) {
    if (Exec{}.concurrency() < 2) return {Exec{}, Exec{}};  // some releases of Kokkos abort
  }
#endif
  const auto parts = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  return {parts.begin(), parts.end()};
}

/// Returns one instance for each of `count` subdomains.
template <class Exec>
std::vector<Exec> instances_for(int count) {
  if constexpr (std::is_same_v<Exec, HostTeams>) {
    return std::vector<Exec>(static_cast<std::size_t>(count));
  } else {
    return make_instances<Exec>(count);
  }
}

/// The reason to skip a test that needs two different instances.
inline constexpr const char* one_instance =
    "one instance only; set OMP_NUM_THREADS and OMP_MAX_ACTIVE_LEVELS to 2";

}  // namespace kolam::testing
