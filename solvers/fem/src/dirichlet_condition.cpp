// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <kolam/core/error.hpp>
#include <kolam/fem/dirichlet_condition.hpp>
#include <string_view>

namespace kolam::fem {

unsigned DirichletCondition::components(int dimensions) const {
  if (components_ == "all") return (1U << dimensions) - 1;
  const std::string_view letters = dimensions == 2 ? "xy" : "xyz";
  unsigned bits = 0;
  for (const char letter : components_) {
    const std::size_t c = letters.find(letter);
    if (c == std::string_view::npos || (bits >> c & 1U) != 0) {
      bits = 0;
      break;
    }
    bits |= 1U << c;
  }
  if (bits == 0) {
    throw InvalidArgument(
        fmt::format("Dirichlet condition on the components '{}'; give some of '{}', each once, or "
                    "leave them out for all",
                    components_, letters));
  }
  return bits;
}

}  // namespace kolam::fem
