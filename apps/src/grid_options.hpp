// SPDX-License-Identifier: Apache-2.0
// The options of `kolam jacobi`, `kolam diffusion` and `kolam heat`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "options.hpp"

namespace kolam::app {

/// Options as CLI11 stores them; numbers are read by parse_integer and parse_real, because CLI11 would take 0100 for 64 and
/// words its errors differently in each version.
struct GridTexts {
  std::string nx, ny, niter, tol, nccheck, backend, precision = "float", progress = "auto";
  std::string deck, dt, time_scheme, solver, rtol, max_iter, inner_steps;
  std::string nz, subdomains, decomposition, steps_per_pass, transport, gpu_aware;
  std::string json, image, t_peak;
  std::string checkpoint, checkpoint_every, restart, output, check_every;
  bool csv = false;
  bool quiet = false;
  bool trace = false;
};

/// Adds the three commands, which store what the user types in `texts`.
void add_grid_commands(CLI::App& app, GridTexts& texts);

/// What they ask for. Throws as parse_request.
GridRequest grid_request(Problem problem, const Communicator& communicator,
                         const Arguments& arguments, const GridTexts& texts);

}  // namespace kolam::app
