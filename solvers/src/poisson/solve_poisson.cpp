// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/solvers/poisson.hpp>

namespace kolam {
namespace detail {
template <class T, int Dim, class Exec>
PoissonSolution solve_on_box(const Exec& exec, const PoissonOptions& options);
}  // namespace detail

template <class T, class Exec>
PoissonSolution solve_poisson(const Exec& exec, const PoissonOptions& options) {
  validate(options);
  return options.dimensions == 2 ? detail::solve_on_box<T, 2, Exec>(exec, options)
                                 : detail::solve_on_box<T, 3, Exec>(exec, options);
}

#define KOLAM_INSTANTIATE(EXEC)                                                            \
  template PoissonSolution solve_poisson<float, EXEC>(const EXEC&, const PoissonOptions&); \
  template PoissonSolution solve_poisson<double, EXEC>(const EXEC&, const PoissonOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam
