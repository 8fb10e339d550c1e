// SPDX-License-Identifier: Apache-2.0
// The command line of `kolam poisson`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "arguments.hpp"
#include "options.hpp"

namespace kolam::app {

/// Option values as typed.
struct PoissonTexts {
  std::string order, n, nx, ny, nz, dim, problem, map, geometry, rhs, rtol, max_iter, precond,
      coarse_solver;
  std::string mesh, refine, geometry_order, partition, dirichlet, robin, coefficient;
  std::string subdomains, decomposition, backend, precision = "double", json, image, output;
  bool deterministic = false;
  bool quiet = false;
};

void add_poisson(CLI::App& app, PoissonTexts& texts);

/// Returns the request. Throws as parse_request does.
PoissonRequest poisson_request(const Communicator& communicator, const Arguments& arguments,
                               const PoissonTexts& texts);

}  // namespace kolam::app
