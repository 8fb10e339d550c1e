// SPDX-License-Identifier: Apache-2.0
// The command line of `kolam elasticity`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "options.hpp"

namespace kolam::app {

/// Option values as typed.
struct ElasticityTexts {
  std::string mesh, refine, geometry_order, partition, subdomains, order, body_force, geometry,
      rtol, max_iter, precond, coarse_solver;
  std::vector<std::string> materials, fixed, tractions;
  std::string backend, precision = "double", json, output;
  bool deterministic = false;
  bool quiet = false;
};

void add_elasticity(CLI::App& app, ElasticityTexts& texts);

/// Returns the request. Throws as parse_request does.
ElasticityRequest elasticity_request(const Communicator& communicator, const Arguments& arguments,
                                     const ElasticityTexts& texts);

}  // namespace kolam::app
