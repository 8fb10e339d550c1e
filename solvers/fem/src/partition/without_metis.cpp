// SPDX-License-Identifier: Apache-2.0
// Stands in for metis.cpp in a build without METIS.
#include "graph.hpp"

namespace kolam::fem::detail {

std::vector<int> metis_partition(const ElementGraph&, int) {
  throw InvalidArgument(
      "this kolam was built without METIS; cut the mesh by hilbert or rcb, or install it (Debian "
      "and "
      "Ubuntu: apt-get install libmetis-dev) and build kolam with -DKOLAM_METIS=on");
}

bool has_metis() { return false; }

}  // namespace kolam::fem::detail
