// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam jacobi`, `kolam diffusion` or `kolam heat` under a Runtime; returns the exit code.
/// Throws errors of the solver and the outputs; one failed output does not prevent the others.
int execute(const GridRequest& request, const Communicator& communicator);

}  // namespace kolam::app
