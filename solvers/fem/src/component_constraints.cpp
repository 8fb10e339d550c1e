// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/component_constraints.hpp>

namespace kolam::fem {

void detail::require_constrained_components(int components, int constrained) {
  if (components == constrained) return;
  throw InvalidArgument(
      fmt::format("a vector of {} component{} on a space with Dirichlet conditions on single "
                  "components, which is for fields of {}; make another space for it",
                  components, components == 1 ? "" : "s", constrained));
}

}  // namespace kolam::fem
