// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam jacobi`, `kolam diffusion` or `kolam heat` under a Runtime; returns the exit code. Throws what the
/// solver and the outputs throw; one output that fails does not keep the others from being written.
int execute(const GridRequest& request, const Communicator& communicator);

}  // namespace kolam::app
