// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <kolam/core/detail/instantiate.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/grid/detail/grid_problem.hpp>
#include <kolam/grid/diffusion.hpp>
#include <kolam/kernels/stencil/common_stencils.hpp>
#include <string>

namespace kolam::grid {
namespace {

constexpr double length = 10;  // edge length of the box

// The product of exp(-((x - center) / width)^2) over the dimensions, times height.
struct Gaussian {
  double height;
  std::array<double, 3> center;
  double width;
};
constexpr std::array<Gaussian, 2> temperature{{{100, {length / 2, length / 2, length / 3}, 2},
                                               {50, {length / 2, length / 2, length / 1.5}, 2}}};
constexpr std::array<Gaussian, 2> capacity{{{5, {length / 1.5, length / 2, length / 1.5}, 1},
                                            {5, {length / 3, length / 2, length / 1.5}, 1}}};

// `base` plus two Gaussians, or 1 over this sum. The host computes the exponentials for every
// backend, so that all start from the same bits.
template <int N>
class Hills {
 public:
  Hills(const Extents<N>& points, const std::array<Gaussian, 2>& hills, double base, bool inverse)
      : base_(base), inverse_(inverse) {
    for (std::size_t h = 0; h < 2; ++h) {
      heights_[h] = hills[h].height;
      for (std::size_t d = 0; d < N; ++d) {
        const Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> factor(
            "kolam::diffusion start", static_cast<std::size_t>(points[d]));
        const double spacing = length / static_cast<double>(points[d] - 1);
        for (index_t i = 0; i < points[d]; ++i) {
          const double x = (static_cast<double>(i) * spacing - hills[h].center[d]) / hills[h].width;
          factor(i) = std::exp(-x * x);
        }
        factors_[h][d] = factor;
      }
    }
  }

  // The grid of the solver is the interior: its point 0 is point 1 of the problem.
  KOKKOS_FUNCTION double operator()(const GridPoint<N>& point) const {
    double sum = base_;
    for (std::size_t h = 0; h < 2; ++h) {
      double product = heights_[h];
      for (std::size_t d = 0; d < N; ++d) product *= factors_[h][d](point[d] + 1);
      sum += product;
    }
    return inverse_ ? 1 / sum : sum;
  }

 private:
  double base_;
  bool inverse_;
  double heights_[2] = {};
  Kokkos::View<const double*, Kokkos::SharedHostPinnedSpace> factors_[2][N];
};

template <int N>
Extents<N> points_of(const DiffusionOptions& options) {
  Extents<N> points{options.nx, options.ny};
  if constexpr (N == 3) points[2] = options.nz;
  return points;
}

template <int N>
std::array<double, 3> spacing_of(const Extents<N>& points) {
  std::array<double, 3> spacing{1, 1, 1};
  for (std::size_t d = 0; d < N; ++d) spacing[d] = length / static_cast<double>(points[d] - 1);
  return spacing;
}

// Returns the largest time step that is stable for Cp = 1.
template <int N>
double time_step(const std::array<double, 3>& spacing) {
  const double least = *std::min_element(spacing.begin(), spacing.begin() + N);
  return least * least / (2 * N + 0.1);
}

// Returns the stencil with the rates lambda dt / dx^2.
template <class T, int N>
DiffusionStencil<T, N> stencil_for(const std::array<double, 3>& spacing) {
  DiffusionStencil<T, N> stencil;
  for (std::size_t d = 0; d < N; ++d)
    stencil.rates[d] = static_cast<T>(time_step<N>(spacing) / (spacing[d] * spacing[d]));
  return stencil;
}

template <int N, class T, class Exec>
GridSolution<T> solve(const Exec& exec, const DiffusionOptions& options, std::uint64_t bytes,
                      const FieldRunner<T>& runner) {
  const Extents<N> points = points_of<N>(options);
  Extents<N> interior = points;
  for (index_t& n : interior) n -= 2;
  const auto decomposition =
      detail::decompose<N>(options, interior, {}, comm::devices_here<Exec>(options.communicator));
  std::string what = "diffusion on";
  for (std::size_t d = 0; d < N; ++d) what += (d > 0 ? " x " : " ") + std::to_string(points[d]);
  detail::require_memory_for<Exec>(options.communicator, what, bytes, decomposition.subdomains());
  const std::array<double, 3> spacing = spacing_of<N>(points);
  const auto solver =
      detail::make_solver<Exec, T>(exec, stencil_for<T, N>(spacing), options, decomposition);
  const Hills<N> start(points, temperature, 0, false);
  solver->initialise(start);
  solver->set_coefficient(0, Hills<N>(points, capacity, 1, true));
  GridSolution<T> solution =
      detail::run_grid<T>(solver, options, runner, static_cast<double>(bytes), start);
  solution.spacing = spacing;
  solution.time = time_step<N>(spacing) * static_cast<double>(solution.iterations);
  return solution;
}

}  // namespace

void validate(const DiffusionOptions& options) {
  validate(static_cast<const GridOptions&>(options));
  if (options.nz != 0) detail::require_at_least("nz", options.nz, 3);
  if (options.steps_per_pass != 0)
    detail::require_steps_per_pass(options.steps_per_pass, options.nz == 0 ? 2 : 3);
}

std::uint64_t diffusion_bytes(const DiffusionOptions& options, std::size_t element_size) {
  return static_cast<std::uint64_t>(
      checked_product("bytes of three fields of nx x ny x nz",
                      {3, options.nx, options.ny, std::max<std::int64_t>(options.nz, 1),
                       static_cast<index_t>(element_size)}));
}

template <class T, class Exec>
GridSolution<T> solve_diffusion(const Exec& exec, const DiffusionOptions& options,
                                const FieldRunner<T>& runner) {
  const Kokkos::Profiling::ScopedRegion region("kolam::solve_diffusion");
  validate(options);
  const std::uint64_t bytes = diffusion_bytes(options, sizeof(T));
  require_running("solve_diffusion");
  return options.nz == 0 ? solve<2, T>(exec, options, bytes, runner)
                         : solve<3, T>(exec, options, bytes, runner);
}

#define KOLAM_INSTANTIATE(EXEC)                                                                   \
  template GridSolution<float> solve_diffusion<float, EXEC>(const EXEC&, const DiffusionOptions&, \
                                                            const FieldRunner<float>&);           \
  template GridSolution<double> solve_diffusion<double, EXEC>(                                    \
      const EXEC&, const DiffusionOptions&, const FieldRunner<double>&);
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::grid
