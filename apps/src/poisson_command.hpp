// SPDX-License-Identifier: Apache-2.0
// `kolam poisson`.
#pragma once

#include "options.hpp"

namespace kolam::app {

/// Solves, prints and writes what the request asks for; returns the exit code.
int run_poisson(const PoissonRequest& request);

}  // namespace kolam::app
