// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cmath>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/grid/detail/grid_problem.hpp>
#include <kolam/grid/jacobi.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <numbers>
#include <string>

namespace kolam::grid {
namespace {

// The host computes the sine for every backend, so that all start from the same bits.
double sine(std::int64_t y, std::int64_t ny) {
  return std::sin(2 * std::numbers::pi * static_cast<double>(y) / static_cast<double>(ny - 1));
}

// The grid of the solver is the interior: its row 0 is row 1 of the problem.
template <class T>
struct Start {
  index_t nx;  // interior points
  Kokkos::View<const T*, Kokkos::SharedHostPinnedSpace> edge;

  KOKKOS_FUNCTION T operator()(const GridPoint<2>& point) const {
    return point[0] < 0 || point[0] >= nx ? edge(point[1] + 1) : T(0);
  }
};

}  // namespace

void validate(const JacobiOptions& options) {
  validate(static_cast<const GridOptions&>(options));
  if (options.steps_per_pass != 0) detail::require_steps_per_pass(options.steps_per_pass, 2);
}

std::uint64_t jacobi_bytes(const JacobiOptions& options, std::size_t element_size) {
  return static_cast<std::uint64_t>(
      checked_product("bytes of two fields of nx x ny",
                      {2, options.nx, options.ny, static_cast<index_t>(element_size)}));
}

template <class T, class Exec>
GridSolution<T> solve_jacobi(const Exec& exec, const JacobiOptions& options,
                             const FieldRunner<T>& runner) {
  const Kokkos::Profiling::ScopedRegion region("kolam::solve_jacobi");
  validate(options);
  const std::uint64_t bytes = jacobi_bytes(options, sizeof(T));
  require_running("solve_jacobi");
  const Extents<2> interior{options.nx - 2, options.ny - 2};
  const auto decomposition = detail::decompose<2>(options, interior, {false, true},
                                                  comm::devices_here<Exec>(options.communicator));
  detail::require_memory_for<Exec>(
      options.communicator,
      "jacobi on " + std::to_string(options.nx) + " x " + std::to_string(options.ny), bytes,
      decomposition.subdomains());
  const auto solver = detail::make_solver<Exec, T>(exec, LaplaceStencil{}, options, decomposition);
  const auto edge = kolam::detail::allocate_pinned<T>("kolam::jacobi edge", options.ny);
  for (index_t y = 0; y < options.ny; ++y) edge(y) = static_cast<T>(sine(y, options.ny));
  solver->initialise(Start<T>{interior[0], edge});

  GridSolution<T> solution = detail::run_grid<T>(
      solver, options, runner, static_cast<double>(bytes),
      [ny = options.ny](const GridPoint<2>& point) { return sine(point[1] + 1, ny); });
  const double spacing = 1 / static_cast<double>(options.ny - 1);
  solution.spacing = {spacing, spacing, spacing};
  return solution;
}

#define KOLAM_INSTANTIATE(EXEC)                                                               \
  template GridSolution<float> solve_jacobi<float, EXEC>(const EXEC&, const JacobiOptions&,   \
                                                         const FieldRunner<float>&);          \
  template GridSolution<double> solve_jacobi<double, EXEC>(const EXEC&, const JacobiOptions&, \
                                                           const FieldRunner<double>&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::grid
