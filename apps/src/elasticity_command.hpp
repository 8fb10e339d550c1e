// SPDX-License-Identifier: Apache-2.0
// `kolam elasticity`.
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Solves the problem and prints and writes the requested results. Returns the exit code.
int execute(const ElasticityRequest& request, const Communicator& communicator);

}  // namespace kolam::app
