// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam mesh` on rank 0 alone. Returns the exit code. Throws errors of reading, writing and
/// refining.
int execute(const MeshRequest& request, const Communicator& communicator);

}  // namespace kolam::app
