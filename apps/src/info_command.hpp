// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

namespace kolam::app {

/// Runs `kolam info` under a Runtime; returns the exit code. Throws what measuring and the outputs
/// throw.
[[nodiscard]] int run_info(const InfoRequest& request);

}  // namespace kolam::app
