// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/error.hpp>
#include <kolam/grid/implicit_step.hpp>

namespace kolam::grid {

std::string_view name(TimeScheme scheme) {
  return scheme == TimeScheme::backward_euler ? "backward-euler" : "crank-nicolson";
}

TimeScheme parse_time_scheme(std::string_view text) {
  for (const TimeScheme scheme : {TimeScheme::backward_euler, TimeScheme::crank_nicolson})
    if (text == name(scheme)) return scheme;
  throw InvalidArgument("time scheme '" + std::string(text) +
                        "' is unknown; use one of backward-euler, crank-nicolson");
}

}  // namespace kolam::grid
