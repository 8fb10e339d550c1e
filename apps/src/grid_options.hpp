// SPDX-License-Identifier: Apache-2.0
// The options of `kolam jacobi`, `kolam diffusion` and `kolam heat`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "options.hpp"

namespace kolam::app {

/// Option values as CLI11 stores them. parse_integer and parse_real read the numbers, because CLI11
/// would read 0100 as 64 and changes its error messages with each version.
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

/// Adds the three commands, which store the user's input in `texts`.
void add_grid_commands(CLI::App& app, GridTexts& texts);

/// Returns the request. Throws as parse_request does.
GridRequest grid_request(Problem problem, const Communicator& communicator,
                         const Arguments& arguments, const GridTexts& texts);

}  // namespace kolam::app
