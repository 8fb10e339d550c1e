// SPDX-License-Identifier: Apache-2.0
// A host loop in the calling thread alone, for loops that take less time than waking other threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <kolam/core/execution.hpp>
#include <kolam/core/index.hpp>

namespace kolam::detail {

/// Runs the loop like forall on a host, but without Kokkos; Kokkos' tools see no difference.
template <ExecutionSpace Exec, class Body>
void loop_alone(const Exec& exec, const char* label, index_t n, const Body& body) {
  std::uint64_t id = 0;
  const bool told = Kokkos::Tools::profileLibraryLoaded();
  if (told)
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec), &id);
  for (index_t i = 0; i < n; ++i) body(i);
  if (told) Kokkos::Tools::endParallelFor(id);
}

}  // namespace kolam::detail
