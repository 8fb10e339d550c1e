// SPDX-License-Identifier: Apache-2.0
// Stands in for scotch.cpp in a build without Scotch.
#include "graph.hpp"

namespace kolam::fem::detail {

std::vector<int> scotch_partition(const ElementGraph&, int) {
  throw InvalidArgument(
      "this kolam was built without Scotch; cut the mesh by hilbert or rcb, or install it (Debian "
      "and "
      "Ubuntu: apt-get install libscotch-dev) and build kolam with -DKOLAM_SCOTCH=on");
}

bool has_scotch() { return false; }

}  // namespace kolam::fem::detail
