// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Timer.hpp>
#include <cmath>
#include <kolam/core/bandwidth.hpp>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/kernels/laplace_sweep.hpp>
#include <kolam/kernels/norms.hpp>
#include <kolam/solvers/jacobi.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>

namespace kolam {
namespace {

void require_at_least(const char* option, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  throw InvalidArgument(std::string(option) + " is " + std::to_string(value) +
                        "; it must be at least " + std::to_string(least));
}

// Columns 0 and nx-1 at sin(2 pi iy / (ny-1)), zero elsewhere. The sine is the host's on every
// backend, so that all start from the same bits.
template <class T, class Exec>
void initialise(const Exec& exec, const Grid2d& grid, Array<T>& field) {
  Array<T> edge("kolam::jacobi edge", grid.ny);
  const auto values = edge.write(host);
  for (index_t y = 0; y < grid.ny; ++y) {
    values(y) = static_cast<T>(
        std::sin(2 * std::numbers::pi * static_cast<double>(y) / static_cast<double>(grid.ny - 1)));
  }
  const auto sine = edge.read(exec);
  const auto u = field.write(exec);
  using Shape = StaticShape<block_threads<Exec, 256>>;
  // By rows, so that on a host each row's memory is taken near the thread that sweeps it.
  forall(
      exec, "kolam::jacobi initialise", grid.ny, Shape{},
      KOKKOS_LAMBDA(const Block<Exec, Shape>& block, index_t y) {
        block.foreach_x(grid.pitch, [&](index_t x) {
          u(y * grid.pitch + x) = x == 0 || x == grid.nx - 1 ? sine(y) : T(0);
        });
      });
  exec.fence("kolam::jacobi initialise");  // the edge ends here
}

}  // namespace

void validate(const JacobiOptions& options) {
  require_at_least("nx", options.nx, 3);
  require_at_least("ny", options.ny, 3);
  require_at_least("niter", options.niter, 0);
  require_at_least("nccheck", options.nccheck, 1);
  if (options.tol && !(std::isfinite(*options.tol) && *options.tol >= 0)) {
    std::ostringstream value;
    value << *options.tol;
    throw InvalidArgument("tol is " + value.str() +
                          "; it must be a finite number, and not negative");
  }
}

std::uint64_t jacobi_bytes(const JacobiOptions& options, std::size_t element_size) {
  const Grid2d grid = padded_grid(options.nx, options.ny, element_size);
  return static_cast<std::uint64_t>(
      checked_product("bytes of two fields of pitch x ny",
                      {2, grid.pitch, grid.ny, static_cast<index_t>(element_size)}));
}

template <class T, class Exec>
JacobiResult<T> solve_jacobi(const Exec& exec, const JacobiOptions& options) {
  const Kokkos::Profiling::ScopedRegion region("kolam::solve_jacobi");
  validate(options);
  const Grid2d grid = padded_grid(options.nx, options.ny, sizeof(T));
  const std::uint64_t fields = jacobi_bytes(options, sizeof(T));
  require_running("solve_jacobi");
  const index_t sums = laplace_partial_sums<T, Exec>(grid);
  require_memory(backend_of<Exec>,
                 "jacobi on " + std::to_string(options.nx) + " x " + std::to_string(options.ny),
                 fields + NormLog<Exec>::bytes(sums, options.tol.has_value()));

  Array<T> u("kolam::jacobi u", grid.size());
  Array<T> new_u("kolam::jacobi new_u", grid.size());
  initialise(exec, grid, u);
  initialise(exec, grid, new_u);
  NormLog<Exec> norms(exec, sums, options.tol);

  Kokkos::Timer timer;
  std::int64_t steps = 0;
  for (; steps < options.niter && !norms.ended(); ++steps) {
    const bool check = steps % options.nccheck == 0;
    SweepControl<Exec> control{{}, norms.stop()};
    if (check) control.partial_sums = norms.partial_sums();
    // (Not write: a sweep leaves the boundary as it is.)
    laplace_sweep<T>(exec, grid, u.read(exec), new_u.read_write(exec), control);
    std::swap(u, new_u);
    if (check) norms.record(steps);
    if (norms.update() && options.progress) options.progress(norms.records().back());
  }
  norms.finish();
  exec.fence("kolam::solve_jacobi");

  JacobiResult<T> result;
  result.seconds = timer.seconds();
  result.norm_history = norms.records();
  result.status = options.tol ? JacobiStatus::iteration_limit : JacobiStatus::completed;
  result.iterations = steps;
  if (norms.ended()) {
    const NormRecord& last = result.norm_history.back();
    const bool finite = std::isfinite(last.norm);
    result.status = finite ? JacobiStatus::converged : JacobiStatus::not_finite;
    if (options.tol) {
      // The steps launched after the last one did nothing; an odd number of them left the field in
      // new_u.
      result.iterations = last.iteration + 1;
      if ((steps - result.iterations) % 2 == 1) std::swap(u, new_u);
    }
  }
  result.t_eff_gbs =
      result.seconds > 0
          ? effective_throughput_gbs(
                result.seconds, static_cast<double>(result.iterations),
                static_cast<double>(options.nx) * static_cast<double>(options.ny) * sizeof(T))
          : 0;
  const FieldNorms final = interior_norms<T>(exec, grid, u.read(exec));
  result.final_l2 = final.l2;
  result.final_max = final.max;
  result.field = std::move(u);
  result.pitch = grid.pitch;
  return result;
}

#define KOLAM_INSTANTIATE(EXEC)                                                              \
  template JacobiResult<float> solve_jacobi<float, EXEC>(const EXEC&, const JacobiOptions&); \
  template JacobiResult<double> solve_jacobi<double, EXEC>(const EXEC&, const JacobiOptions&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)
KOLAM_INSTANTIATE(HostTeams)

}  // namespace kolam
