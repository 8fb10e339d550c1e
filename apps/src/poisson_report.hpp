// SPDX-License-Identifier: Apache-2.0
// The reports of `kolam poisson`.
#pragma once

#include <kolam/fem/poisson.hpp>
#include <string>

#include "options.hpp"

namespace kolam::app {

struct PoissonReport {
  const PoissonRequest& request;
  const fem::PoissonSolution& solution;
  std::string device;     ///< device of the backend
  std::string partition;  ///< description of a mesh's partition; empty for one part
};

/// Returns the JSON document with a line break at its end. Reading restores each number exactly;
/// unknown values and values that are not finite are null.
std::string poisson_json(const PoissonReport& report);

/// Returns lines for people.
std::string poisson_summary(const PoissonReport& report);

}  // namespace kolam::app
