// SPDX-License-Identifier: Apache-2.0
// Stands in for solve_poisson in a build without the finite elements of a precision: see
// cmake/elements.cmake.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/fem/poisson.hpp>
#include <string>
#include <type_traits>

namespace kolam::fem {

template <class T, class Exec>
PoissonSolution solve_poisson(const Exec&, const PoissonOptions&) {
  const std::string type = std::is_same_v<T, float> ? "float" : "double";
  throw InvalidArgument("finite elements of type " + type +
                        " are left out of this build of kolam, which is compiled sooner without "
                        "them; `scripts/demo poisson --precision " +
                        type + "` adds them, `cmake --workflow --preset openmp` builds everything");
}

}  // namespace kolam::fem
