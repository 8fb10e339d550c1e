// SPDX-License-Identifier: Apache-2.0
// `kolam elasticity`.
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Solves, prints and writes what the request asks for; returns the exit code.
int execute(const ElasticityRequest& request, const Communicator& communicator);

}  // namespace kolam::app
