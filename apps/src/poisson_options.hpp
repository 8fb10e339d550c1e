// SPDX-License-Identifier: Apache-2.0
// The command line of `kolam poisson`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "arguments.hpp"
#include "fem_options.hpp"
#include "options.hpp"

namespace kolam::app {

/// Option values as typed.
struct PoissonTexts : FemTexts {
  std::string n, nx, ny, nz, dim, problem, map, rhs;
  std::string dirichlet, robin, coefficient, decomposition, image;
};

void add_poisson(CLI::App& app, PoissonTexts& texts);

/// Returns the request. Throws as parse_request does.
PoissonRequest poisson_request(const Communicator& communicator, const Arguments& arguments,
                               const PoissonTexts& texts);

}  // namespace kolam::app
