// SPDX-License-Identifier: Apache-2.0
// `kolam poisson`.
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Solves the problem and prints and writes the requested results. Returns the exit code.
int execute(const PoissonRequest& request, const Communicator& communicator);

}  // namespace kolam::app
