// SPDX-License-Identifier: Apache-2.0
// The command line of `kolam elasticity`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "fem_options.hpp"
#include "options.hpp"

namespace kolam::app {

/// Option values as typed.
struct ElasticityTexts : FemTexts {
  std::string body_force;
  std::vector<std::string> materials, fixed, tractions;
};

void add_elasticity(CLI::App& app, ElasticityTexts& texts);

/// Returns the request. Throws as parse_request does.
ElasticityRequest elasticity_request(const Communicator& communicator, const Arguments& arguments,
                                     const ElasticityTexts& texts);

}  // namespace kolam::app
