// SPDX-License-Identifier: Apache-2.0
// What `kolam poisson` says of a run.
#pragma once

#include <kolam/fem/poisson.hpp>
#include <string>

#include "options.hpp"

namespace kolam::app {

struct PoissonReport {
  const PoissonRequest& request;
  const fem::PoissonSolution& solution;
  std::string device;     ///< what the backend runs on
  std::string partition;  ///< how a mesh is cut; empty for one part
};

/// The JSON document, with a line break at its end. Numbers read back the same; what is not known
/// or not finite is null.
std::string poisson_json(const PoissonReport& report);

/// Lines for people.
std::string poisson_summary(const PoissonReport& report);

}  // namespace kolam::app
