// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <kolam/core/error.hpp>
#include <set>

#include "require.hpp"

namespace kolam::fem {
namespace {

void require_finite(const char* what, const std::array<double, 3>& force) {
  for (const double value : force) {
    if (!std::isfinite(value))
      throw InvalidArgument(fmt::format("{} ({}, {}, {}): it must be finite numbers", what,
                                        force[0], force[1], force[2]));
  }
}

}  // namespace

template <int Dim>
void detail::require_elasticity(const Mesh<Dim>& mesh, const ElasticityOptions& options) {
  if (options.order < 1 || options.order > 40)
    throw InvalidArgument(fmt::format("order is {}; it must be 1 to 40", options.order));
  validate(options.solve);
  if (options.materials.empty())
    throw InvalidArgument("no material is given; give one for each attribute of elements");
  for (const auto& [where, lambda, mu] : options.materials) {
    if (!(mu > 0) || !(lambda + 2 * mu / Dim > 0) || !std::isfinite(lambda + mu)) {
      throw InvalidArgument(fmt::format(
          "a material with lambda {} and mu {}: mu and lambda + {} mu must be above 0, or "
          "it is not stable",
          lambda, mu, Dim == 2 ? "" : "2/3"));
    }
  }
  unsigned components = 0;
  for (const DirichletCondition& condition : options.fixed) components |= condition.components(Dim);
  for (int k = 0; k < Dim; ++k) {
    if ((components >> k & 1U) == 0) {
      throw InvalidArgument(
          fmt::format("no boundary is fixed along {}: the body could move there, and the "
                      "displacement is not unique; fix one",
                      "xyz"[k]));
    }
  }
  std::set<int> loaded;
  for (const auto& [where, force] : options.tractions) {
    require_finite("a traction of", force);
    for (const int attribute : where.of_boundary(mesh)) {
      if (!loaded.insert(attribute).second) {
        throw InvalidArgument(
            fmt::format("two tractions on the boundary attribute {}; give their sum", attribute));
      }
    }
  }
  require_finite("a body force of", options.body_force);
}
template void detail::require_elasticity(const Mesh<2>&, const ElasticityOptions&);
template void detail::require_elasticity(const Mesh<3>&, const ElasticityOptions&);

double ElasticitySolution::gdofs_per_second() const {
  return seconds > 0
             ? 1e-9 * static_cast<double>(dofs) * static_cast<double>(result.iterations) / seconds
             : 0;
}

}  // namespace kolam::fem
