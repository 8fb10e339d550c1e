// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam jacobi` or `kolam diffusion` under a Runtime; returns the exit code. Throws what the
/// solver and the outputs throw; one output that fails does not keep the others from being written.
int run_grid(const GridRequest& request);

}  // namespace kolam::app
