// SPDX-License-Identifier: Apache-2.0
// Replaces solve_poisson and solve_elasticity in a build without the finite elements of a
// precision: see cmake/elements.cmake.
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/error.hpp>
#include <kolam/fem/elasticity.hpp>
#include <kolam/fem/poisson.hpp>
#include <string>
#include <type_traits>

namespace kolam::fem {

// Throws InvalidArgument. `command`: the program's command that needs the elements.
template <class T>
[[noreturn]] void refuse_elements(const std::string& command) {
  const std::string type = std::is_same_v<T, float> ? "float" : "double";
  throw InvalidArgument("finite elements for " + command + " of type " + type +
                        " are left out of this build of kolam, which is compiled sooner without "
                        "them; `scripts/demo " +
                        command + " --precision " + type +
                        "` adds them, `cmake --workflow --preset openmp` builds everything");
}

template <class T, class Exec>
PoissonSolution solve_poisson(const Exec&, const PoissonOptions&) {
  refuse_elements<T>("poisson");
}
template <class T, int Dim, class Exec>
PoissonSolution solve_poisson(const Exec&, const Mesh<Dim>&, const PoissonMeshOptions&,
                              const PoissonOptions&) {
  refuse_elements<T>("poisson");
}
template <class T, int Dim, class Exec>
ElasticitySolution solve_elasticity(const Exec&, const Mesh<Dim>&, const ElasticityOptions&) {
  refuse_elements<T>("elasticity");
}

#define KOLAM_WITHOUT_POISSON(T, EXEC)                                                 \
  template PoissonSolution solve_poisson<T, EXEC>(const EXEC&, const PoissonOptions&); \
  template PoissonSolution solve_poisson<T, 2, EXEC>(                                  \
      const EXEC&, const Mesh<2>&, const PoissonMeshOptions&, const PoissonOptions&);  \
  template PoissonSolution solve_poisson<T, 3, EXEC>(                                  \
      const EXEC&, const Mesh<3>&, const PoissonMeshOptions&, const PoissonOptions&);
#define KOLAM_WITHOUT_ELASTICITY(T, EXEC)                                               \
  template ElasticitySolution solve_elasticity<T, 2, EXEC>(const EXEC&, const Mesh<2>&, \
                                                           const ElasticityOptions&);   \
  template ElasticitySolution solve_elasticity<T, 3, EXEC>(const EXEC&, const Mesh<3>&, \
                                                           const ElasticityOptions&);

}  // namespace kolam::fem
