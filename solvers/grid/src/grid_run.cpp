// SPDX-License-Identifier: Apache-2.0
#include <kolam/grid/grid_run.hpp>

namespace kolam::grid {

void validate(const GridOptions& options) {
  detail::require_at_least("nx", options.nx, 3);
  detail::require_at_least("ny", options.ny, 3);
  validate(static_cast<const StencilRun&>(options));
  detail::require_at_least("subdomains", options.subdomains, 0);
}

}  // namespace kolam::grid
