// SPDX-License-Identifier: Apache-2.0
#include <metis.h>

#include "graph.hpp"

namespace kolam::fem::detail {

// (Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998. METIS' manual recommends recursive bisection
// for few parts.)
std::vector<int> metis_partition(const ElementGraph& graph, int parts) {
  auto begin = numbers_of<idx_t>("METIS", graph.begin);
  auto neighbours = numbers_of<idx_t>("METIS", graph.neighbours);
  std::vector<idx_t> part(graph.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  auto elements = static_cast<idx_t>(graph.size());
  auto count = static_cast<idx_t>(parts);
  idx_t constraints = 1;
  idx_t cut = 0;
  const auto cut_graph = parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int status =
      cut_graph(&elements, &constraints, begin.data(), neighbours.data(), nullptr, nullptr, nullptr,
                &count, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK) {
    throw Error(fmt::format("METIS did not cut the mesh: {}",
                            status == METIS_ERROR_MEMORY ? "it is out of memory"
                                                         : fmt::format("its error {}", status)));
  }
  return {part.begin(), part.end()};
}

bool has_metis() { return true; }

}  // namespace kolam::fem::detail
