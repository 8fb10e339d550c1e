// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kolam/comm/communicator.hpp>

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam info` under a Runtime, in all processes together; rank 0 prints. Returns the exit
/// code. Throws errors of measuring and of the outputs.
int execute(const InfoRequest& request, const Communicator& communicator);

}  // namespace kolam::app
