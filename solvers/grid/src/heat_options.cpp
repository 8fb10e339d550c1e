// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/grid/heat.hpp>
#include <string>

namespace kolam::grid {
namespace {

void require_above_zero(const char* option, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InvalidArgument(std::string(option) + " is " + std::to_string(value) +
                        "; it must be a finite number above 0");
}

}  // namespace

std::string_view name(HeatSolver solver) {
  constexpr std::string_view names[] = {"cg", "chebyshev", "ppcg", "mg"};
  return names[static_cast<std::size_t>(solver)];
}

HeatSolver parse_heat_solver(std::string_view text) {
  for (const auto solver :
       {HeatSolver::cg, HeatSolver::chebyshev, HeatSolver::ppcg, HeatSolver::multigrid})
    if (text == name(solver)) return solver;
  throw InvalidArgument("solver '" + std::string(text) +
                        "' is unknown; use one of cg, chebyshev, ppcg, mg");
}

HeatOptions::HeatOptions() {
  using enum HeatRegion::Shape;
  nx = ny = 512;
  niter = 20;
  regions = {{all, {}, {}, 0, 100, 0.0001},
             {box, {0, 1, 0}, {1, 2, 10}, 0, 0.1, 25},
             {box, {1, 1, 0}, {6, 2, 10}, 0, 0.1, 0.1},
             {box, {5, 1, 0}, {6, 8, 10}, 0, 0.1, 0.1},
             {box, {5, 7, 0}, {10, 8, 10}, 0, 0.1, 0.1}};
}

void validate(const HeatOptions& options) {
  validate(static_cast<const StencilRun&>(options));
  detail::require_at_least("nx", options.nx, 1);
  detail::require_at_least("ny", options.ny, 1);
  detail::require_at_least("nz", options.nz, 0);
  detail::require_at_least("inner_steps", options.inner_steps, 1);
  if (options.subdomains != 0 && options.subdomains != 1) {
    throw InvalidArgument("subdomains is " + std::to_string(options.subdomains) +
                          "; heat has one in each process");
  }
  if (options.steps_per_pass != 0 && options.steps_per_pass != 1) {
    throw InvalidArgument("steps_per_pass is " + std::to_string(options.steps_per_pass) +
                          "; implicit steps are taken one by one");
  }
  linear::validate(options.tolerance);
  require_above_zero("dt", options.dt);
  for (std::size_t d = 0; d < (options.nz == 0 ? 2U : 3U); ++d) {
    if (std::isfinite(options.from[d]) && std::isfinite(options.to[d]) &&
        options.from[d] < options.to[d])
      continue;
    throw InvalidArgument("the box is from " + std::to_string(options.from[d]) + " to " +
                          std::to_string(options.to[d]) + " along " + "xyz"[d] +
                          "; it must end where it is larger");
  }
  if (options.regions.empty() || options.regions.front().shape != HeatRegion::Shape::all)
    throw InvalidArgument("the first region is not of all cells; it must be, so that each has one");
  for (const HeatRegion& region : options.regions) {
    require_above_zero("density", region.density);
    if (!std::isfinite(region.energy) || !(region.radius >= 0) || !std::isfinite(region.radius)) {
      throw InvalidArgument("a region has energy " + std::to_string(region.energy) +
                            " and radius " + std::to_string(region.radius) +
                            "; both must be finite, the radius at least 0");
    }
  }
}

std::uint64_t heat_bytes(const HeatOptions& options) {
  // By solver: u, b, k, the vectors of conjugate gradients, and those of the solver.
  const index_t vectors[] = {11, 9, 16, 26};
  return static_cast<std::uint64_t>(checked_product(
      "bytes of vectors of nx x ny x nz",
      {vectors[static_cast<std::size_t>(options.solver)], options.nx, options.ny,
       std::max<std::int64_t>(options.nz, 1), static_cast<index_t>(sizeof(double))}));
}

}  // namespace kolam::grid
