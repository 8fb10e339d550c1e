// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam mesh`; rank 0 does it alone. Returns the exit code. Throws what reading, writing and
/// refining throw.
int execute(const MeshRequest& request, const Communicator& communicator);

}  // namespace kolam::app
